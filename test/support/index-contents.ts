// What the search index holds, to be compared: its documents, who wrote them, and what is counted of them.
import { z } from 'zod';
import type { Database, Reader, Transaction } from '#store/connection/database.ts';
import { column } from '#store/connection/columns.ts';
import type { Hidden } from '#store/search/postgres/hidden.ts';
import { replacedTables } from '#store/search/postgres/rebuild.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';

/** Where nothing is hidden that documents do not tell of. */
export const nothingHidden: Hidden = { repositories: [], records: null, at: null, now: 0 };

/** Marks the documents of a record as suppressed without more, as releases before migration 0030 did and indexes of theirs may still be. */
export const markSuppressed = (tx: Transaction, kind: string, ids: readonly number[]): Promise<number> =>
  tx.run(
    sql`UPDATE search_doc SET suppressed = true, published = false, digest = '' WHERE kind = ${kind} AND record_id = ANY(${sql.array([...ids], 'int4')}) AND NOT suppressed`,
  );

/** By uri and audience, what wrote the row. */
export const writersOf = async ({ reader }: Database): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await reader.any(sql.type(z.strictObject({ id: column.text, xmin: column.text }))`
        SELECT id || ' ' || audience AS id, xmin::text AS xmin FROM search_doc ORDER BY 1`)
    ).map(({ id, xmin }) => [id, xmin]),
  );

/** All that is stored of all documents but their numbers, and what is told of writing. */
export const contentsOf = ({ reader }: Database): Promise<readonly unknown[]> =>
  reader.any(sql.type(AnyRow)`
    SELECT to_jsonb(d) - '{no,seq,digest,vals}'::text[] || to_jsonb(b) - 'no' || jsonb_build_object('vals', (SELECT array_agg(v.field || '=' || v.value ORDER BY v.field, v.value) FROM search_value v WHERE v.id = ANY(d.vals))) AS document
    FROM search_doc d JOIN search_body b USING (no) ORDER BY d.id, d.audience`);

const CountedRow = z.strictObject({
  audience: column.int,
  published: column.bool,
  suppressed: column.bool,
  repo_id: column.maybeInt,
  tsv: column.text.optional(),
  value: column.int,
  n: column.int,
});

/** The documents by scope and facet value, as they are counted, whether that is folded or not. */
export const countsOf = ({ reader }: Database) => countsTold(reader);

const countsTold = (reader: Reader) =>
  reader.any(sql.type(CountedRow)`
    SELECT audience, published, suppressed, repo_id, tsv::text, value, sum(n)::int AS n FROM (
      SELECT s.generation, s.audience, s.published, s.suppressed, s.repo_id, s.tsv, c.value, c.n FROM search_count c JOIN search_scope s ON s.id = c.scope
      UNION ALL SELECT t.generation, t.audience, t.published, t.suppressed, t.repo_id, t.tsv, u.value, u.n FROM search_tally t, unnest(t.ids, t.counts) AS u (value, n)) AS told
    WHERE generation = (SELECT generation FROM search_form) GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6`);

/** The same, counted from the documents themselves: value 0 stands for all of a scope. */
const countedAnew = (reader: Reader) =>
  reader.any(sql.type(CountedRow)`
    SELECT audience, published, suppressed, repo_id, value, count(*)::int AS n FROM search_doc, unnest(vals || 0) AS value GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`);

const sumsOf = (rows: readonly z.infer<typeof CountedRow>[]): readonly (readonly [value: number, sum: number])[] =>
  [...Map.groupBy(rows, ({ value }) => value)]
    .map(([value, some]) => [value, some.reduce((sum, { n }) => sum + n, 0)] as const)
    .sort(([a], [b]) => a - b);

/** How many documents have each facet value, as it is counted while they are written, and counted anew; of one moment, since an indexer may be at work. */
export const countsBothWays = (database: Database) =>
  database.transaction(async (tx) => ({ told: sumsOf(await countsTold(tx)), anew: sumsOf(await countedAnew(tx)) }), {
    readOnly: true,
    tables: replacedTables,
  });
