// Some of the documents that fit a condition, where looking at all of them takes too long (docs/decisions/0032, 10). The index knows all that have a word before it gives the first: for
// a word that a million documents have it takes a quarter of a second, and as long again for each further condition. So a sample of all documents is looked at first, and the index is asked where
// few of it fit: then few fit altogether.
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { mostBounded } from './time-limit.ts';

// Documents that are looked at for a sample: each of their vectors is read, which takes ten times as long as to get one from the index.
const looked = 4000;
/** So many that fit are enough. Where fewer do, fewer than one in ten fits, and the index gives what fits in a tenth of the time. */
export const enoughSampled = 400;

/** How many documents there are, as an expression: by the size of the table and how many were in a block at the last ANALYZE; eight where there were few. */
export const documents = sql.fragment`(SELECT greatest(pg_relation_size(oid) / 8192 * CASE WHEN relpages >= 100 THEN reltuples / relpages ELSE 8 END, 1) FROM pg_class WHERE oid = 'search_doc'::regclass)`;

/** Whether more fits than so many documents that were looked at, as an expression of how many these are and whether they are of a sample, which may be of all. */
export const isPartial = (count: Fragment, isSampled: Fragment): Fragment =>
  sql.fragment`(${count} >= ${mostBounded}::int OR ${isSampled} AND ${documents} > ${looked}::float8)`;

// The same blocks each time, so that a query's pages are of the same documents.
const sampled = sql.fragment`search_doc d TABLESAMPLE SYSTEM (least(100, 100 * ${looked}::float8 / ${documents})) REPEATABLE (0)`;

/**
 * What some documents `d` are to fit: a condition, and the words by which the index finds those alone that the caller may see (visible-words.ts), which say nothing more. `sampleAlone`: those
 * of a sample are enough, however few, since the index takes too long.
 */
export type Fitting = {
  readonly condition: Fragment;
  readonly visibleWords: Fragment;
  readonly sampleAlone?: boolean;
};

/**
 * Rows `d` of `columns` (of documents `d`) and `is_sampled`: of some documents that fit, at most `most` of them, for FROM. All that fit, where these are few; else those of a sample.
 */
export function someDocuments(
  columns: Fragment,
  { condition, visibleWords, sampleAlone = false }: Fitting,
  most: number = mostBounded,
): Fragment {
  if (sampleAlone)
    return sql.fragment`(SELECT ${columns}, true AS is_sampled FROM ${sampled} WHERE ${condition} LIMIT ${most}) AS d`;
  return sql.fragment`(
    WITH s AS MATERIALIZED (SELECT ${columns} FROM ${sampled} WHERE ${condition} LIMIT ${most}),
    c AS MATERIALIZED (SELECT count(*) >= ${enoughSampled}::int AS is_enough FROM s)
    SELECT s.*, true AS is_sampled FROM s WHERE (SELECT is_enough FROM c)
    UNION ALL (SELECT ${columns}, false FROM search_doc d WHERE NOT (SELECT is_enough FROM c) AND ${condition} AND ${visibleWords} LIMIT ${most})
  ) AS d`;
}
