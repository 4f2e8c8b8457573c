// Windows and moves in trees: the last window of 100,000 siblings against the first, a move among 100,000 against one among 100,
// and what the place of a record adds to reading it. Targets are ratios, for the machine is whatever it is.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { moveNodes } from '#store/trees/move.ts';
import { treePlace } from '#store/records/reading/computed/tree-place.ts';
import { waypoint } from '#store/trees/read.ts';
import { readOutline } from '#store/trees/outline.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer } from './bench.ts';

const largeCount = 100_000;
const first = 1_000_001;
const treeOfRoot = (rootId: number): Tree => ({
  repoId: 2,
  code: 1,
  rootId,
  nodeModel: 'ArchivalObject',
  rootModel: 'Resource',
});

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes about 20 s. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 2 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    // Awaited here: without it the database would be closed before the first measurement.
    return await measure(database);
  });
}

async function measure(database: Database): Promise<readonly BenchRow[]> {
  const [small, large] = [treeOfRoot(1), treeOfRoot(2)];
  await plant(database, small, 1, 100);
  const loadMs = await timed(() => plant(database, large, first, largeCount));
  await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE) tree_node, tree_bucket`);

  const { reader } = database;
  const lastWindow = largeCount / 200 - 1;
  // Turn about, so that whatever else the machine does meets both sides alike.
  const [windowFirst = 0, windowLast = 0] = await medians(200, [
    () => waypoint(reader, large, null, 0),
    () => waypoint(reader, large, null, lastWindow),
  ]);
  // Multiples of an irrational number never come round, so hardly a move finds its node in place.
  const somewhere = (i: number, count: number): number => Math.floor(((i * Math.SQRT2) % 1) * count);
  const move = (tree: Tree, from: number, count: number, i: number): Promise<unknown> =>
    database.transaction((tx) =>
      moveNodes(tx, tree, { parentId: null, position: somewhere(i, count), ids: [from + somewhere(i * 7 + 3, count)] }),
    );
  const [moveSmall = 0, moveLarge = 0] = await medians(300, [
    (i) => move(small, 1, 100, i),
    (i) => move(large, first, largeCount, i),
  ]);
  const place = (id: number): Promise<unknown> =>
    reader.named(
      {
        name: 'bench_place',
        text: `SELECT ${treePlace(kindNamed('archival_object'), { places: 'positions' })} FROM (SELECT 2 AS repo_id, u.id FROM generate_series($1::int, $1::int + 49) u(id)) r`,
        parser: z.unknown(),
      },
      [id],
    );
  const [placeSmall = 0, placeLarge = 0] = await medians(100, [
    (i) => place(1 + (i % 50)),
    (i) => place(first + ((i * 997) % (largeCount - 50))),
  ]);
  const walkMs = await timed(async () => {
    await readOutline(reader, large);
  });
  return [
    compared('waypoint, last of 100,000 siblings against the first', windowLast, windowFirst, 1.5),
    compared('move among 100,000 siblings against among 100', moveLarge, moveSmall, 2),
    compared('place of a record among 100,000 siblings against among 100 (50 rows)', placeLarge, placeSmall, 5),
    { name: `bulk load of 100,000 siblings into buckets of ${treeLimits.target}`, value: round(loadMs), unit: 'ms' },
    { name: 'outline of 100,000 nodes', value: round(walkMs), unit: 'ms' },
  ];
}

async function plant(database: Database, tree: Tree, firstId: number, count: number): Promise<void> {
  const source = sql.fragment`SELECT i AS id, ${tree.rootId}::int AS root_id, NULL::int AS parent_id, i AS position, i AS seq, true AS visible, 'file' AS level
    FROM generate_series(${firstId}::int, ${firstId + count - 1}::int) i`;
  await database.transaction((tx) => bulkLoadTree(tx, tree, source, { keepsPositions: true }));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medians(
  rounds: number,
  works: readonly ((i: number) => Promise<unknown>)[],
): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let i = 0; i < rounds; i++) {
    for (const [k, work] of works.entries()) times[k]?.push(await timed(() => work(i)));
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);
}

function compared(name: string, value: number, baseline: number, target: number): BenchRow {
  const ratio = value / baseline;
  return {
    name,
    value: round(value),
    unit: 'ms',
    baseline: round(baseline),
    ratio: round(ratio),
    target,
    pass: ratio <= target,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

if (import.meta.main) console.table(await run());
