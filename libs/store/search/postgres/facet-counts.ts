// Counts of documents and facet values by scope, kept by the triggers of migration 0019 with every write of search_doc (docs/decisions/0015).
// What is counted is the sum of search_count and of what search_tally has since; both are read under the snapshot of the search. An index that is
// made beside the live one has counts of its own, as the next generation (rebuild.ts).
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';

/**
 * Scopes `d`, which have the columns of visibility and tsv, by a condition that fits documents as well. `hidden`: a table of documents that are counted
 * in their scopes and hidden from the caller (hidden.ts); these are counted one by one, and taken off.
 */
export type Scopes = { readonly condition: Fragment; readonly hidden: Fragment | null };

/** Rows (id, count): values of fields over the documents of scopes. `among`: only these ids. */
export function valuesOfScopes(
  fields: readonly string[],
  { condition, hidden }: Scopes,
  among?: readonly number[],
): Fragment {
  const names = sql.array([...fields], 'text');
  const only = (id: Fragment): Fragment =>
    among === undefined ? sql.fragment`` : sql.fragment`AND ${id} = ANY(${sql.array([...among], 'int4')})`;
  return sql.fragment`
    SELECT id, sum(n) AS count FROM (
      SELECT c.value AS id, c.n FROM search_count c WHERE c.field = ANY(${names}) AND c.scope = ANY(${scopesOf(condition)}) ${only(sql.fragment`c.value`)}
      UNION ALL SELECT late.id, late.n FROM (SELECT p.id, sum(p.n) AS n FROM search_tally d, unnest(d.ids, d.counts) AS p (id, n) WHERE ${isLive} AND ${condition} ${only(sql.fragment`p.id`)} GROUP BY p.id) AS late
        JOIN search_value v USING (id) WHERE v.field = ANY(${names})
      ${
        hidden === null
          ? sql.fragment``
          : sql.fragment`UNION ALL SELECT off.id, off.n FROM (SELECT p.id, -count(*) AS n FROM (SELECT unnest(d.vals) AS id FROM ${hidden} AS d WHERE ${condition}) AS p WHERE true ${only(sql.fragment`p.id`)} GROUP BY p.id) AS off
        JOIN search_value v USING (id) WHERE v.field = ANY(${names})`
      }
    ) AS each GROUP BY id HAVING sum(n) > 0`;
}

/** How many documents are in scopes, as an expression. */
export function sizeOfScopes({ condition, hidden }: Scopes): Fragment {
  return sql.fragment`(coalesce((SELECT sum(c.n) FROM search_count c WHERE c.field = '' AND c.scope = ANY(${scopesOf(condition)})), 0)
    + coalesce((SELECT sum(p.n) FROM search_tally d, unnest(d.ids, d.counts) AS p (id, n) WHERE p.id = 0 AND ${isLive} AND ${condition}), 0)
    ${hidden === null ? sql.fragment`` : sql.fragment`- (SELECT count(*) FROM ${hidden} AS d WHERE ${condition})`})::int`;
}

const scopesOf = (condition: Fragment): Fragment =>
  sql.fragment`ARRAY(SELECT d.id FROM search_scope d WHERE ${isLive} AND ${condition})`;

const isLive = sql.fragment`d.generation = (SELECT generation FROM search_form)`;

// What a step folds: statements of some hundred batches.
const mostFolded = 500;

const MineRow = z.strictObject({ mine: column.bool });

const NoRow = z.strictObject({ no: column.int });

const UncountedRow = z.strictObject({ field: column.text, scope: column.int, value: column.int });

/**
 * Folds what writes have told into search_count, so that readers have little to add up. One process does it at a time, others leave it to
 * that; writers are not held up, since they only ever add rows to search_tally.
 */
export async function foldCounts(database: Database): Promise<void> {
  for (let folded = mostFolded; folded === mostFolded;) {
    folded = await database.transaction(
      async (tx) => {
        const { mine } = await tx.one(sql.type(MineRow)`
          SELECT pg_try_advisory_xact_lock(hashtextextended('muniment search tally', 0)) AS mine`);
        const rows = mine
          ? await tx.any(sql.type(NoRow)`SELECT no FROM search_tally ORDER BY no LIMIT ${mostFolded}`)
          : [];
        if (rows.length === 0) return 0;
        const numbers = sql.array(
          rows.map(({ no }) => no),
          'int8',
        );
        await tx.run(sql`INSERT INTO search_scope (generation, audience, published, suppressed, repo_id, tsv)
        SELECT DISTINCT t.generation, t.audience, t.published, t.suppressed, t.repo_id, t.tsv FROM search_tally t WHERE t.no = ANY(${numbers}) ON CONFLICT DO NOTHING`);
        const none = await tx.any(sql.type(UncountedRow)`
        WITH gone AS (DELETE FROM search_tally WHERE no = ANY(${numbers}) RETURNING *),
        summed AS (
          SELECT s.id AS scope, p.id AS value, sum(p.n)::int AS n FROM gone t
          JOIN search_scope s ON s.generation = t.generation AND s.audience = t.audience AND s.published = t.published AND s.suppressed = t.suppressed AND s.repo_id IS NOT DISTINCT FROM t.repo_id AND s.tsv = t.tsv
          CROSS JOIN LATERAL unnest(t.ids, t.counts) AS p (id, n) GROUP BY s.id, p.id HAVING sum(p.n) <> 0
        ), written AS (
          INSERT INTO search_count AS c (field, scope, value, n) SELECT coalesce(v.field, ''), s.scope, s.value, s.n FROM summed s LEFT JOIN search_value v ON v.id = s.value
          ON CONFLICT (field, scope, value) DO UPDATE SET n = c.n + excluded.n RETURNING *
        )
        SELECT field, scope, value FROM written WHERE n = 0`);
        await tx.run(sql`DELETE FROM search_count c USING ${sql.unnest(
          none.map(({ field, scope, value }) => [field, scope, value]),
          ['text', 'int4', 'int4'],
        )} AS u (field, scope, value)
        WHERE c.field = u.field AND c.scope = u.scope AND c.value = u.value`);
        return rows.length;
      },
      { statementTimeoutMs: 300_000 },
    );
  }
}
