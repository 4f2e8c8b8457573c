// Several sessions at one tree: writers of one root take turns, readers never see half a move, a killed session leaves no trace.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NumberRow, column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { childrenIds } from '#store/trees/read.ts';
import { createRoot, lockTree, treeVersion } from '#store/trees/root.ts';
import { patience } from '#test/support/patience.ts';
import { openForest, treeOfRoot } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const move = (rootId: number, position: number, ids: readonly number[]): Promise<readonly number[]> =>
  forest.database.transaction((tx) => moveNodes(tx, treeOfRoot(rootId), { parentId: null, position, ids }));

// Resolves once another session waits for a lock.
async function someoneWaits(): Promise<void> {
  const pause = patience();
  for (;;) {
    const row = await forest.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    if (row.n > 0) return;
    await pause();
  }
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

test('makes a root once, however often it is asked to', async () => {
  await forest.database.transaction((tx) => createRoot(tx, treeOfRoot(90)));
  await forest.database.transaction((tx) => createRoot(tx, treeOfRoot(90)));
  expect(await treeVersion(forest.database.reader, treeOfRoot(90))).toBe(0);
});

test('lets two movers of one root take turns, and both moves hold', async () => {
  const tree = await forest.plant(1, { 0: [11, 12, 13, 14] });
  const [locked, release] = [gate(), gate()];
  const first = forest.database.transaction(async (tx) => {
    await moveNodes(tx, tree, { parentId: null, position: 3, ids: [11] });
    locked.open();
    await release.opened;
  });
  await locked.opened;
  const second = move(1, 0, [14]);
  await someoneWaits();
  // A reader does not wait, and sees the state before.
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([11, 12, 13, 14]);
  release.open();
  await Promise.all([first, second]);
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([14, 12, 13, 11]);
});

test('lets movers of two roots go on beside each other', async () => {
  await forest.plant(2, { 0: [21, 22] });
  const other = await forest.plant(3, { 0: [31, 32] });
  const [locked, release] = [gate(), gate()];
  const first = forest.database.transaction(async (tx) => {
    await lockTree(tx, treeOfRoot(2));
    locked.open();
    await release.opened;
  });
  await locked.opened;
  await move(3, 1, [31]);
  expect(await childrenIds(forest.database.reader, other, null)).toEqual([32, 31]);
  release.open();
  await first;
});

test('keeps all nodes in one order while many sessions move and read', async () => {
  const tree = await forest.plantWide(4, 100_000, 1500);
  let isMoving = true;
  const torn: number[] = [];
  const reading = (async () => {
    while (isMoving) {
      const ids = await childrenIds(forest.database.reader, tree, null);
      if (new Set(ids).size !== 1500) torn.push(ids.length);
    }
  })();
  const mover = async (start: number): Promise<void> => {
    for (let i = 0; i < 60; i++)
      await move(
        4,
        (i * 37 + start * 400) % 1500,
        [0, 1, 2].map((k) => 100_000 + ((i * 101 + start * 331 + k * 7) % 1500)),
      );
  };
  await Promise.all([mover(0), mover(1), mover(2), mover(3)]);
  isMoving = false;
  await reading;
  expect(torn).toEqual([]);
  expect(await treeVersion(forest.database.reader, tree)).toBeGreaterThan(200);
});

test('leaves the tree as it was when the session is killed in mid-move', async () => {
  const tree = await forest.plantWide(5, 200_000, 1200);
  const rows = sql.type(
    z.strictObject({ hash: column.text }),
  )`SELECT md5(string_agg(t::text, ',' ORDER BY t.id)) AS hash FROM tree_node t WHERE root_id = 5`;
  const before = await forest.database.reader.one(rows);
  const moving = forest.database.transaction(async (tx) => {
    await moveNodes(tx, tree, { parentId: 200_000, position: 0, ids: [200_500, 201_199, 200_001] });
    // Without a listener a lent connection that dies ends the process: what the pool does about it is tested with the pool.
    tx.client.on('error', () => undefined);
    const { pid } = await tx.one(sql.type(z.strictObject({ pid: column.int }))`SELECT pg_backend_pid() AS pid`);
    const killer = new pg.Client({ connectionString: forest.database.settings.url });
    await killer.connect();
    await killer.query('SELECT pg_terminate_backend($1)', [pid]);
    await killer.end();
    await tx.run(sql`SELECT 1`);
  });
  await expect(moving).rejects.toThrow();
  expect(await forest.database.reader.one(rows)).toEqual(before);
  expect(await move(5, 0, [201_199])).toEqual([201_199]);
  expect((await childrenIds(forest.database.reader, tree, null))[0]).toBe(201_199);
});
