// Looks up in the index's word list the forms of words: those with the same stem in a language. One statement for all words of a query, served
// by search_lexeme_stems_idx, which has the stems of all languages; that a word has the stem in this one is looked at for each.
import { z } from 'zod';
import { stemLanguages } from '#domain/search/query/stemming.ts';
import { expansionKey } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, Expansion } from '#domain/search/query/tsquery.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { RowQuery } from '../../connection/sql.ts';

const mostInflections = 50;
const mostWords = 1024;

/** Words to be found in all their forms. */
export type Inflections = Extract<Expansion, { readonly kind: 'inflections' }>;

/**
 * The forms of each word: itself first, then the most frequent others. At most 50, and 1,024 of all words
 * together: of a very long query there are fewer of each. A stop word of the language has none but itself.
 */
export async function readInflections(reader: Reader, asked: readonly Inflections[]): Promise<ExpandedWords> {
  const distinct = new Map(asked.map((forms) => [expansionKey(forms), forms]));
  if (distinct.size === 0) return new Map();
  const found = new Map([...distinct].map(([key, { word }]): [string, string[]] => [key, [word]]));
  for (const { key, word } of await reader.any(inflectionsStatement(distinct))) found.get(key)?.push(word);
  return new Map(
    [...found].map(([key, words]) => [key, words.map((word) => (distinct.get(key)?.prefix ?? '') + word)]),
  );
}

const InflectionRow = z.strictObject({ key: column.text, word: column.text });

/** The statement of readInflections: each key, and the other forms of its word. */
export function inflectionsStatement(asked: ReadonlyMap<string, Inflections>): RowQuery<z.infer<typeof InflectionRow>> {
  const most = Math.max(1, Math.min(mostInflections, Math.floor(mostWords / asked.size)));
  const given = [...asked].map(([key, { word, language }]) => [
    key,
    word,
    `pg_catalog.${stemLanguages[language]}_stem`,
  ]);
  // Set apart, so that no word without a stem gets to the look-up: it would fit all words.
  return sql.type(InflectionRow)`
    WITH asked AS MATERIALIZED (
      SELECT key, word, dictionary::regdictionary AS dictionary, ts_lexize(dictionary::regdictionary, word) AS stem
      FROM ${sql.unnest(given, ['text', 'text', 'text'])} AS a (key, word, dictionary) WHERE cardinality(ts_lexize(dictionary::regdictionary, word)) = 1)
    SELECT a.key, f.word FROM asked a CROSS JOIN LATERAL (
      SELECT l.word FROM search_lexeme l
      WHERE search_stems(l.word) @> a.stem AND position('=' IN l.word) = 0 AND l.word !~ '[0-9]' AND ts_lexize(a.dictionary, l.word) = a.stem AND l.word <> a.word
      ORDER BY l.df DESC, l.word LIMIT ${most - 1}) AS f`;
}
