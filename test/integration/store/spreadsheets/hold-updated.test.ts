// What a sheet of changes holds: its archival objects, and the accessions to which these get a link or lose it, not those of a link that stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { holdUpdated } from '#store/spreadsheets/hold-updated.ts';
import { accessionKey } from '#store/spreadsheets/lookups.ts';
import { addressOf, linkedRecords } from '#test/support/make/linked-records.ts';
import { outside } from '#test/support/outside.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(() => store[Symbol.asyncDispose]());

const FreeRow = z.strictObject({ kind: column.text, id: column.int });

test('holds accessions that are linked or unlinked, and no others', async () => {
  const accession = async (id: string): Promise<string> =>
    (await store.create('accession', { id_0: id, accession_date: '2020-01-01' })).uri;
  const [comes, goes, stays] = [await accession('comes'), await accession('goes'), await accession('stays')];
  const resource = await make.resource();
  const one = await make.component(resource, { accession_links: [{ ref: goes }, { ref: stays }] });
  // Of which the sheet says nothing.
  const two = await make.component(resource, { accession_links: [{ ref: goes }] });
  const keyOf = (id: string): string => accessionKey([id, null, null, null], store.repoId);
  const held = await store.database.transaction(async (tx) => {
    await holdUpdated(tx, store.repoId, [
      { id: addressOf(one).id, accessions: [keyOf('comes'), keyOf('stays')] },
      { id: addressOf(two).id, accessions: [] },
    ]);
    const free = await outside(() =>
      store.database.write(
        sql.type(
          FreeRow,
        )`SELECT kind, id FROM record WHERE kind IN ('accession', 'archival_object', 'resource') FOR NO KEY UPDATE SKIP LOCKED`,
      ),
    );
    return [comes, goes, stays, one, two, resource].filter(
      (uri) => !free.some(({ kind, id }) => kind === addressOf(uri).kind.name && id === addressOf(uri).id),
    );
  });
  expect(held).toEqual([comes, goes, one, two]);
});
