// Merges of resources with much directly below them, and their undoing: all is written but for trees before the first tree is taken, of however many resources, and with the trees taken it does not matter how much it is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import type { Written } from '#store/records/writing/write.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
import { counting } from '#test/support/count-statements.ts';
import { outside } from '#test/support/outside.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkTrees(store.database.reader, [{ code: 1, node: 'archival_object', root: 'resource' }])).toEqual([]);
  await store[Symbol.asyncDispose]();
});

let made = 0;
const body = (root: Written, parent?: Written) => ({
  title: `c${(made += 1)}`,
  level: 'file',
  ref_id: `r${made}`,
  resource: { ref: root.uri },
  ...(parent === undefined ? {} : { parent: { ref: parent.uri } }),
});
const add = (root: Written, parent?: Written): Promise<Written> => store.create('archival_object', body(root, parent));
const resource = async (count: number): Promise<{ readonly root: Written; readonly top: readonly Written[] }> => {
  const root = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const top = await store.database.transaction(async (tx) => {
    const all: Written[] = [];
    for (let n = 0; n < count; n++) all.push(await store.createIn(tx, 'archival_object', body(root), store.repoId));
    return all;
  });
  return { root, top };
};
const ids = (written: readonly Written[]): readonly number[] => written.map(({ id }) => id);
const topOf = (root: Written): Promise<readonly number[]> =>
  childrenIds(store.database.reader, treeUnder(archivalObject, store.repoId, root.id), null);

test('two resources come behind each other, and go back with what came below them, each as it was', async () => {
  const [kept, few, many] = [await resource(2), await resource(3), await resource(treeLimits.max + 8)];
  const [first, second] = many.top;
  const child = await add(many.root, first);
  let before = 0;
  const merged = await store.database.transaction(async (tx) => {
    const counted = counting(tx);
    await mergeRecords(
      counted.tx,
      {
        id: 1,
        what: 'resource',
        records: toMergeRecords('resource', kept.root.uri, [few.root.uri, many.root.uri], store.repoId),
        actor: 'tester',
        agentUri: null,
        selections: null,
      },
      { at: '2026-01-01T00:00:00Z', generatedValues, enumerations: await EnumerationCache.load(tx) },
      async () => {
        before = counted.count();
        // No tree is taken, of either.
        await outside(async () => {
          await add(kept.root);
          await add(kept.root, kept.top[0]);
        });
      },
    );
    return counted.count() - before;
  });
  expect(merged).toBeLessThanOrEqual(12);
  const [own, added] = [ids(kept.top), (await topOf(kept.root))[2] ?? 0];
  expect(await topOf(kept.root)).toEqual([...own, added, ...ids(few.top), ...ids(many.top)]);
  expect((await store.read(child.uri))['resource']).toEqual({ ref: kept.root.uri });

  // Work among those that came, and below them.
  const move = (position: number, nodes: readonly number[]): Promise<unknown> =>
    store.database.transaction((tx) =>
      moveRecords(
        tx,
        kindNamed('archival_object'),
        store.repoId,
        kept.root.id,
        { parentId: null, position, ids: nodes },
        'tester',
      ),
    );
  const late = await add(kept.root);
  await move(4, [late.id, second?.id ?? 0]);
  const below = await add(kept.root, second);
  const undone = await store.database.transaction(async (tx) => {
    const counted = counting(tx);
    await undoMerge(counted.tx, 1, 'tester', {
      beforeTrees: async ({ restored }) => {
        expect(restored).toEqual([few.root.uri, many.root.uri]);
        before = counted.count();
        // Who adds to what stays waits for its record; who moves what it had does not wait for its tree yet.
        await outside(() => move(0, [added]));
      },
    });
    return counted.count() - before;
  });
  expect(undone).toBeLessThanOrEqual(16);
  expect(await topOf(kept.root)).toEqual([added, ...own, late.id]);
  expect(await topOf(few.root)).toEqual(ids(few.top));
  expect(await topOf(many.root)).toEqual(ids(many.top));
  for (const { uri } of [child, below, ...many.top.slice(0, 2), ...many.top.slice(-2)])
    expect((await store.read(uri))['resource']).toEqual({ ref: many.root.uri });
  // An identifier is told apart in its resource: it is free in the other again.
  const { ref_id: refId } = await store.read(child.uri);
  await store.create('archival_object', { ...body(kept.root), ref_id: refId ?? '' });
  await expect(store.create('archival_object', { ...body(many.root), ref_id: refId ?? '' })).rejects.toMatchObject({
    code: 'not_unique',
  });
});
