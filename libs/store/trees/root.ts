// The row that stands for a tree. Its lock comes before any other tree statement of a transaction, so there is no deadlock and
// READ COMMITTED suffices; its version changes with every write.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';

/**
 * Makes the empty tree of a new root record. Idempotent. That of a record which comes back (`isBack`) has a version behind all that it had before, by the clock: positions
 * are remembered by them (position-memory.ts).
 */
export async function createRoot(tx: Transaction, tree: TreeKey, isBack = false): Promise<void> {
  const version = isBack ? sql.fragment`(extract(epoch FROM clock_timestamp()) * 1000)::bigint` : sql.fragment`0`;
  await tx.run(
    sql`INSERT INTO tree_root (repo_id, kind, root_id, version) VALUES (${tree.repoId}, ${tree.code}, ${tree.rootId}, ${version}) ON CONFLICT DO NOTHING`,
  );
}

/** Waits for and takes the tree until the end of the transaction. `not_found` ("Resource not found") where there is none. */
export async function lockTree(tx: Transaction, tree: Tree): Promise<void> {
  const changed = await tx.run(sql`UPDATE tree_root r SET version = version + 1 WHERE ${inTree('r', tree)}`);
  if (changed === 0) throw fail('not_found', `${tree.rootModel} not found`);
}

const RootRow = z.strictObject({ root_id: column.int });

/** Takes two trees of one repository and kind, the smaller id first, whoever names them in which order; fails as lockTree does. */
export async function lockTrees(tx: Transaction, one: Tree, other: Tree): Promise<void> {
  const taken = await tx.any(sql.type(RootRow)`
    WITH held AS (SELECT r.root_id FROM tree_root r WHERE ${inScope('r', one)} AND r.root_id IN (${one.rootId}, ${other.rootId}) ORDER BY r.root_id FOR NO KEY UPDATE)
    UPDATE tree_root r SET version = r.version + 1 FROM held WHERE ${inScope('r', one)} AND r.root_id = held.root_id RETURNING r.root_id`);
  if (taken.length < 2) throw fail('not_found', `${one.rootModel} not found`);
}

const VersionRow = z.strictObject({ version: column.int });

/** The version of a tree, raised by every write to it (for ETags); null where there is no such tree. */
export async function treeVersion(reader: Reader, tree: TreeKey): Promise<number | null> {
  const row = await reader.maybeOne(sql.type(VersionRow)`
    SELECT version FROM tree_root r WHERE ${inTree('r', tree)}`);
  return row?.version ?? null;
}
