// Looks up "did you mean" in the index's word list: a fixed number of statements, each bounded, without any extension. A word is suggested
// only if a document has it that the caller may see and that passes the filters of the search.
import { z } from 'zod';
import { lexemes } from '#domain/search/query/predicate.ts';
import type { CountedWord } from '#domain/search/suggesting/suggest.ts';
import { mostSuggested, rankCandidates, toCommonStart, toNearSpellings } from '#domain/search/suggesting/suggest.ts';
import { word as toWord } from '#domain/search/query/tsquery.ts';
import { escapeLike } from '#domain/search/query/words.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment, RowQuery } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { toCondition } from './conditions.ts';

// Of the words that begin alike, so many are read and so many of the most frequent are compared.
const mostRead = 20_000;
const mostCompared = 400;
const mostCounted = 1000;
// A word that is in fewer documents than this may be a mistake of whoever described them.
const rare = 3;

/** For each word that may be misspelt, those that it may stand for `within` a condition, best first; words that are well known there are absent. */
export async function readCandidates(
  reader: Reader,
  words: readonly string[],
  within: Fragment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const seen = await countSeen(reader, words, within);
  const doubtful = words.filter((word) => (seen.get(word) ?? 0) < rare);
  if (doubtful.length === 0) return new Map();
  const near = await readNear(reader, doubtful);
  const ranked = new Map(
    doubtful.map((word) => [word, rankCandidates(word, near.get(word) ?? []).slice(0, 2 * mostSuggested.candidates)]),
  );
  const counts = await countSeen(reader, [...new Set([...ranked.values()].flat())], within);
  // A word that is there is only taken for another that is more frequent.
  return new Map(
    [...ranked].map(([word, found]) => [
      word,
      found.filter((other) => (counts.get(other) ?? 0) > (seen.get(word) ?? 0)).slice(0, mostSuggested.candidates),
    ]),
  );
}

const FittingRow = z.strictObject({ place: column.int, count: column.int });

/** How many documents fit each condition, counted up to a thousand. */
export async function countUpTo(reader: Reader, conditions: readonly Fragment[]): Promise<readonly number[]> {
  if (conditions.length === 0) return [];
  const parts = conditions.map(
    (condition, place) =>
      sql.fragment`SELECT ${place}::int AS place, count(*) AS count FROM (SELECT FROM search_doc d WHERE ${condition} LIMIT ${mostCounted}) AS found`,
  );
  const rows = await reader.any(sql.type(FittingRow)`${sql.join(parts, sql.fragment` UNION ALL `)} ORDER BY place`);
  return rows.map(({ count }) => count);
}

const CountSeenRow = z.strictObject({ word: column.text, count: column.int });

// Counted up to `rare`.
async function countSeen(
  reader: Reader,
  words: readonly string[],
  within: Fragment,
): Promise<ReadonlyMap<string, number>> {
  if (words.length === 0) return new Map();
  const parts = words.map(
    (word) =>
      sql.fragment`SELECT ${word}::text AS word, count(*) AS count FROM (SELECT FROM search_doc d WHERE ${toCondition(lexemes(toWord(word)), new Map())} AND ${within} LIMIT ${rare}) AS found`,
  );
  const rows = await reader.any(sql.type(CountSeenRow)`${sql.join(parts, sql.fragment` UNION ALL `)}`);
  return new Map(rows.map(({ word, count }) => [word, count]));
}

const NearRow = z.strictObject({ asked: column.text, word: column.text, df: column.int });

/** The statement that reads words one mistake away by key, and two away among the most frequent that begin alike. Served by search_lexeme_pkey. */
export function nearStatement(words: readonly string[]): RowQuery<z.infer<typeof NearRow>> {
  const parts = words.map((word) => {
    const length = [...word].length;
    return sql.fragment`
      SELECT ${word}::text AS asked, word, df FROM search_lexeme WHERE word = ANY(${sql.array([...toNearSpellings(word)], 'text')})
      UNION SELECT ${word}::text, word, df FROM (
        SELECT word, df FROM (SELECT word, df FROM search_lexeme WHERE word LIKE ${`${escapeLike(toCommonStart(word))}%`} LIMIT ${mostRead}) AS alike
        WHERE char_length(word) BETWEEN ${length - 2} AND ${length + 2} AND position('=' IN word) = 0 ORDER BY df DESC LIMIT ${mostCompared}) AS frequent`;
  });
  return sql.type(NearRow)`${sql.join(parts, sql.fragment` UNION ALL `)}`;
}

/** For each word, those of the index that it may stand for. */
export async function readNear(
  reader: Reader,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly CountedWord[]>> {
  const rows = await reader.any(nearStatement(words));
  const near = new Map<string, CountedWord[]>();
  for (const { asked, word, df } of rows) near.set(asked, [...(near.get(asked) ?? []), { word, df }]);
  return near;
}
