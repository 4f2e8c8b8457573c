// Reads of places: previous nodes, unknown ids, and the plans of the hot statements among 100,000 siblings.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '#store/connection/database.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import type { Query } from '#store/connection/sql.ts';
import { kindNamed } from '#domain/addresses.ts';
import { siblingsStatement, treePlace } from '#store/records/reading/computed/tree-place.ts';
import {
  childrenIds,
  countChildren,
  pathsFromRoot,
  placesOf,
  positionsOf,
  previousNode,
  previousShownNode,
  subtreeIds,
  waypoint,
  waypointQuery,
} from '#store/trees/read.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { deleteSubtree } from '#store/trees/delete.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { moveNodes } from '#store/trees/move.ts';
import { setSubtreeVisible, setVisible } from '#store/trees/visibility.ts';
import { PlanRow } from '#test/support/rows.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
let wide: Tree;
beforeAll(async () => {
  forest = await openForest();
  // Ten thousand small lists beside the large one, as a database in use has.
  const small = sql.fragment`SELECT i AS id, 9 AS root_id, CASE WHEN i > 2010000 THEN i - 10000 END AS parent_id, i AS position, i AS seq, true AS visible, 'file' AS level
    FROM generate_series(2000001, 2020000) i`;
  await forest.database.transaction((tx) => bulkLoadTree(tx, { repoId: 2, code: 1 }, small, { keepsPositions: true }));
  wide = await forest.plantWide(1, 1_000_001, 100_000);
});
afterAll(() => forest[Symbol.asyncDispose]());

describe('places', () => {
  test('of nodes, their roots and parents are read in sets; unknown ids are left out', async () => {
    const tree = await forest.plant(2, { 0: [21, 22], 22: [221, 222] });
    const { reader } = forest.database;
    expect(await positionsOf(reader, tree, [222, 21, 999])).toEqual(
      new Map([
        [222, 1],
        [21, 0],
      ]),
    );
    expect((await placesOf(reader, tree, [221, 999])).get(221)).toEqual({
      id: 221,
      root_id: 2,
      parent_id: 22,
      visible: true,
    });
    expect(await pathsFromRoot(reader, tree, [222, 21, 999])).toEqual(
      new Map([
        [222, { rootId: 2, ancestors: [22], visible: true }],
        [21, { rootId: 2, ancestors: [], visible: true }],
      ]),
    );
    expect((await subtreeIds(reader, tree, [22])).toSorted()).toEqual([22, 221, 222]);
    expect((await subtreeIds(reader, tree, null)).length).toBe(4);
    expect(await childrenIds(reader, tree, 21)).toEqual([]);
  });

  test('before a node are its sibling, else its parent, else none', async () => {
    const tree = await forest.plant(3, { 0: [31, 32], 32: [321, 322] });
    const { reader } = forest.database;
    expect([
      await previousNode(reader, tree, 322),
      await previousNode(reader, tree, 321),
      await previousNode(reader, tree, 31),
    ]).toEqual([321, 32, null]);
    expect(await previousNode(reader, wide, 1_000_385)).toBe(1_000_384);
  });

  test('before a node is the nearest sibling that is not suppressed, however far back', async () => {
    const tree = await forest.plant(5, { 0: [51], 51: [511, 512] });
    const { database } = forest;
    await database.transaction((tx) =>
      tx.run(sql`INSERT INTO record (kind, id, repo_id, suppressed, body)
        SELECT 'archival_object', id, 2, id NOT IN (51, 1000001), '{}' FROM unnest(ARRAY[51, 511, 512, 1000001, 1000900]) AS id`),
    );
    const before = (place: Tree, id: number): Promise<number | null> =>
      previousShownNode(database.reader, { ...place, kindName: 'archival_object' }, id);
    expect([await before(wide, 1_001_000), await before(wide, 1_000_001)]).toEqual([1_000_001, null]);
    expect([await before(tree, 512), await before(tree, 51)]).toEqual([51, null]);
  });

  test('count hidden siblings unless published only', async () => {
    const tree = await forest.plant(4, { 0: [41, 42, 43] });
    await forest.database.transaction((tx) => setVisible(tx, tree, [41], false));
    const { reader } = forest.database;
    expect(await positionsOf(reader, tree, [43])).toEqual(new Map([[43, 2]]));
    expect(await positionsOf(reader, tree, [43], { publishedOnly: true })).toEqual(new Map([[43, 1]]));
    expect(await countChildren(reader, tree, null, { publishedOnly: true })).toBe(2);
    expect((await waypoint(reader, tree, null, 0, { publishedOnly: true })).map((node) => node.id)).toEqual([42, 43]);
  });
});

describe('among 100,000 siblings', () => {
  test('a window reads no more than its own buckets, at the end as at the start', async () => {
    for (const [start, publishedOnly] of [
      [0, false],
      [99_800, false],
      [99_800, true],
    ] as const) {
      const plan = await explain(waypointQuery(wide, null, start, { publishedOnly }));
      expect(plan).not.toContain('Seq Scan');
      expect(plan).toContain('tree_node_order');
      // Some 260 bucket rows, two buckets of nodes and 200 child counts; the whole list would be thousands of pages.
      expect(pagesRead(plan)).toBeLessThan(2500);
    }
    expect((await waypoint(forest.database.reader, wide, null, 499)).map((node) => node.position)).toEqual(
      Array.from({ length: 200 }, (_, i) => 99_800 + i),
    );
  });

  test('the place of a record is read from indexes alone', async () => {
    const place = treePlace(kindNamed('archival_object'), { places: 'positions' });
    const plan = await explain({ sql: `SELECT ${place} FROM (SELECT 2 AS repo_id, 1099999 AS id) r`, values: [] });
    expect(plan).not.toMatch(/Seq Scan on tree_/);
    expect(pagesRead(plan)).toBeLessThan(700);
  });

  test('the siblings whose positions are remembered are those of one bucket, read from indexes alone', async () => {
    const plan = await explain({
      sql: siblingsStatement(kindNamed('archival_object'), 1).replace('$1', "'{1099999}'"),
      values: [],
    });
    expect(plan).not.toMatch(/Seq Scan on tree_/);
    expect(pagesRead(plan)).toBeLessThan(700);
  });

  test('every statement of reads, inserts, moves, cascades and deletes goes through an index', async () => {
    const statements: Query[] = [];
    await forest.database.transaction(async (tx) => {
      const watched = {
        ...tx,
        any: watch(statements, tx.any),
        one: watch(statements, tx.one),
        maybeOne: watch(statements, tx.maybeOne),
        run: watch(statements, tx.run),
      };
      await insertNodes(watched, wide, { parentId: null, position: 50_000 }, [{ id: 5, visible: true, level: null }]);
      await moveNodes(watched, wide, { parentId: null, position: 3, ids: [1_090_000] });
      await moveNodes(watched, wide, { parentId: 1_000_001, position: 0, ids: [1_080_000, 1_070_000] });
      await setSubtreeVisible(watched, wide, [1_060_000], false);
      await deleteSubtree(watched, wide, [1_060_001]);
      await positionsOf(watched, wide, [1_090_001]);
      await previousNode(watched, wide, 1_090_001);
      await pathsFromRoot(watched, wide, [1_090_001]);
      for (const statement of statements.filter((query) => !query.sql.includes('INSERT INTO'))) {
        expect(await explainIn(tx, statement), toStatement(statement)).not.toContain('Seq Scan on tree_node');
        expect(await explainIn(tx, statement), toStatement(statement)).not.toContain('Seq Scan on tree_bucket');
      }
    });
    expect(statements.length).toBeGreaterThan(20);
  });
});

function watch<A extends Query, R>(into: Query[], run: (query: A) => R): (query: A) => R {
  return (query) => {
    into.push(query);
    return run(query);
  };
}

const explain = (query: Query): Promise<string> => explainIn(forest.database.reader, query);

async function explainIn(reader: Reader, query: Query): Promise<string> {
  const isRead = !/UPDATE|DELETE/.test(query.sql);
  const rows = await reader.any({
    sql: `EXPLAIN (${isRead ? 'ANALYZE, BUFFERS, ' : ''}COSTS off) ${query.sql}`,
    values: query.values,
    parser: PlanRow,
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// The first line of buffers is that of the whole statement.
function pagesRead(plan: string): number {
  const line = /Buffers: shared (.*)/.exec(plan)?.[1] ?? '';
  return [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, found) => sum + Number(found[1]), 0);
}
