// Facet counts: one pass over the matching documents for all fields together, at most 100 values a field.
import { z } from 'zod';
import { findField } from '#domain/search/fields.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import { toTsquery, word } from '#domain/search/query/tsquery.ts';
import type { FacetCounts } from '#domain/search/reply/page.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Scopes } from './facet-counts.ts';
import { sizeOfScopes, valuesOfScopes } from './facet-counts.ts';
import type { Fitting } from './some-documents.ts';
import { someDocuments } from './some-documents.ts';
import { mostFaceted } from './time-limit.ts';

/** Values counted for a field at most; the incumbent's limit. */
export const mostValues = 100;

const Row = z.strictObject({ field: column.text, value: column.text, count: column.int });
type Row = z.infer<typeof Row>;

/** Rows (id, count) of facet values, and the number of shared documents counted. */
export type ValueCounts = { readonly values: Fragment; readonly shared: Fragment };

/** What is counted over the documents of search_doc `d` that fit. `how`: over all of them, or some. */
export function countsOfDocuments(
  fields: readonly string[],
  fitting: Fitting,
  how: 'all' | 'some' = 'all',
): ValueCounts {
  const some =
    how === 'all'
      ? sql.fragment`search_doc d WHERE ${fitting.condition}`
      : sql.fragment`${someDocuments(sql.fragment`d.vals, d.audience`, fitting, mostFaceted)} WHERE true`;
  return {
    // Taken apart in the list of what is selected: half the time of a join with a function.
    values: sql.fragment`
      SELECT id, count(*) AS count FROM (SELECT unnest(d.vals) AS id FROM ${some}) AS each
      WHERE id IN (SELECT id FROM search_value WHERE field = ANY(${sql.array([...fields], 'text')})) GROUP BY id`,
    shared: sql.fragment`(SELECT count(*) FROM ${some} AND d.audience = 3)`,
  };
}

/** The same from the counts by scope, for a condition that asks scopes only. */
export function countsOfScopes(fields: readonly string[], scopes: Scopes): ValueCounts {
  return {
    values: valuesOfScopes(fields, scopes),
    shared: sizeOfScopes({ ...scopes, condition: sql.fragment`${scopes.condition} AND d.audience = 3` }),
  };
}

/**
 * The most frequent values of fields, first those in most documents, equal ones in the order of their text. `copyTypes`: types that shared
 * documents have beside their own, to the public.
 */
export async function countFacets(
  reader: Reader,
  fields: readonly string[],
  { values, shared }: ValueCounts,
  copyTypes: readonly string[],
): Promise<readonly FacetCounts[]> {
  if (fields.length === 0) {
    return [];
  }
  // Texts are compared only of values that are as frequent as the last one wanted: sorting all of them by text costs more than counting.
  const rows = await reader.any(sql.type(Row)`
    WITH counted AS MATERIALIZED (${values}),
    named AS (
      SELECT v.field, v.value, counted.count FROM counted JOIN search_value v USING (id)
      ${fields.includes('types') ? ofCopies(shared, copyTypes) : sql.fragment``}
    ), summed AS (
      SELECT field, value, sum(count)::int AS count, rank() OVER (PARTITION BY field ORDER BY sum(count) DESC) AS about FROM named GROUP BY field, value
    ), ranked AS (
      SELECT field, value, count, row_number() OVER (PARTITION BY field ORDER BY count DESC, value COLLATE "C") AS place FROM summed WHERE about <= ${mostValues}
    )
    SELECT field, value, count FROM ranked WHERE place <= ${mostValues} ORDER BY field, place`);
  const byField = new Map(fields.map((field): [string, (readonly [string, number])[]] => [field, []]));
  for (const { field, value, count } of rows) {
    byField.get(field)?.push([value, count]);
  }
  return [...byField].map(([field, counts]) => ({ field, counts }));
}

function ofCopies(shared: Fragment, copyTypes: readonly string[]): Fragment {
  if (copyTypes.length === 0) return sql.fragment``;
  return sql.fragment`UNION ALL SELECT 'types', t.type, s.count FROM (SELECT ${shared} AS count) AS s, unnest(${sql.array([...copyTypes], 'text')}) AS t (type) WHERE s.count > 0`;
}

const CountTypeRow = z.strictObject({ repository: column.text, type: column.text, count: column.int });

/**
 * Documents of each type by the repository they belong to or are used in (agents and subjects, which belong to none); every repository that holds any is
 * there. From the counts by scope: no document is looked at.
 */
export async function countTypes(
  reader: Reader,
  types: readonly string[],
  { condition, hidden }: Scopes,
  copyTypes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const field = findField('types');
  const counts = new Map<string, Map<string, number>>();
  if (types.length === 0 || field === undefined) return counts;
  const parts = [...new Set(types)].map((type) => {
    const own = sql.fragment`d.tsv @@ ${toTsquery(word(toExactLexeme(field, type)), new Map())}::tsquery`;
    const ofType = copyTypes.includes(type) ? sql.fragment`(${own} OR d.audience = 3)` : own;
    const scopes = { condition: sql.fragment`${condition} AND ${ofType}`, hidden };
    return sql.fragment`SELECT ${type}::text AS type, id, count FROM (${valuesOfScopes(['repository', 'used_within_repository'], scopes)}) AS counted`;
  });
  const rows = await reader.any(sql.type(CountTypeRow)`
    SELECT v.value AS repository, c.type, sum(c.count)::int AS count FROM (${sql.join(parts, sql.fragment` UNION ALL `)}) AS c
    JOIN search_value v USING (id) WHERE v.value <> 'global' GROUP BY 1, 2`);
  for (const { repository, type, count } of rows)
    counts.set(repository, (counts.get(repository) ?? new Map<string, number>()).set(type, count));
  return counts;
}

/** Adds values that other documents of the caller have, with a count of 0, in the order of their text, up to the limit of a field. */
export function withZeroCounts({ field, counts }: FacetCounts, seen: readonly string[]): FacetCounts {
  const present = new Set(counts.map(([value]) => value));
  const zeros = seen.filter((value) => !present.has(value)).map((value): readonly [string, number] => [value, 0]);
  return { field, counts: [...counts, ...zeros].slice(0, mostValues) };
}
