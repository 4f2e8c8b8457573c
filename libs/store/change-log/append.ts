// The change log: append what happened to a record in the transaction of what happened.
// Reading the log is for sequencer.ts alone; everybody else follows the feed (followers.ts). Design: docs/decisions/0005.
import type { Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** What may happen to a record. A move, transfer or merge is an update of what stays and a delete of what goes. */
export type ChangeOp = 'create' | 'update' | 'delete';

/** One change of one record, or one change of many records of a batch (`ids`; then without lock versions). */
export type Change = {
  readonly kind: string;
  readonly repoId: number | null;
  readonly op: ChangeOp;
  readonly actor: string | null;
} & (
  | { readonly id: number; readonly lockVersion: number | null }
  | { readonly ids: readonly number[]; readonly lockVersion?: null }
);

/** Ids of one row of a batch: 4 KB, so a million records are a thousand rows and the log stays fast while they are written. */
export const idsPerRow = 1000;

/**
 * Appends a change. Call it after the record's row was written (its lock gives the order of the record's changes), in the same
 * transaction. A delete has the lock version after the last one. No ids: nothing is written.
 */
export async function appendChange(tx: Transaction, change: Change): Promise<void> {
  const { kind, repoId, op, actor } = change;
  tx.changed();
  if ('id' in change) {
    await tx.run(
      sql`INSERT INTO change (actor, kind, id, repo_id, op, lock_version) VALUES (${actor}, ${kind}, ${change.id}, ${repoId}, ${op}, ${change.lockVersion})`,
    );
    return;
  }
  await tx.run(sql`
    INSERT INTO change (actor, kind, ids, repo_id, op)
    SELECT ${actor}, ${kind}, array_agg(id ORDER BY place), ${repoId}::int, ${op}
    FROM (SELECT id, place, (place - 1) / ${idsPerRow} AS row FROM unnest(${sql.array(change.ids, 'int4')}) WITH ORDINALITY AS given (id, place)) AS placed
    GROUP BY row ORDER BY row`);
}

// So many records are logged one by one, and so indexed at once (docs/decisions/0009); more of them a thousand to a row.
const few = 100;

/**
 * The tail of a statement that writes any number of records in a CTE and appends their changes in the same round trip, few of them with their versions:
 * sql`WITH written AS (UPDATE … RETURNING kind, id, repo_id, lock_version) ${appendFrom('written', 'update', actor)}`. Call tx.changed() too.
 */
export function appendFrom(cte: string, op: ChangeOp, actor: string | null): Fragment {
  return rowsFrom(cte, op, actor, op === 'delete' ? sql.fragment`w.lock_version + 1` : sql.fragment`w.lock_version`);
}

/**
 * The same for a CTE of kind, id and repo_id alone, without versions. The CTE may be of several operations in a column `op`; deletes are told first
 * then. Call tx.changed() too.
 */
export function appendManyFrom(cte: string, op: ChangeOp | 'column', actor: string | null): Fragment {
  return rowsFrom(cte, op, actor, sql.fragment`NULL::int`);
}

function rowsFrom(cte: string, op: ChangeOp | 'column', actor: string | null, version: Fragment): Fragment {
  const told = op === 'column' ? sql.fragment`w.op` : sql.fragment`${op}::text`;
  return sql.fragment`INSERT INTO change (actor, kind, id, ids, repo_id, op, lock_version)
    SELECT ${actor}, kind, CASE WHEN n <= ${few} THEN min(id) END, CASE WHEN n > ${few} THEN array_agg(id ORDER BY id) END, repo_id, op, CASE WHEN n <= ${few} THEN min(version) END
    FROM (SELECT w.kind, w.id, w.repo_id, ${told} AS op, ${version} AS version, count(*) OVER () AS n,
      CASE WHEN count(*) OVER () <= ${few} THEN w.id ELSE (row_number() OVER (PARTITION BY w.kind, w.repo_id, ${told} ORDER BY w.id) - 1) / ${idsPerRow} END AS part FROM ${sql.identifier([cte])} w) AS s
    GROUP BY kind, repo_id, op, part, n ORDER BY op, kind, part`;
}
