// The order in which records of several kinds are locked, so that two transactions over common records do not wait for each other.
import type { Fragment } from '../sql.ts';
import { sql } from '../sql.ts';

/**
 * A table function of records by kind and id, in the order in which everybody locks them: join `record` to it with FOR … OF r.
 *
 * NOTE: without ORDER BY in the statement. PostgreSQL (seen in 18.4) re-checks a row that it had to wait for against the partitions that the
 * last row of the join had left; below a sort that is another kind's, and a record that somebody updated meanwhile is silently left out
 * (test/integration/store/records/lock-order.test.ts). The nested loop over this function keeps its order.
 */
export function inLockOrder(records: readonly { readonly kind: string; readonly id: number }[]): Fragment {
  const ordered = [...records].sort((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1));
  return sql.fragment`${sql.unnest(ordered.map(({ kind, id }) => [kind, id]), ['text', 'int4'])}`;
}
