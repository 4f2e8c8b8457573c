// Flags and levels of nodes in step with their records.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { countChildren, placesOf } from '#store/trees/read.ts';
import { treeVersion } from '#store/trees/root.ts';
import { describeNode, matchVisibleEach, setSubtreeVisible, setVisible } from '#store/trees/visibility.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const hidden = async (ids: readonly number[]): Promise<readonly number[]> =>
  [...(await placesOf(forest.database.reader, { repoId: 2, code: 1 }, ids)).values()]
    .filter((place) => !place.visible)
    .map((place) => place.id)
    .toSorted((a, b) => a - b);

test('changes one node, a subtree or a whole tree, and says how many changed', async () => {
  const tree = await forest.plant(1, { 0: [11, 12], 12: [121, 122] });
  const all = [11, 12, 121, 122];
  expect(await forest.database.transaction((tx) => setVisible(tx, tree, [121, 999], false))).toBe(1);
  expect(await hidden(all)).toEqual([121]);
  expect(await forest.database.transaction((tx) => setSubtreeVisible(tx, tree, [12], false))).toBe(2);
  expect(await hidden(all)).toEqual([12, 121, 122]);
  expect(await forest.database.transaction((tx) => setSubtreeVisible(tx, tree, null, true))).toBe(3);
  expect(await countChildren(forest.database.reader, tree, 12, { publishedOnly: true })).toBe(2);
});

test('takes the flags from the records, whatever mixture they are', async () => {
  const tree = await forest.plant(2, { 0: [21, 22], 22: [221] });
  await forest.database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE record_flagged PARTITION OF record FOR VALUES IN ('flagged')`);
    await tx.run(
      sql`INSERT INTO record (kind, id, repo_id, publish, suppressed, body) VALUES ('flagged', 21, 2, true, true, '{}'), ('flagged', 22, 2, true, false, '{}'), ('flagged', 221, 2, false, false, '{}')`,
    );
    expect(await matchVisibleEach(tx, tree, 'flagged', [21, 22, 221])).toBe(2);
  });
  expect(await hidden([21, 22, 221])).toEqual([21, 221]);
  expect(await checkTrees(forest.database.reader, [{ code: 9, node: 'none', root: 'none' }])).toEqual([]);
});

test('takes the tree for itself only where the flag or level of a node changes', async () => {
  const tree = await forest.plant(3, { 0: [31] });
  const version = (): Promise<number | null> => treeVersion(forest.database.reader, tree);
  const before = (await version()) ?? 0;
  const old = { visible: true, level: 'file' };
  await forest.database.transaction((tx) => describeNode(tx, tree, { id: 31, ...old }, old));
  expect(await version()).toBe(before);
  await forest.database.transaction((tx) => describeNode(tx, tree, { id: 31, visible: false, level: 'item' }, old));
  expect(await version()).toBe(before + 1);
  expect(await hidden([31])).toEqual([31]);
});
