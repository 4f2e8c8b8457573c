// The statements of a search: the page by relevance in two rounds, and the documents of a page. The page by fields: sorted-page.ts.
import { z } from 'zod';
import type { SortKey } from '#domain/search/query/request.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { SecondRound } from './second-round.ts';
import type { Fitting } from './some-documents.ts';
import { enoughSampled, isPartial, someDocuments } from './some-documents.ts';
import { mostBounded } from './time-limit.ts';

/** So many of the best by `head` are ranked anew by the whole vector; those after keep their first order. */
export const rankedWindow = 500;

/** What a document is worth more that has the query as its identifier, and one that has all words where most of them do. */
export const bonuses = { key: 1000, tier: 500 } as const;

/** One page: how many documents match, and the numbers of the page's documents in order. */
export const FoundPage = z.strictObject({ total: column.int, page: column.ints });
export type FoundPage = z.infer<typeof FoundPage>;

/** Which rows of the order: so many skipped, then so many taken. */
export type Slice = { readonly offset: number; readonly size: number };

/** The keys behind the score, by which what is equally relevant is ordered: their values of `d` as columns to be carried along, and the order by these. */
function behindScore(keys: readonly SortKey[]): {
  readonly values: Fragment;
  readonly names: Fragment;
  readonly order: Fragment;
} {
  const parts = keys
    .filter(({ field }) => field !== 'score')
    .map((key, place) => ({ key, name: sql.identifier([`key_${place}`]) }));
  const each = (write: (part: (typeof parts)[number]) => Fragment): Fragment =>
    parts.length === 0 ? sql.fragment`` : sql.fragment`${sql.join(parts.map(write), sql.fragment``)}`;
  return {
    values: each(({ key, name }) => sql.fragment`, ${toSortValue(key.field)} AS ${name}`),
    names: each(({ name }) => sql.fragment`, ${name}`),
    order: each(({ key, name }) => sql.fragment`, ${name} ${toDirection(key)}`),
  };
}

/**
 * The page by relevance. `key`: documents with this lexeme, an identifier typed as the whole query, come first. `behind`: the keys by which those are
 * ordered that are equally relevant.
 */
export function readRankedPage(
  reader: Reader,
  condition: Fragment,
  scores: {
    readonly head: Fragment;
    readonly second: SecondRound;
    readonly key: string | undefined;
    readonly tier?: string | undefined;
  },
  slice: Slice,
  behind: readonly SortKey[] = [],
): Promise<FoundPage> {
  const { values, names, order } = behindScore(behind);
  const bonus = sql.fragment`(${
    scores.key === undefined
      ? sql.fragment`0`
      : sql.fragment`CASE WHEN d.no IN (SELECT no FROM k) THEN ${bonuses.key}::int ELSE 0 END`
  } + ${scores.tier === undefined ? sql.fragment`0` : sql.fragment`CASE WHEN d.no IN (SELECT no FROM t) THEN ${bonuses.tier}::int ELSE 0 END`})`;
  const tiered =
    scores.tier === undefined
      ? sql.fragment``
      : sql.fragment`t AS MATERIALIZED (SELECT d.no FROM search_doc d WHERE d.tsv @@ ${scores.tier}::tsquery),`;
  const keyed =
    scores.key === undefined
      ? sql.fragment`SELECT NULL::bigint AS no WHERE false`
      : sql.fragment`SELECT d.no FROM search_doc d WHERE d.tsv @@ ${toKeyQuery(scores.key)}::tsquery`;
  const rest =
    slice.offset + slice.size <= rankedWindow
      ? sql.fragment``
      : sql.fragment`UNION ALL (SELECT no, ${rankedWindow} + row_number() OVER (ORDER BY h DESC${order}, no) AS place FROM (SELECT no, h${names} FROM m ORDER BY h DESC${order}, no OFFSET ${rankedWindow}) AS late)`;
  // Matching is served by search_doc_tsv_idx; m is read once more for the count.
  return reader.one(sql.type(FoundPage)`
    WITH k AS MATERIALIZED (${keyed}),
    ${tiered} m AS MATERIALIZED (SELECT no, h + b AS h, b${names} FROM (SELECT d.no, ${scores.head} AS h, ${bonus} AS b${values} FROM search_doc d WHERE ${condition}) AS d),
    w AS MATERIALIZED (SELECT no, b${names} FROM m ORDER BY h DESC${order}, no LIMIT ${rankedWindow}),
    z AS (SELECT d.no, ${scores.second.score} + w.b AS s${names} FROM w JOIN search_doc d USING (no) ${scores.second.joins})
    SELECT (SELECT count(*) FROM m) AS total, ARRAY(
      SELECT no::int FROM (SELECT no, row_number() OVER (ORDER BY s DESC${order}, no) AS place FROM z ${rest}) AS placed
      ORDER BY place OFFSET ${slice.offset} LIMIT ${slice.size}) AS page`);
}

/** A page of some of what matches. `isPart`: that more does, which was not looked at. */
export const PartPage = FoundPage.extend({ isPart: column.bool });
export type PartPage = z.infer<typeof PartPage>;

// As many of a sample have words of the query in their titles: those are not rare, and need not be looked for among all.
const enoughTitled = enoughSampled / 2;

/**
 * The page by relevance among some of the documents found: those that have words of the query in their titles, and some of all others; of each so many
 * at most. `total` is how many these are, or all, where there are fewer. `behind` as in readRankedPage.
 */
export function readBoundedPage(
  reader: Reader,
  fitting: Fitting,
  {
    head,
    inTitle,
    key,
  }: { readonly head: Fragment; readonly inTitle: string | null; readonly key: string | undefined },
  slice: Slice,
  behind: readonly SortKey[] = [],
): Promise<PartPage> {
  const { condition, visibleWords, sampleAlone = false } = fitting;
  const { values, order } = behindScore(behind);
  const having = (query: string): Fragment => sql.fragment`d.tsv @@ ${query}::tsquery`;
  const further = (score: Fragment, also: Fragment, limit: number): Fragment =>
    sql.fragment`(SELECT d.no, ${score} AS h FROM search_doc d WHERE ${condition} AND ${visibleWords} AND ${also} LIMIT ${limit})`;
  const titled = inTitle === null ? sql.fragment`false` : having(inTitle);
  const arms = [
    sql.fragment`SELECT no, h FROM p`,
    ...(inTitle === null || sampleAlone
      ? []
      : [
          further(
            head,
            sql.fragment`(SELECT count(*) FROM p WHERE is_sampled AND is_titled) < ${enoughTitled}::int AND ${titled}`,
            mostBounded / 2,
          ),
        ]),
    ...(key === undefined || sampleAlone
      ? []
      : [further(sql.fragment`${head} + ${bonuses.key}::int`, having(toKeyQuery(key)), rankedWindow)]),
  ];
  return reader.one(sql.type(PartPage)`
    WITH p AS MATERIALIZED (SELECT * FROM ${someDocuments(sql.fragment`d.no, ${head} AS h, ${titled} AS is_titled`, fitting)}),
    m AS MATERIALIZED (SELECT no, max(h) AS h FROM (${sql.join(arms, sql.fragment` UNION ALL `)}) AS part GROUP BY no)
    SELECT (SELECT count(*) FROM m) AS total,
      ${isPartial(sql.fragment`(SELECT count(*) FROM m)`, sql.fragment`EXISTS (SELECT FROM p WHERE is_sampled)`)} AS "isPart",
      ARRAY(
      SELECT no::int FROM ${behind.length === 0 ? sql.fragment`m` : sql.fragment`(SELECT d.no, m.h${values} FROM m JOIN search_doc d USING (no)) AS m`}
      ORDER BY h DESC${order}, no OFFSET ${slice.offset} LIMIT ${slice.size}) AS page`);
}

const toKeyQuery = (key: string): string => `'${key.replace(/['\\]/g, '$&$&')}'`;

/** A document as it is stored, and whether it is one that the public knows as a copy. */
export const Body = z.strictObject({ id: column.text, stored: column.text, is_shared: column.bool });
export type Body = z.infer<typeof Body>;

/** The stored documents of some numbers, in their order; of those numbers alone that fit a condition on documents `d`, where one is given. */
export async function readBodies(
  reader: Reader,
  numbers: readonly number[],
  condition: Fragment = sql.fragment`true`,
): Promise<readonly Body[]> {
  return numbers.length === 0
    ? []
    : reader.any(sql.type(Body)`
        SELECT d.id, b.stored, d.audience = 3 AS is_shared FROM unnest(${sql.array([...numbers], 'int8')}) WITH ORDINALITY AS wanted (no, place)
        JOIN search_doc d USING (no) JOIN search_body b USING (no) WHERE ${condition} ORDER BY place`);
}

/** The direction of a key: what has no value is last, whichever way. */
export const toDirection = ({ isDescending }: SortKey): Fragment =>
  isDescending ? sql.fragment`DESC NULLS LAST` : sql.fragment`ASC NULLS LAST`;

/** What a row of search_doc `d` is ordered by for a field; null for the score, which is no field. */
export function toSortValue(field: SortKey['field']): Fragment {
  if (field === 'score') return sql.fragment`NULL::float8`;
  const { name, type, column } = field;
  if (column !== undefined) {
    return column === 'uri' || column === 'id'
      ? sql.fragment`d.${sql.identifier([column])} COLLATE "C"`
      : sql.fragment`d.${sql.identifier([column])}`;
  }
  return type === 'int' ? sql.fragment`(d.sorts->>${name})::numeric` : sql.fragment`(d.sorts->>${name}) COLLATE "C"`;
}
