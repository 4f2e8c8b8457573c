// What must hold of the tree tables at every commit (decision 0006): for `muniment check`, and after every test.
import type { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { RowQuery } from '../connection/sql.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';

/** A kind of nodes with the kind of its roots, to compare trees with records. */
export type CheckedKind = { readonly code: number; readonly node: string; readonly root: string };

type Rule = { readonly says: string; readonly query: RowQuery<z.infer<typeof NumberRow>> };

/**
 * Counts violations of each invariant and describes those that are not zero; empty when all is well. With `kinds` the records
 * are compared too: one node per record of a node kind, one root per record of a root kind, flags equal. Reads all tree tables.
 */
export async function checkTrees(
  reader: Reader,
  kinds: readonly CheckedKind[] = [],
  limits: TreeLimits = treeLimits,
): Promise<readonly string[]> {
  const rules = [...structure(limits), ...kinds.flatMap(records)];
  const found: string[] = [];
  // A fixed list of checks, not records; one after the other so that a large database is not scanned ten times at once.
  for (const rule of rules) {
    const { n } = await reader.one(rule.query);
    if (n > 0) found.push(`${n} ${rule.says}`);
  }
  return found;
}

function structure(limits: TreeLimits): readonly Rule[] {
  return [
    {
      says: 'buckets whose counts differ from their nodes',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM tree_bucket b FULL JOIN (
          SELECT repo_id, kind, root_id, list_id, bucket, count(*) AS n, count(*) FILTER (WHERE visible) AS nv FROM tree_node GROUP BY 1, 2, 3, 4, 5) c
        USING (repo_id, kind, root_id, list_id, bucket) WHERE b.n IS DISTINCT FROM c.n OR b.nv IS DISTINCT FROM c.nv`,
    },
    {
      says: 'buckets that are empty or too large',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM tree_bucket b WHERE b.n NOT BETWEEN 1 AND ${limits.max}`,
    },
    {
      says: 'order numbers used twice in a bucket',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM (SELECT FROM tree_node GROUP BY repo_id, kind, root_id, list_id, bucket, ord HAVING count(*) > 1) d`,
    },
    {
      says: 'bucket keys used twice in a list',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM (SELECT FROM tree_bucket GROUP BY repo_id, kind, root_id, list_id, key HAVING count(*) > 1) d`,
    },
    {
      says: 'nodes whose parent is not in their tree',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM tree_node t LEFT JOIN tree_node p ON p.repo_id = t.repo_id AND p.kind = t.kind AND p.id = t.parent_id
        WHERE t.parent_id IS NOT NULL AND p.root_id IS DISTINCT FROM t.root_id`,
    },
    {
      says: 'nodes that are not reached from their root',
      // Over lists and not nodes: a tree has far fewer, and the planner cannot know how many children a node on the way has.
      query: sql.type(NumberRow)`
        WITH RECURSIVE list AS MATERIALIZED (SELECT repo_id, kind, root_id, list_id, count(*) AS n FROM tree_node GROUP BY 1, 2, 3, 4),
        edge AS MATERIALIZED (
          SELECT l.repo_id, l.kind, l.root_id, l.list_id, t.list_id AS above FROM list l
          JOIN tree_node t ON t.repo_id = l.repo_id AND t.kind = l.kind AND t.id = l.list_id AND t.root_id = l.root_id),
        s AS (
          SELECT repo_id, kind, root_id, list_id FROM list WHERE list_id = 0
          UNION ALL SELECT e.repo_id, e.kind, e.root_id, e.list_id FROM s JOIN edge e ON e.repo_id = s.repo_id AND e.kind = s.kind AND e.root_id = s.root_id AND e.above = s.list_id)
        SELECT coalesce(sum(l.n), 0)::int AS n FROM list l LEFT JOIN s USING (repo_id, kind, root_id, list_id) WHERE s.list_id IS NULL`,
    },
    {
      says: 'nodes without a root',
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM tree_node t WHERE NOT EXISTS (SELECT FROM tree_root r WHERE r.repo_id = t.repo_id AND r.kind = t.kind AND r.root_id = t.root_id)`,
    },
  ];
}

function records(kind: CheckedKind): readonly Rule[] {
  return [
    {
      says: `${kind.node} records and nodes that lack each other or differ in visibility`,
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM (SELECT * FROM record WHERE kind = ${kind.node}) r FULL JOIN (SELECT * FROM tree_node WHERE kind = ${kind.code}) t USING (id)
        WHERE t.repo_id IS DISTINCT FROM r.repo_id OR t.visible IS DISTINCT FROM (coalesce(r.publish, true) AND NOT r.suppressed)`,
    },
    {
      says: `${kind.root} records and tree roots that lack each other`,
      query: sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM (SELECT * FROM record WHERE kind = ${kind.root}) r FULL JOIN (SELECT * FROM tree_root WHERE kind = ${kind.code}) t ON t.root_id = r.id
        WHERE t.repo_id IS DISTINCT FROM r.repo_id`,
    },
  ];
}
