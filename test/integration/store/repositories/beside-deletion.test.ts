// What others do in a repository while it is deleted: nobody waits in a circle, and nothing that they make stays behind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { deleteRepository } from '#store/repositories/repositories.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { eventBody, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

test('a record is made there, or saved, that links to another or is related to it', async () => {
  for (const isNew of [true, false])
    await besideEachOther(store.database, async () => {
      const agent = await make.person();
      const { id } = await store.create('repository', { repo_code: make.next(), name: 'Going' });
      const { uri } = await store.create('accession', { id_0: '1', accession_date: '2020-01-01' }, id);
      const body = eventBody(uri, agent);
      const event = isNew ? '' : (await store.create('event', body, id)).uri;
      return {
        one: (tx) => deleteRepository(tx, id, 'tester'),
        other: isNew
          ? (tx) => store.createIn(tx, 'event', body, id)
          : await make.saving(event, { outcome_note: 'saved' }),
      };
    });
  await besideEachOther(store.database, async () => {
    const { id } = await store.create('repository', { repo_code: make.next(), name: 'Going' });
    const { uri } = await store.create('accession', { id_0: '1', accession_date: '2020-01-01' }, id);
    const resource = resourceBody(make.next(), { related_accessions: [{ ref: uri }] });
    return {
      one: (tx) => deleteRepository(tx, id, 'tester'),
      other: (tx) => store.createIn(tx, 'resource', resource, id),
    };
  });
});
