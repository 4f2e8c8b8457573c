// The order in which records of several kinds are locked, so that two transactions over common records do not wait for each other: roots of trees behind all others, as who
// puts a component into a tree holds what that links to before the root; then by kind and id. Who deletes records, or takes them away, has more to keep: hold-around.ts.
import { allKinds } from '#domain/kinds/index.ts';
import type { Transaction } from '../../connection/database.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { ofKinds } from '../of-kinds.ts';
import { keyTable } from '../record-key.ts';
import type { RecordKey } from '../record-key.ts';
import type { IdsOfKind } from '../visibility/reach.ts';
import { keysOf } from '../visibility/reach.ts';

/** How records are held: against everybody who would link to them or write them, against writers, or against deletion alone. */
export type Hold = 'deletion and links' | 'writes' | 'deletion';

const strengths: { readonly [hold in Hold]: Fragment } = {
  'deletion and links': sql.fragment`FOR UPDATE`,
  writes: sql.fragment`FOR NO KEY UPDATE`,
  deletion: sql.fragment`FOR KEY SHARE`,
};

/** The kinds of roots of trees, which come last. */
export const roots: ReadonlySet<string> = new Set(
  allKinds.flatMap(({ tree }) => (tree === undefined ? [] : [tree.root])),
);

function compare(a: RecordKey, b: RecordKey): number {
  if (roots.has(a.kind) !== roots.has(b.kind)) return roots.has(a.kind) ? 1 : -1;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.id - b.id;
}

/**
 * A table `r` of those of the records that are there, each held as it is read, in the order in which everybody does; `where`: which of them, by
 * columns of `r`. Duplicates come twice.
 *
 * NOTE: without ORDER BY, and each row looked up by itself. PostgreSQL (seen in 18.4) re-checks a row that it had to wait for against the partitions
 * that the last row of a join had left; below a sort that is another kind's, and a record that somebody updated meanwhile is silently left out
 * (test/integration/store/records/writing/lock-order.test.ts). A lateral table with a lock is never turned around, so the order of the keys stays.
 */
export function heldInOrder(records: readonly RecordKey[], hold: Hold, where: Fragment = sql.fragment`true`): Fragment {
  const ordered = [...records].sort(compare);
  return sql.fragment`${keyTable(ordered)} AS u (kind, id) CROSS JOIN LATERAL (
    SELECT * FROM record r WHERE r.kind = u.kind AND r.id = u.id AND ${ofKinds(ordered.map(({ kind }) => kind))} AND ${where} ${strengths[hold]}) AS r`;
}

/** Holds records by their keys, in the order in which everybody does. One statement, or none. */
export async function holdKeys(tx: Transaction, records: readonly RecordKey[], hold: Hold): Promise<void> {
  if (records.length > 0) await tx.run(sql`SELECT count(*) FROM ${heldInOrder(records, hold)}`);
}

/** The same by their kinds. */
export const holdGroups = (tx: Transaction, groups: readonly IdsOfKind[], hold: Hold): Promise<void> =>
  holdKeys(tx, keysOf(groups), hold);

/**
 * Has the rest of the transaction look records up by their keys, one after another. Rows of arrays joined to a partitioned table are overestimated by the
 * number of rows in a partition, and a block of a thousand then reads, and hashes, all records of its kind.
 */
export async function lookUpByKey(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`);
}

/** Holds the records of `source`, a SELECT of kind and id, in the order in which everybody does. Two statements beside it keep the join a nested loop (see above). */
export async function holdRecords(tx: Transaction, source: Fragment, hold: Hold): Promise<void> {
  await lookUpByKey(tx);
  await tx.run(
    sql`SELECT count(*) FROM (SELECT FROM (SELECT kind, id FROM (${source}) AS s GROUP BY kind, id ORDER BY kind = ANY(${sql.array([...roots], 'text')}), kind COLLATE "C", id) AS t JOIN record r ON r.kind = t.kind AND r.id = t.id ${strengths[hold]} OF r) AS held`,
  );
  await tx.run(sql`SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`);
}
