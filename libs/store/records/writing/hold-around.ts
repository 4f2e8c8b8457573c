// What is locked before records are deleted, or go to another repository. Who saves a record has it, and then wants its targets against deletion alone; who deletes a target wants
// the records that link to it as well, to take the link out of them. So these come first, in one order with what goes, and against writers alone, which is in the way of nobody who links to what goes: when all
// of them are had, who saves one of them has ended. Then what goes is held against those who would link to it. The other way round each waited for the other (decision 0037).
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Transaction } from '../../connection/database.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { holdRecords, roots } from './lock-order.ts';

/**
 * Holds records of `going`, a SELECT of kind and id, with all that is written when they go: those that link to them, the other sides of links that both sides write, and their containers where these are re-dated with them. Where that
 * is last of all, but for roots of trees, which come behind containers, others save a container until then; unless a root that stays is among those held here. `beside`: a SELECT of others that are written with them, in the same order.
 */
export async function holdAround(
  tx: Transaction,
  going: Fragment,
  containers: 'with them' | 'last of all',
  beside?: Fragment,
): Promise<void> {
  const targets = (which: Fragment): Fragment =>
    sql.fragment`SELECT l.target_kind AS kind, l.target_id AS id FROM gone JOIN link l ON l.source_kind = gone.kind AND l.source_id = gone.id WHERE ${which}`;
  const areContainersHeld =
    containers === 'with them'
      ? sql.fragment`true`
      : sql.fragment`EXISTS (SELECT kind, id FROM around WHERE kind = ANY(${sql.array([...roots], 'text')}) EXCEPT SELECT kind, id FROM gone)`;
  await holdRecords(
    tx,
    sql.fragment`WITH gone AS MATERIALIZED (${going}),
      around AS MATERIALIZED (
        SELECT l.source_kind AS kind, l.source_id AS id FROM gone JOIN link l ON l.target_kind = gone.kind AND l.target_id = gone.id
        UNION ALL ${targets(sql.fragment`l.mutual IS NOT NULL`)})
      SELECT kind, id FROM gone
      UNION ALL SELECT kind, id FROM around
      UNION ALL ${targets(sql.fragment`l.target_kind = ${topContainer.name} AND ${areContainersHeld}`)}${beside === undefined ? sql.fragment`` : sql.fragment` UNION ALL ${beside}`}`,
    'writes',
  );
}
