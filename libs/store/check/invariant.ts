// What must hold of the stored data at every commit, as statements that find what breaks it: for `muniment check --data` and for tests.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Query } from '../connection/sql.ts';

/** A broken invariant: what is wrong, how often, and a few of the places. */
export type Violation = { readonly says: string; readonly count: number; readonly examples: readonly string[] };

/** An invariant in words of what would break it, and the statement that finds the places: rows with `example` (text). Ends without LIMIT. */
export type Invariant = { readonly says: string; readonly query: Query };

/** How many places are told of each broken invariant. */
export const mostExamples = 5;

const BrokenRow = z.strictObject({ count: column.int, examples: column.texts.nullable() });

/** Runs the statement of an invariant; null where it holds. Counts on the server: only a few places are read. */
export async function checkInvariant(reader: Reader, invariant: Invariant): Promise<Violation | null> {
  const row = await reader.one({
    sql: `WITH broken AS MATERIALIZED (${invariant.query.sql}) SELECT (SELECT count(*)::int FROM broken) AS count, ARRAY(SELECT example FROM broken ORDER BY example LIMIT ${mostExamples}) AS examples`,
    values: invariant.query.values,
    parser: BrokenRow,
  });
  return row.count === 0 ? null : { says: invariant.says, count: row.count, examples: row.examples ?? [] };
}
