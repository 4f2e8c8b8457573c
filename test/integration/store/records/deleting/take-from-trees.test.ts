// Places of records that go: what is below nodes first, the nodes when their trees are taken, whole trees with their roots.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { emptyTrees, takeFromTrees } from '#store/records/deleting/take-from-trees.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { subtreeIds } from '#store/trees/read.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let made = 0;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

/** A resource with two components, the first of which has one below it. */
async function tree() {
  const root = await store.create('resource', resourceBody(`T${(made += 1)}`));
  const node = async (parent?: string): Promise<{ readonly id: number; readonly uri: string }> =>
    store.create('archival_object', {
      title: 'N',
      level: 'file',
      resource: { ref: root.uri },
      ...(parent === undefined ? {} : { parent: { ref: parent } }),
    });
  const top = await node();
  return { root: root.id, top: top.id, below: (await node(top.uri)).id, beside: (await node()).id };
}

test('of several trees, in one transaction: nodes with what is below them, and a whole one', async () => {
  const [one, two, whole] = [await tree(), await tree(), await tree()];
  const wanted = [
    { kind: archivalObject, id: one.top },
    // Named beside one that it is below.
    { kind: archivalObject, id: one.below },
    { kind: archivalObject, id: two.beside },
    { kind: resource, id: whole.root },
  ];
  const idsIn = (root: number): Promise<readonly number[]> =>
    subtreeIds(store.database.reader, treeUnder(archivalObject, store.repoId, root), null);
  const { emptied, taken } = await store.database.transaction(async (tx) => {
    const first = await emptyTrees(tx, wanted, store.repoId);
    return { emptied: first, taken: await takeFromTrees(tx, wanted, store.repoId, first) };
  });
  expect(emptied.gone.map(({ kind, ids }) => [kind.name, ids])).toEqual([['archival_object', [one.below]]]);
  const doomed = Object.fromEntries(taken.doomed.map(({ kind, ids }) => [kind.name, ids.toSorted((a, b) => a - b)]));
  expect(doomed).toEqual({
    archival_object: [one.top, one.below, two.beside, whole.top, whole.below, whole.beside].sort((a, b) => a - b),
    resource: [whole.root],
  });
  expect(taken.roots.map(({ kind, ids }) => [kind.name, ids])).toEqual([['resource', [one.root, two.root]]]);
  expect(await idsIn(one.root)).toEqual([one.beside]);
  expect((await idsIn(two.root)).toSorted((a, b) => a - b)).toEqual([two.top, two.below]);
  expect(await idsIn(whole.root)).toEqual([]);
});
