// Batches that read records before these were deleted, and write after the deletion was indexed: no document comes back.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adoptCluster, sequenceChanges } from '#store/change-log/sequencer.ts';
import { makeDocuments } from '#domain/search/documents/material.ts';
import type { Batch } from '#store/search/batch.ts';
import { createIndexMemory, writeBatch } from '#store/search/batch.ts';
import { readMaterial } from '#store/search/material.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
  await adoptCluster(store.database);
});
afterAll(() => store[Symbol.asyncDispose]());

async function read(taken: readonly RecordKey[]): Promise<Batch> {
  // What is hidden until the index has come to it is not hidden any more then.
  await sequenceChanges(store.database);
  const material = await store.database.transaction((tx) => readMaterial(tx, taken));
  return { lane: 0, taken, read: material, packed: makeDocuments(material.material) };
}

const write = (batch: Batch): Promise<unknown> =>
  store.database.transaction((tx) => writeBatch(tx, batch, createIndexMemory(), { keepsUnchanged: false }));

const made = async (title: string): Promise<{ readonly uri: string; readonly key: RecordKey }> => {
  const { uri, id } = await store.create('resource', resourceBody(title, { title }));
  return { uri, key: { kind: 'resource', id } };
};

it.each([
  ['by itself', false],
  ['beside one that was gone already', true],
])('a record that was read %s', async (name, isBeside) => {
  const [late, early] = [await made(`Late ${name}`), await made(`Early ${name}`)];
  await write(await read([late.key, early.key]));
  await store.remove(early.uri);
  const batch = await read(isBeside ? [late.key, early.key] : [late.key]);
  await store.remove(late.uri);
  await write(await read([late.key, early.key]));
  await write(batch);
  const everything = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;
  expect(await postgresSearch(store.database).read([late.uri, early.uri], everything)).toEqual([]);
});
