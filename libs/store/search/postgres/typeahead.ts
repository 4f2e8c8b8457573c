// Titles as somebody types, from PostgreSQL's index: five statements, each of which reads a bounded stretch of an index, whatever was typed
// and however much there is. Only what the caller may see is ever ranked, so nothing in a reply tells of what is hidden.
import { z } from 'zod';
import { kindsWhere } from '#domain/search/declared.ts';
import type { AlikeWords, TitleRequest, TypedText } from '#domain/search/suggesting/typeahead.ts';
import { mostLookedAt, rankTitles, toTitleSearch } from '#domain/search/suggesting/typeahead.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';
import { any } from '#domain/search/query/tsquery.ts';
import type { Reader } from '../../connection/database.ts';
import { column, UnreadRow } from '../../connection/columns.ts';
import type { Fragment, RowQuery } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { toVisibleCondition } from './conditions.ts';
import { readHidden } from './hidden.ts';
import type { Body } from './query.ts';
import { readBodies } from './query.ts';
import { exact, toSeenText, toVisibleText } from './visible-words.ts';

// Documents that each way of looking gives at most, before those that are hidden are left out.
const mostFound = 1000;
// Behind every word and sort key in the order of code points.
const behind = '\u{10ffff}';
// What stands for many components, or has a name of its own: looked for first where the kind is open.
const leading = kindsWhere(({ suggestedFirst }) => suggestedFirst === true);

/** The documents whose titles are best for what was typed, best first. */
export async function readTitles(
  reader: Reader,
  { typed, types, limit }: TitleRequest,
  visibility: Visibility,
): Promise<readonly Body[]> {
  // As in searches, the planner must not read the whole table.
  await reader.any(
    sql.type(UnreadRow)`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`,
  );
  const search = toTitleSearch(typed, await readAlike(reader, typed));
  const queries =
    search === null
      ? []
      : [
          ...(types.length === 0 ? [[...search.query, ofAny(leading)]] : []),
          search.query,
          ...(search.loose === null ? [] : [search.loose]),
        ];
  const visible = toVisibleCondition(visibility, await readHidden(reader, visibility));
  const statement = titlesStatement(typed.start, queries, types, { visibility, visible });
  const candidates = statement === null ? [] : await reader.any(statement);
  return readBodies(reader, rankTitles(typed, candidates, search?.left ?? [], limit));
}

const AlikeRow = z.strictObject({
  typed: column.text,
  count: column.int,
  documents: column.number,
  words: column.texts,
  dfs: column.ints,
});

/** The statement that looks up what begins as each word. Served by search_lexeme_pkey. */
export function alikeStatement(words: readonly string[]): RowQuery<z.infer<typeof AlikeRow>> {
  // Lexemes that are no words (`x=types=resource`) stand between the word itself and the others; there may be very many.
  const ranges = words.map((one) => [one, `${one}=`, `${one}>`, one + behind]);
  const stretch = (from: Fragment, to: Fragment): Fragment =>
    sql.fragment`(SELECT word, df FROM search_lexeme WHERE word >= ${from} AND word < ${to} ORDER BY word LIMIT ${mostLookedAt.alike})`;
  return sql.type(AlikeRow)`
    SELECT t.word AS typed, count(*)::int AS count, sum(l.df)::float8 AS documents,
      (array_agg(l.word ORDER BY l.df DESC, l.word))[1:${mostLookedAt.taken}::int] AS words, (array_agg(l.df ORDER BY l.df DESC, l.word))[1:${mostLookedAt.taken}::int] AS dfs
    FROM ${sql.unnest(ranges, ['text', 'text', 'text', 'text'])} AS t (word, until, beyond, last)
    CROSS JOIN LATERAL (${stretch(sql.fragment`t.word`, sql.fragment`t.until`)} UNION ALL ${stretch(sql.fragment`t.beyond`, sql.fragment`t.last`)}) AS l GROUP BY t.word`;
}

async function readAlike(reader: Reader, { words }: TypedText): Promise<ReadonlyMap<string, AlikeWords>> {
  const asked = words.flatMap((one) => (one.isWhole ? [] : [one.word]));
  if (asked.length === 0) return new Map();
  const rows = await reader.any(alikeStatement(asked));
  return new Map(
    rows.map(({ typed, count, documents, words: frequent, dfs }) => [
      typed,
      { count, documents, frequent: frequent.map((one, place) => ({ word: one, df: dfs[place] ?? 0 })) },
    ]),
  );
}

const CandidateRow = z.strictObject({ no: column.int, title: column.text, factor: column.number });

/**
 * The statement that gathers candidates: titles that begin so, by search_doc_title_sort_idx, and for each query documents that have all of its
 * parts, by search_doc_tsv_idx. Null where nothing is looked for.
 */
export function titlesStatement(
  start: string,
  queries: readonly (readonly LexemeQuery[])[],
  types: readonly string[],
  { visibility, visible }: { readonly visibility: Visibility; readonly visible: Fragment },
): RowQuery<z.infer<typeof CandidateRow>> | null {
  const columns = sql.fragment`d.no::int AS no, d.title_sort AS title, d.factor::float8 AS factor`;
  // Collection management has the title of its record.
  const shown = types.includes('collection_management')
    ? visible
    : sql.fragment`${visible} AND position('/collection_management/' IN d.uri) = 0`;
  const typed = types.length === 0 ? [] : [ofAny(types)];
  const ofTypes =
    types.length === 0 ? sql.fragment`true` : sql.fragment`d.tsv @@ ${toSeenText(typed, visibility)}::tsquery`;
  const beginning: readonly Fragment[] =
    start === ''
      ? []
      : [
          sql.fragment`
    (SELECT ${columns} FROM (SELECT d.* FROM (SELECT * FROM search_doc WHERE title_sort >= ${start} AND title_sort < ${start + behind} ORDER BY title_sort, no LIMIT ${mostFound}) AS d
      WHERE ${shown} OFFSET 0) AS d WHERE ${ofTypes})`,
        ];
  const matching = queries.map(
    (parts) => sql.fragment`
    (SELECT ${columns} FROM (SELECT * FROM search_doc d WHERE d.tsv @@ ${toVisibleText([...parts, ...typed], visibility)}::tsquery LIMIT ${mostFound}) AS d WHERE ${shown})`,
  );
  const arms = [...beginning, ...matching];
  return arms.length === 0 ? null : sql.type(CandidateRow)`${sql.join(arms, sql.fragment` UNION ALL `)}`;
}

const ofAny = (types: readonly string[]): LexemeQuery => any(types.map((type) => exact('types', type)));
