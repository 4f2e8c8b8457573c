// What becomes of a record that was read twice while an index is made beside the live one: batch by batch, in an order of our own.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { makeDocuments } from '#domain/search/documents/material.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { createIndexMemory, writeBatch } from '#store/search/batch.ts';
import type { Lane } from '#store/search/pending.ts';
import { readMaterial } from '#store/search/material.ts';
import { dropRebuild, finishRebuild } from '#store/search/postgres/rebuild.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import { enqueueReindex } from '#store/search/reindex.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { markSuppressed } from '#test/support/index-contents.ts';
import { column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
beforeEach(() => store.database.transaction((tx) => dropRebuild(tx)));
afterAll(() => store[Symbol.asyncDispose]());

let made = 0;
async function create(title: string): Promise<{ readonly uri: string; readonly key: RecordKey }> {
  const { uri, id } = await store.create('resource', resourceBody(`W${made++}`, { title, publish: true }));
  await sequenceChanges(store.database);
  return { uri, key: { kind: 'resource', id } };
}
async function retitle(uri: string, title: string): Promise<void> {
  await store.update(uri, { ...(await store.read(uri)), title });
  await sequenceChanges(store.database);
}

/** Reads a record as a batch of a lane does; what it gives writes the batch. */
async function read(lane: Lane, key: RecordKey): Promise<() => Promise<unknown>> {
  const material = await store.database.transaction((tx) => readMaterial(tx, [key]));
  const batch = { lane, taken: [key], read: material, packed: makeDocuments(material.material) };
  return () =>
    store.database.transaction((tx) => writeBatch(tx, batch, createIndexMemory(), { keepsUnchanged: lane !== 2 }));
}
const index = async (lane: Lane, key: RecordKey): Promise<unknown> => (await read(lane, key))();

async function begin(): Promise<number> {
  return store.database.transaction(async (tx) => {
    const { jobId } = await enqueueJob(tx, reindex, { kinds: null, repoId: null, rewrite: true });
    await enqueueReindex(tx, jobId, { kinds: ['resource'], repoId: null, rewrite: true, isRebuild: true });
    // Batches of this test are read one by one.
    await tx.run(sql`DELETE FROM reindex_fan WHERE lane = 2`);
    return jobId;
  });
}
const finish = (jobId: number): Promise<void> =>
  finishRebuild(store.database, jobId, new AbortController().signal, () => undefined);
const titleOf = async ({ id }: RecordKey): Promise<readonly string[]> =>
  (
    await store.database.reader.any(sql.type(z.strictObject({ title: column.text }))`
      SELECT b.stored->>'title' AS title FROM search_doc d JOIN search_body b USING (no) WHERE d.kind = 'resource' AND d.record_id = ${id}`)
  ).map(({ title }) => title);
/** Whether the record is due in lane 0 once more. */
const isDueAgain = async ({ id }: RecordKey): Promise<boolean> =>
  (
    await store.database.reader.one(sql.type(z.strictObject({ is: column.bool }))`
      SELECT EXISTS (SELECT FROM reindex_fan WHERE lane = 0 AND kind = 'resource' AND ids @> ARRAY[${id}::int]) AS is`)
  ).is;

it('the live one counts where it was read later', async () => {
  const { uri, key } = await create('First');
  await index(0, key);
  const job = await begin();
  await index(2, key);
  await retitle(uri, 'Second');
  await index(0, key);
  await finish(job);
  expect([await titleOf(key), await isDueAgain(key)]).toEqual([['Second'], false]);
});

it('the one beside counts where that was read later, whichever was written later', async () => {
  const { uri, key } = await create('First');
  const job = await begin();
  const writeLive = await read(0, key);
  await retitle(uri, 'Second');
  await index(2, key);
  await writeLive();
  await finish(job);
  expect([await titleOf(key), await isDueAgain(key)]).toEqual([['Second'], false]);
});

it('what was read beside while it was otherwise for a moment does not count', async () => {
  const { uri, key } = await create('First');
  const job = await begin();
  await index(0, key);
  await store.database.transaction((tx) =>
    tx.run(sql`CREATE TABLE as_it_was AS SELECT * FROM record WHERE kind = 'resource' AND id = ${key.id}`),
  );
  await retitle(uri, 'Second');
  await index(2, key);
  // As one that gets back a published ancestor, say: what is read now is just what is stored, and later than what was read beside.
  await store.database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM record WHERE kind = 'resource' AND id = ${key.id}`);
    await tx.run(sql`INSERT INTO record SELECT * FROM as_it_was`);
    await tx.run(sql`DROP TABLE as_it_was`);
  });
  await index(0, key);
  await finish(job);
  expect(await titleOf(key)).toEqual(['First']);
});

it('one of an earlier edition does not count, and the record is due again', async () => {
  const { uri, key } = await create('First');
  const writeLive = await read(0, key);
  const job = await begin();
  await retitle(uri, 'Second');
  await index(2, key);
  await writeLive();
  await finish(job);
  expect([await titleOf(key), await isDueAgain(key)]).toEqual([['Second'], true]);
});

it('one that nobody read beside is taken as it is, also of an earlier edition, but then it is due again', async () => {
  const [{ key }, { key: early }] = [await create('First'), await create('Other')];
  const writeEarly = await read(0, early);
  const job = await begin();
  await writeEarly();
  await index(0, key);
  await finish(job);
  expect([await titleOf(key), await isDueAgain(key), await titleOf(early), await isDueAgain(early)]).toEqual([
    ['First'],
    false,
    ['Other'],
    true,
  ]);
});

it('a record that was deleted is in neither, also where the live index never had it', async () => {
  const { uri: shown, key: known } = await create('First');
  await index(0, known);
  const { uri, key: unknown } = await create('Other');
  const job = await begin();
  for (const key of [known, unknown]) await index(2, key);
  for (const one of [shown, uri]) await store.remove(one);
  for (const key of [known, unknown]) await index(0, key);
  await finish(job);
  expect([await titleOf(known), await titleOf(unknown)]).toEqual([[], []]);
});

it('what was hidden stays hidden until it is indexed again', async () => {
  const { key } = await create('First');
  await index(0, key);
  const job = await begin();
  await index(2, key);
  await store.database.transaction((tx) => markSuppressed(tx, 'resource', [key.id]));
  await finish(job);
  expect(
    await store.database.reader.any(sql.type(AnyRow)`
      SELECT suppressed, published FROM search_doc WHERE kind = 'resource' AND record_id = ${key.id}`),
  ).toEqual([{ suppressed: true, published: false }]);
  expect(await isDueAgain(key)).toBe(true);
});
