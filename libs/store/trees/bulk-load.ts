// Loading many nodes at once, for batch import. Lists of what the batch itself brings are written by one INSERT … SELECT before any tree is taken; new nodes of lists that others may be at work in are put there when the trees
// are taken (decision 0037). Bodies, links and checks of records are none of its business.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { layLong, ListRow, placeAllLong, spliceList } from './bulk-lists.ts';
import { idArray, inScope } from './conditions.ts';

/** What was loaded: nodes written, the roots they are in, and the lists that existed before. */
export type Loaded = { readonly nodes: number; readonly roots: readonly number[]; readonly splicedLists: number };

/** A load whose trees are still to be taken. */
export type PreparedLoad = { readonly place: () => Promise<Loaded> };

/** prepareLoad and its end in one. */
export const bulkLoadTree = async (
  tx: Transaction,
  scope: TreeScope,
  source: Fragment,
  options: LoadOptions,
): Promise<Loaded> => (await prepareLoad(tx, scope, source, options)).place();

type LoadOptions = { readonly keepsPositions: boolean; readonly limits?: TreeLimits };

/**
 * Puts the rows of `source` into trees: a SELECT of id int, root_id int, parent_id int (null: under the root), position int or
 * null, seq (order in the file), visible bool, level text. Siblings stand by position, then seq, those without a position last; gaps
 * vanish. New children of a list that exists are appended and, with `keepsPositions`, moved to their positions one by one (contract
 * 1.9). Parents may be staged or exist. Trees that have no root row yet get one. What hangs on what the batch brings, and many nodes for one place of a list, are laid here; the rest by `place`, which has to follow in the same
 * transaction and takes the trees that existed, smaller ids first. One load of a kind of nodes at a time.
 *
 * Fails with `bad_parameter` on `parent` where a parent is not in the same tree, or the staged nodes form a cycle; `place` where a parent left it meanwhile.
 */
export async function prepareLoad(
  tx: Transaction,
  scope: TreeScope,
  source: Fragment,
  { keepsPositions, limits = treeLimits }: LoadOptions,
): Promise<PreparedLoad> {
  // Of its own name for each kind, as the loads of several may wait for their ends.
  const [stage, late] = [table('stage', scope), table('late', scope)];
  await tx.run(sql`DROP TABLE IF EXISTS ${stage}, ${late}`);
  await tx.run(
    sql`CREATE TEMP TABLE ${stage} ON COMMIT DROP AS SELECT id, root_id, parent_id, position, seq, visible, level FROM (${source}) source`,
  );
  await tx.run(sql`ANALYZE ${stage}`);
  const roots = (await tx.any(sql.type(RootIdRow)`SELECT DISTINCT root_id FROM ${stage} ORDER BY root_id`)).map(
    (row) => row.root_id,
  );
  const own = new Set(await createRoots(tx, scope, roots));
  const existing = roots.filter((id) => !own.has(id));
  if (existing.length === 0) {
    const nodes = await loadLists(tx, scope, stage, sql.fragment`true`, limits);
    await refuseStrays(tx, scope, stage);
    return { place: async () => ({ nodes, roots, splicedLists: 0 }) };
  }
  await tx.run(sql`
    CREATE TEMP TABLE ${late} ON COMMIT DROP AS SELECT s.* FROM ${stage} s LEFT JOIN ${stage} p ON p.id = s.parent_id AND p.root_id = s.root_id
    WHERE s.root_id = ANY(${idArray(existing)}) AND (p.id IS NULL OR EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = s.root_id AND b.list_id = s.parent_id))`);
  await tx.run(sql`ANALYZE ${late}`);
  const isEarly = sql.fragment`NOT EXISTS (SELECT FROM ${late} l WHERE l.id = s.id)`;
  const early = await loadLists(tx, scope, stage, isEarly, limits);
  await refuseStrays(tx, scope, stage);
  const laid = await layLong(tx, scope, late, keepsPositions, limits);
  const place = async (): Promise<Loaded> => {
    const [, , lists, long] = await tx.together(() => [
      lockRoots(tx, scope, existing),
      refuseStrayed(tx, scope, stage, existing),
      tx.any(sql.type(LateListRow)`
        SELECT l.root_id, l.parent_id, EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = l.root_id AND b.list_id = coalesce(l.parent_id, 0)) AS has_nodes
        FROM (SELECT DISTINCT root_id, parent_id FROM ${late}) l`),
      placeAllLong(tx, scope, laid, limits),
    ]);
    const filled = lists.filter((list) => list.has_nodes);
    const isFresh = sql.fragment`NOT EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = s.root_id AND b.list_id = coalesce(s.parent_id, 0))`;
    const fresh = filled.length < lists.length ? await loadLists(tx, scope, late, isFresh, limits) : 0;
    let spliced = long;
    // One splice (or a few) for each list that existed, however many nodes it gets.
    for (const list of filled) spliced += await spliceList(tx, scope, late, list, keepsPositions, limits);
    return { nodes: early + fresh + spliced, roots, splicedLists: filled.length + laid.length };
  };
  return { place };
}

const table = (name: string, { code }: TreeScope): Fragment =>
  sql.fragment`${sql.identifier([`tree_${name}_${code}`])}`;
const RootIdRow = z.strictObject({ root_id: column.int });
const LateListRow = ListRow.extend({ has_nodes: column.bool });

/** Makes the roots that are not there, and gives the ids of those whose trees are empty and nobody else's: made, or taken, by this transaction. */
async function createRoots(tx: Transaction, scope: TreeScope, roots: readonly number[]): Promise<readonly number[]> {
  await tx.run(sql`
    INSERT INTO tree_root (repo_id, kind, root_id) SELECT ${scope.repoId}::int, ${scope.code}::smallint, u.id FROM unnest(${idArray(roots)}) AS u(id)
    ON CONFLICT DO NOTHING`);
  const rows = await tx.any(sql.type(RootIdRow)`
    SELECT r.root_id FROM tree_root r WHERE ${inScope('r', scope)} AND r.root_id = ANY(${idArray(roots)}) AND r.xmin = pg_current_xact_id()::xid
      AND NOT EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = r.root_id)`);
  return rows.map((row) => row.root_id);
}

/** Takes those that exist, in ascending order like everywhere else. */
async function lockRoots(tx: Transaction, scope: TreeScope, roots: readonly number[]): Promise<void> {
  const taken = await tx.run(sql`
    WITH held AS (SELECT r.root_id FROM tree_root r WHERE ${inScope('r', scope)} AND r.root_id = ANY(${idArray(roots)}) ORDER BY r.root_id FOR NO KEY UPDATE)
    UPDATE tree_root r SET version = r.version + 1 FROM held WHERE ${inScope('r', scope)} AND r.root_id = held.root_id`);
  if (taken < roots.length) throw fail('unavailable', 'A tree was deleted meanwhile; trying again');
}

/** Writes whole lists, those of the rows for which `condition` holds; gives how many nodes. */
async function loadLists(
  tx: Transaction,
  scope: TreeScope,
  rows: Fragment,
  condition: Fragment,
  limits: TreeLimits,
): Promise<number> {
  const nodes = await tx.run(sql`
    INSERT INTO tree_node (repo_id, kind, root_id, parent_id, id, visible, level, bucket, ord)
    SELECT ${scope.repoId}::int, ${scope.code}::smallint, s.root_id, s.parent_id, s.id, s.visible, s.level,
      (s.i - 1) / ${limits.target}::int, ((s.i - 1) % ${limits.target}::int + 1) * ${limits.ordStep}::bigint
    FROM (SELECT *, row_number() OVER (PARTITION BY root_id, parent_id ORDER BY position, seq) AS i FROM ${rows}) s WHERE ${condition}`);
  if (nodes === 0) return 0;
  await tx.run(sql`
    INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT t.repo_id, t.kind, t.root_id, t.list_id, t.bucket, (t.bucket + 1) * ${limits.keyStep}::bigint, count(*), count(*) FILTER (WHERE t.visible)
    FROM ${rows} s JOIN tree_node t ON ${inScope('t', scope)} AND t.id = s.id GROUP BY 1, 2, 3, 4, 5`);
  return nodes;
}

const strays = (): Error =>
  fail('bad_parameter', { parent: ['Must be a node of the same tree, and not below the record itself'] });

// Every new node must be reached from the root's list or from a node that existed: a step per level, by tree_node_order.
async function refuseStrays(tx: Transaction, scope: TreeScope, stage: Fragment): Promise<void> {
  const { n } = await tx.one(sql.type(NumberRow)`
    WITH RECURSIVE s AS (
      SELECT n.id, n.root_id FROM ${stage} n WHERE n.parent_id IS NULL
      UNION ALL
      SELECT n.id, n.root_id FROM ${stage} n JOIN tree_node p ON ${inScope('p', scope)} AND p.id = n.parent_id AND p.root_id = n.root_id
        WHERE NOT EXISTS (SELECT FROM ${stage} x WHERE x.id = n.parent_id)
      UNION ALL
      SELECT t.id, t.root_id FROM s JOIN ${stage} t ON t.parent_id = s.id AND t.root_id = s.root_id
    ) SELECT (SELECT count(*) FROM ${stage})::int - count(*)::int AS n FROM s`);
  if (n !== 0) throw strays();
}

// Parents that existed may have left their tree since; what the batch brought has not.
async function refuseStrayed(
  tx: Transaction,
  scope: TreeScope,
  stage: Fragment,
  roots: readonly number[],
): Promise<void> {
  const { n } = await tx.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM (SELECT DISTINCT root_id, parent_id FROM ${stage} WHERE parent_id IS NOT NULL AND root_id = ANY(${idArray(roots)})) l
    WHERE NOT EXISTS (SELECT FROM ${stage} x WHERE x.id = l.parent_id) AND NOT EXISTS (SELECT FROM tree_node p WHERE ${inScope('p', scope)} AND p.id = l.parent_id AND p.root_id = l.root_id)`);
  if (n > 0) throw strays();
}
