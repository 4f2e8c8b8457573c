// Loading many nodes at once, for batch import: lists that are new are written by one INSERT … SELECT, new nodes of lists that
// exist are spliced in. Bodies, links and checks of records are none of its business.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { planInsertions } from '#domain/tree/placement.ts';
import type { TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { inScope } from './conditions.ts';
import { countChildren } from './read.ts';
import { atEnd, splice } from './splice.ts';
import type { Arrival } from './splice.ts';

/** What was loaded: nodes written, the roots they are in, and the lists that existed before. */
export type Loaded = { readonly nodes: number; readonly roots: readonly number[]; readonly splicedLists: number };

const StagedChild = z.strictObject({
  id: column.int,
  visible: column.bool,
  level: column.maybeText,
  position: column.maybeInt,
});
type StagedChild = z.infer<typeof StagedChild>;

const ExistingRow = z.strictObject({ root_id: column.int, parent_id: column.maybeInt });

/**
 * Puts the rows of `source` into trees: a SELECT of id int, root_id int, parent_id int (null: under the root), position int or
 * null, seq (order in the file), visible bool, level text. Siblings stand by position, then seq, those without a position last; gaps
 * vanish. New children of a list that exists are appended and, with `keepsPositions`, moved to their positions one by one (contract
 * 1.9). Parents may be staged or exist. Trees that have no root row yet get one; all are locked, smaller ids first.
 *
 * Fails with `bad_parameter` on `parent` where a parent is not in the same tree, or the staged nodes form a cycle.
 */
export async function bulkLoadTree(
  tx: Transaction,
  scope: TreeScope,
  source: Fragment,
  options: { readonly keepsPositions: boolean; readonly limits?: TreeLimits },
): Promise<Loaded> {
  const limits = options.limits ?? treeLimits;
  await tx.run(
    sql`CREATE TEMP TABLE tree_stage ON COMMIT DROP AS SELECT id, root_id, parent_id, position, seq, visible, level FROM (${source}) source`,
  );
  await tx.run(sql`ANALYZE tree_stage`);
  const roots = await lockRoots(tx, scope);
  const existing = await tx.any(sql.type(ExistingRow)`
    SELECT l.root_id, l.parent_id FROM (SELECT DISTINCT root_id, parent_id FROM tree_stage) l
    WHERE EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = l.root_id AND b.list_id = coalesce(l.parent_id, 0))`);
  const nodes = await loadNewLists(tx, scope, limits);
  let spliced = 0;
  // One splice (or a few) for each list that existed, however many nodes it gets.
  for (const list of existing) spliced += await spliceList(tx, scope, list, options.keepsPositions, limits);
  await refuseStrays(tx, scope, nodes + spliced);
  await tx.run(sql`DROP TABLE tree_stage`);
  return { nodes: nodes + spliced, roots, splicedLists: existing.length };
}

const RootIdRow = z.strictObject({ root_id: column.int });

// New root rows are this transaction's own; those that exist are taken in ascending order like everywhere else.
async function lockRoots(tx: Transaction, scope: TreeScope): Promise<readonly number[]> {
  const rows = await tx.any(sql.type(RootIdRow)`
    INSERT INTO tree_root AS r (repo_id, kind, root_id)
    SELECT ${scope.repoId}::int, ${scope.code}::smallint, s.root_id FROM (SELECT DISTINCT root_id FROM tree_stage) s ORDER BY s.root_id
    ON CONFLICT (repo_id, kind, root_id) DO UPDATE SET version = r.version + 1 RETURNING root_id`);
  return rows.map((row) => row.root_id);
}

async function loadNewLists(tx: Transaction, scope: TreeScope, limits: TreeLimits): Promise<number> {
  const nodes = await tx.run(sql`
    INSERT INTO tree_node (repo_id, kind, root_id, parent_id, id, visible, level, bucket, ord)
    SELECT ${scope.repoId}::int, ${scope.code}::smallint, s.root_id, s.parent_id, s.id, s.visible, s.level,
      (s.i - 1) / ${limits.target}::int, ((s.i - 1) % ${limits.target}::int + 1) * ${limits.ordStep}::bigint
    FROM (SELECT *, row_number() OVER (PARTITION BY root_id, parent_id ORDER BY position, seq) AS i FROM tree_stage) s
    WHERE NOT EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = s.root_id AND b.list_id = coalesce(s.parent_id, 0))`);
  await tx.run(sql`
    INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT t.repo_id, t.kind, t.root_id, t.list_id, t.bucket, (t.bucket + 1) * ${limits.keyStep}::bigint, count(*), count(*) FILTER (WHERE t.visible)
    FROM tree_stage s JOIN tree_node t ON ${inScope('t', scope)} AND t.id = s.id GROUP BY 1, 2, 3, 4, 5`);
  return nodes;
}

async function spliceList(
  tx: Transaction,
  scope: TreeScope,
  list: { readonly root_id: number; readonly parent_id: number | null },
  keepsPositions: boolean,
  limits: TreeLimits,
): Promise<number> {
  const key = { ...scope, rootId: list.root_id };
  const children = await tx.any(sql.type(StagedChild)`
    SELECT id, visible, level, position FROM tree_stage WHERE root_id = ${list.root_id} AND parent_id IS NOT DISTINCT FROM ${list.parent_id}::int ORDER BY position, seq`);
  const byId = new Map<number, Arrival>(children.map((child) => [child.id, child]));
  const hasPlaces = keepsPositions && children.some((child) => child.position !== null);
  const runs = hasPlaces
    ? planInsertions(await countChildren(tx, key, list.parent_id), children)
    : [{ rank: atEnd, ids: children.map((child) => child.id) }];
  for (const run of runs) {
    const arrivals = run.ids.flatMap((id) => byId.get(id) ?? []);
    await splice(tx, key, { parentId: list.parent_id, rank: run.rank, arrivals, mode: 'insert', pending: [] }, limits);
  }
  return children.length;
}

// Every new node must be reached from the root's list or from a node that existed: a step per level, by tree_node_order.
async function refuseStrays(tx: Transaction, scope: TreeScope, nodes: number): Promise<void> {
  const reached = await tx.one(sql.type(NumberRow)`
    WITH RECURSIVE s AS (
      SELECT n.id, n.root_id FROM tree_stage n WHERE n.parent_id IS NULL
      UNION ALL
      SELECT n.id, n.root_id FROM tree_stage n JOIN tree_node p ON ${inScope('p', scope)} AND p.id = n.parent_id AND p.root_id = n.root_id
        WHERE NOT EXISTS (SELECT FROM tree_stage x WHERE x.id = n.parent_id)
      UNION ALL
      SELECT t.id, t.root_id FROM s JOIN tree_stage t ON t.parent_id = s.id AND t.root_id = s.root_id
    ) SELECT count(*)::int AS n FROM s`);
  if (reached.n !== nodes)
    throw fail('bad_parameter', { parent: ['Must be a node of the same tree, and not below the record itself'] });
}
