// A record that is due in both lanes while the index has nothing of it: its first documents are of one batch, whichever comes first.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDocuments } from '#domain/search/documents/material.ts';
import { adoptCluster, sequenceChanges } from '#store/change-log/sequencer.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createIndexMemory, writeBatch } from '#store/search/batch.ts';
import { claimPending } from '#store/search/claim.ts';
import { readMaterial } from '#store/search/material.ts';
import type { Lane } from '#store/search/pending.ts';
import { enqueue } from '#store/search/pending.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import { writersOf } from '#test/support/index-contents.ts';
import { doneOrWaiting } from '#test/support/lock-waits.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';

let store: RecordStore;
// Another process: transactions of one do not nest.
let other: Database;
let repoId: number;
beforeAll(async () => {
  store = await openRecordStore();
  other = new Database({ url: store.databaseUrl, poolSize: 1 });
  await adoptCluster(store.database);
  repoId = (await store.create('repository', { repo_code: 'OPEN', name: 'Open to all', publish: true })).id;
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const everybody = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;

/** What is done by another process when a batch has read its records, and when it has written their documents and not committed yet. */
type Meanwhile = { read?(): Promise<void>; written?(): Promise<void> };

/** A batch of a lane, as the indexer runs it. Gives the ids that it took. */
const runBatch = async (lane: Lane, meanwhile?: Meanwhile): Promise<readonly number[]> =>
  (meanwhile === undefined ? store.database : other).transaction(async (tx) => {
    const taken = await claimPending(tx, lane, 100, 0);
    if (taken.length === 0) return [];
    const read = await readMaterial(tx, taken);
    await meanwhile?.read?.();
    const packed = makeDocuments(read.material);
    await writeBatch(tx, { lane, taken, read, packed }, createIndexMemory(), { keepsUnchanged: false });
    await meanwhile?.written?.();
    return taken.map(({ id }) => id);
  });

async function due(lane: Lane, record: RecordKey): Promise<void> {
  await sequenceChanges(store.database);
  await store.database.transaction((tx) => enqueue(tx, lane, [record]));
}

const lanesOf = ({ kind, id }: RecordKey): Promise<readonly unknown[]> =>
  store.database.reader.any(
    sql.type(AnyRow)`SELECT lane FROM reindex_due WHERE kind = ${kind} AND id = ${id} ORDER BY lane`,
  );

/** The documents of a record: ids and audiences (1: staff alone). */
const documentsOf = async (uri: string): Promise<readonly string[]> =>
  [...(await writersOf(store.database)).keys()].filter((document) => document.startsWith(uri));

async function made(title: string): Promise<{ readonly uri: string; readonly key: RecordKey; hide(): Promise<void> }> {
  const { uri, id } = await store.create('resource', resourceBody(title, { title, publish: true }), repoId);
  const hide = async (): Promise<void> => {
    await store.update(uri, { ...(await store.read(uri)), publish: false });
    await sequenceChanges(store.database);
  };
  return { uri, key: { kind: 'resource', id }, hide };
}

test('lane 0 waits for a batch of lane 1 that read the record before it was hidden', async () => {
  const { uri, key, hide } = await made('Read too early');
  await due(1, key);
  let late: Promise<readonly number[]> = Promise.resolve([]);
  const early = await runBatch(1, {
    read: hide,
    written: async () => {
      await due(0, key);
      late = runBatch(0);
      await doneOrWaiting(store.database, late);
    },
  });
  expect([early, await late]).toEqual([[key.id], [key.id]]);
  expect(await documentsOf(uri)).toEqual([`${uri} 1`]);
  expect(await postgresSearch(store.database).read([uri], { ...everybody, mayNotSeeUnpublished: true })).toEqual([]);
});

test('lane 1 leaves to lane 0 what waits there, and what a batch of it has', async () => {
  const { key } = await made('Taken off both');
  await due(0, key);
  await due(1, key);
  expect(await runBatch(1)).toEqual([]);
  expect(await runBatch(0)).toEqual([key.id]);
  expect(await lanesOf(key)).toEqual([]);

  const next = await made('Read by the other');
  await due(0, next.key);
  await runBatch(0, {
    read: next.hide,
    written: async () => {
      await due(1, next.key);
      expect(await runBatch(1)).toEqual([]);
    },
  });
  expect(await documentsOf(next.uri)).toEqual([`${next.uri} 0`]);
  // The index has it now: lane 0 need not come first.
  await due(0, next.key);
  expect(await runBatch(1)).toEqual([next.key.id]);
  expect(await documentsOf(next.uri)).toEqual([`${next.uri} 1`]);
  await runBatch(0);
});

test('what has documents is taken by both, and neither waits', async () => {
  const { uri, key } = await made('Known already');
  const fresh = await made('New beside it');
  await due(0, key);
  await runBatch(0);
  await due(0, key);
  await due(1, key);
  await due(0, fresh.key);
  await runBatch(1, {
    written: async () => {
      const claimed = await store.database.transaction((tx) => claimPending(tx, 0, 100, 0));
      expect(claimed.map(({ id }) => id).sort((a, b) => a - b)).toEqual([key.id, fresh.key.id]);
    },
  });
  expect(await documentsOf(uri)).toEqual([`${uri} 0`]);
});
