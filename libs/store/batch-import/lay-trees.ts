// The nodes of a bulk write, staged by the batch and laid into their trees at the end.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { Failure } from '#domain/errors.ts';
import type { Kind, TreeNode } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { PreparedLoad } from '../trees/bulk-load.ts';
import { prepareLoad } from '../trees/bulk-load.ts';
import { failureOf, Faulty } from './failures.ts';

const CodeRow = z.strictObject({ code: column.int });

/**
 * Lays the staged nodes of all kinds, but for those of lists that others may be at work in: these are laid by what it gives, with their trees taken. Both fail with `import_failed` naming the first node whose root or
 * parent is not there, or that is below itself.
 */
export async function prepareTrees(
  tx: Transaction,
  repoId: number,
  keepsPositions: boolean,
): Promise<() => Promise<void>> {
  const codes = await tx.any(sql.type(CodeRow)`SELECT DISTINCT code FROM stage_node`);
  const used = new Set(codes.map((row) => row.code));
  // At most one round for each kind of tree.
  const prepared: (() => Promise<unknown>)[] = [];
  for (const kind of kinds.values()) {
    const { tree } = kind;
    if (tree === undefined || !used.has(tree.code)) continue;
    const named = <Result>(work: () => Promise<Result>): Promise<Result> => namingStrays(tx, kind, tree, repoId, work);
    const { place } = await named(() => prepareTree(tx, kind, tree, repoId, keepsPositions));
    prepared.push(() => named(place));
  }
  return async () => {
    for (const place of prepared) await place();
  };
}

const HomelessRow = Faulty.extend({ root_id: column.int });

async function prepareTree(
  tx: Transaction,
  kind: Kind,
  tree: TreeNode,
  repoId: number,
  keepsPositions: boolean,
): Promise<PreparedLoad> {
  const { code } = tree;
  // The roots of many nodes are few: they are held against deletion, and looked up once each.
  await tx.run(
    sql`SELECT FROM record r WHERE r.kind = ${tree.root} AND r.id = ANY (ARRAY(SELECT DISTINCT root_id FROM stage_node WHERE code = ${code})) ORDER BY r.id FOR KEY SHARE`,
  );
  const homeless = await tx.maybeOne(sql.type(HomelessRow)`
    SELECT s.number, ${kind.name}::text AS source_kind, s.id AS source_id, s.root_id FROM stage_node s
    WHERE s.code = ${code} AND s.root_id IN (
      SELECT root_id FROM (SELECT DISTINCT root_id FROM stage_node WHERE code = ${code}) u
      WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = ${tree.root} AND r.id = u.root_id AND r.repo_id = ${repoId})) ORDER BY s.number LIMIT 1`);
  if (homeless !== null)
    throw await failureOf(
      tx,
      homeless,
      {
        [tree.rootProperty]: [
          `Reference does not exist! (Reference: '${uriOf(kindNamed(tree.root), homeless.root_id, repoId)}')`,
        ],
      },
      'unknown_reference',
    );
  const source = sql.fragment`SELECT id, root_id, parent_id, position, number AS seq, visible, level FROM stage_node WHERE code = ${code}`;
  return prepareLoad(tx, { repoId, code }, source, { keepsPositions });
}

/** Does it, and tells which node is meant where one hangs on nothing. */
async function namingStrays<Result>(
  tx: Transaction,
  kind: Kind,
  tree: TreeNode,
  repoId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_parameter')
      throw (await strayFailure(tx, kind, tree, repoId)) ?? error;
    throw error;
  }
}

const StrayRow = Faulty.extend({ parent_id: column.int, is_missing: column.bool });

/** The first node that hangs on no root: its parent is missing, in another tree, or below it. */
async function strayFailure(tx: Transaction, kind: Kind, tree: TreeNode, repoId: number): Promise<Error | null> {
  const { code } = tree;
  const stray = await tx.maybeOne(sql.type(StrayRow)`
    WITH RECURSIVE reached AS (
      SELECT s.id, s.root_id FROM stage_node s WHERE s.code = ${code} AND (s.parent_id IS NULL OR EXISTS (
        SELECT FROM tree_node t WHERE t.repo_id = ${repoId} AND t.kind = ${code} AND t.id = s.parent_id AND t.root_id = s.root_id
          AND NOT EXISTS (SELECT FROM stage_node x WHERE x.code = ${code} AND x.id = s.parent_id)))
      UNION ALL SELECT s.id, s.root_id FROM reached p JOIN stage_node s ON s.code = ${code} AND s.parent_id = p.id AND s.root_id = p.root_id)
    SELECT s.number, ${kind.name}::text AS source_kind, s.id AS source_id, s.parent_id,
      NOT EXISTS (SELECT FROM record r WHERE r.kind = ${kind.name} AND r.id = s.parent_id AND r.repo_id = ${repoId}) AS is_missing
    FROM stage_node s WHERE s.code = ${code} AND NOT EXISTS (SELECT FROM reached r WHERE r.id = s.id) ORDER BY s.number LIMIT 1`);
  if (stray === null) return null;
  const message = stray.is_missing
    ? `Reference does not exist! (Reference: '${uriOf(kind, stray.parent_id, repoId)}')`
    : 'Must be a node of the same tree, and not below the record itself';
  return failureOf(tx, stray, { parent: [message] }, 'unknown_reference');
}
