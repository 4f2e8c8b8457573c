// The one way to write SQL: a tagged template whose values are always parameters (slonik builds, pg runs; docs/decisions/0004).
// Composition as in slonik: sql.fragment, sql.join, sql.unnest, sql.array, sql.identifier.
import { createSqlTag } from 'slonik';

const tag = createSqlTag();

/** A statement with its values, ready to run. */
export type Query = { readonly sql: string; readonly values: readonly unknown[] };

type Part = Parameters<typeof tag.unsafe>[1];

/**
 * Builds a statement: sql`SELECT body FROM record WHERE kind = ${kind}`. Interpolated values become parameters;
 * fragments, joins and identifiers are spliced. Row types are stated where the statement is run.
 */
export const sql = Object.assign(
  (strings: TemplateStringsArray, ...parts: readonly Part[]): Query => tag.unsafe(strings, ...parts),
  {
    fragment: tag.fragment,
    join: tag.join,
    unnest: tag.unnest,
    array: tag.array,
    identifier: tag.identifier,
    json: (value: unknown) => tag.fragment`${JSON.stringify(value)}::json`,
  },
);

/** A piece of a statement. */
export type Fragment = ReturnType<typeof tag.fragment>;

const placeholders = /\$slonik_(\d+)/g;

/** The text of a query as PostgreSQL wants it: $1, $2 … in place of slonik's own placeholders. */
export function toStatement(query: Query): string {
  return query.sql.replace(placeholders, '$$$1');
}
