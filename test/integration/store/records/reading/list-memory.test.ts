// Pages of long lists: what is remembered of a list is what would be read anew, whatever is written between pages, and spares the counting.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Reader } from '#store/connection/database.ts';
import { ListMemory } from '#store/records/reading/list-memory.ts';
import { listPage } from '#store/records/reading/list.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
let accessions: string[];
let count = 0;
const create = async (): Promise<void> => {
  const body = { title: `Gift ${count}`, id_0: `G${count++}`, accession_date: '2000-01-01' };
  accessions.push((await store.create('accession', body)).uri);
};
beforeAll(async () => {
  store = await openRecordStore();
  accessions = [];
  for (let n = 0; n < 12; n++) await create();
});
afterAll(() => store[Symbol.asyncDispose]());

/** A reader whose lists of three records are long, and what it asked for in one statement. */
function remembering(): { readonly reader: Reader; readonly asked: string[] } {
  const { reader } = store.database;
  const asked: string[] = [];
  const one: Reader['one'] = (query) => {
    asked.push(query.sql);
    return reader.one(query);
  };
  return { reader: { ...reader, one, lists: new ListMemory(3) }, asked };
}

type Page = {
  readonly offset: number;
  readonly limit: number;
  readonly sortField: string;
  readonly descending: boolean;
};
const read = async (reader: Reader, page: Page, seesSuppressed = true): Promise<unknown> => {
  const filter = { kind: kindNamed('accession'), repoId: store.repoId, modifiedSince: 0, viewer: { seesSuppressed } };
  const { total, records } = await listPage(reader, filter, page);
  return { total, ids: records.map(({ row }) => row.id) };
};
const pageAt = (offset: number): Page => ({ offset, limit: 3, sortField: 'id', descending: false });

it('counts a long list once, and goes on behind the last page, until something changes', async () => {
  const { reader, asked } = remembering();
  const ids = accessions.map((uri) => parseUri(uri)?.id);
  for (const offset of [0, 3, 6, 9, 12, 3])
    expect(await read(reader, pageAt(offset))).toEqual({ total: 12, ids: ids.slice(offset, offset + 3) });
  // What is long is known from the first time on, and what it was counted under from the second.
  expect(asked.map((text) => text.includes('count(*)'))).toEqual([true, true, false, false, false, false]);
  expect(asked.map((text) => text.includes('id >'))).toEqual([false, false, true, true, true, false]);
  await create();
  expect(await read(reader, pageAt(12))).toMatchObject({ total: 13 });
  expect(asked.at(-1)).toContain('count(*)');
});

it('gives what is there, whatever is written between pages', async () => {
  const page = fc.record({
    offset: fc.nat({ max: 14 }),
    limit: fc.integer({ min: 1, max: 5 }),
    sortField: fc.constantFrom('id', 'id', 'id', 'title'),
    descending: fc.boolean(),
  });
  const steps = fc.array(
    fc.oneof({ weight: 6, arbitrary: fc.tuple(page, fc.boolean()) }, fc.constantFrom('create', 'delete', 'change')),
    { minLength: 5, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { reader } = remembering();
      const { lists: _lists, ...forgetful } = reader;
      for (const step of taken)
        if (step === 'create') await create();
        else if (step === 'delete') {
          const [gone] = accessions.length > 2 ? accessions.splice(1, 1) : [];
          if (gone !== undefined) await store.remove(gone);
        } else if (step === 'change') {
          const [uri = ''] = accessions;
          await store.update(uri, { ...(await store.read(uri)), title: `Gift ${count++}` });
        } else expect(await read(reader, ...step)).toEqual(await read(forgetful, ...step));
    }),
    { numRuns: 25 },
  );
});
