// What began before a time and was published after it: by repository, by kind, and within the day that a transaction may take.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { buriedLate, publishedLate } from '#store/change-log/published-late.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '../../../support/records.ts';
import { openRecordStore } from '../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const late = async (kind: string, repoId: number | null, hours = 0): Promise<readonly number[]> => {
  const time = sql.fragment`(now() - ${hours} * interval '1 hour')`;
  const found = publishedLate(kindNamed(kind), repoId, time);
  const rows = await store.database.reader.any(sql.type(IdRow)`SELECT id FROM (${found}) AS late ORDER BY id`);
  return rows.map(({ id }) => id);
};
const buried = (hours: number): Promise<readonly unknown[]> =>
  store.database.reader.any(
    sql.type(
      NumberRow,
    )`SELECT n::int FROM (${buriedLate(sql.fragment`(now() - ${hours} * interval '1 hour')`)}) AS late`,
  );

it('are the records dated before and published after, of the kind and the repository', async () => {
  const body = (id0: string) => ({ id_0: id0, title: id0, accession_date: '2020-01-01' });
  const { id } = await store.create('accession', body('A'));
  const gone = await store.create('accession', body('B'));
  await store.remove(gone.uri);
  await sequenceChanges(store.database);
  const dated = (hours: number): Promise<unknown> =>
    store.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE record SET system_mtime = now() - ${hours} * interval '1 hour' WHERE kind = 'accession'`);
      await tx.run(sql`UPDATE tombstone SET at = now() - ${hours} * interval '1 hour' WHERE uri = ${gone.uri}`);
    });
  await dated(2);
  expect(await Promise.all([late('accession', store.repoId, 1), late('accession', null, 1)])).toEqual([[id], [id]]);
  expect(await Promise.all([late('accession', store.repoId + 1, 1), late('resource', null, 1)])).toEqual([[], []]);
  expect((await buried(1)).length).toBe(1);
  // Dated after it; told before it.
  expect(await Promise.all([late('accession', null, 3), late('accession', null, -1)])).toEqual([[], []]);
  expect(await Promise.all([buried(3), buried(-1)])).toEqual([[], []]);
  // Of old, as what another service gave.
  await dated(30);
  expect([await late('accession', null, 1), await buried(1)]).toEqual([[], []]);
});

it('are the addresses of what went with a record, which are in no change of their own', async () => {
  const gone = await store.create('accession', {
    id_0: 'C',
    accession_date: '2020-01-01',
    collection_management: { processing_plan: 'Soon' },
  });
  await store.remove(gone.uri);
  await sequenceChanges(store.database);
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE tombstone SET at = now() - interval '2 hours' WHERE uri = ${gone.uri} OR kind = 'collection_management'`,
    ),
  );
  expect((await buried(1)).length).toBe(2);
  expect((await buried(3)).length).toBe(0);
});
