// Looks up in the index's word list the forms of words: those with the same stem in a language. One statement for all words of a query, served
// by search_lexeme_stems_idx, which has the stems of all languages; that a word has the stem in this one is looked at for each. Languages that
// PostgreSQL does not stem go by their endings, in a second statement.
import { z } from 'zod';
import { formsOf, isLight } from '#domain/search/query/endings.ts';
import { stemLanguages, variantsOf } from '#domain/search/query/stemming.ts';
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
  const most = mostOfEach(distinct.size);
  const light = new Map([...distinct].filter(([, { language }]) => isLight(language)));
  const stemmed = new Map([...distinct].filter(([key]) => !light.has(key)));
  const rows = [
    ...(stemmed.size === 0 ? [] : await reader.any(inflectionsStatement(stemmed))),
    ...(light.size === 0 ? [] : await reader.any(formsStatement(light, most))),
  ];
  for (const { key, word } of rows) found.get(key)?.push(word);
  return new Map(
    [...found].map(([key, words]) => [
      key,
      [...new Set(words)].slice(0, most).map((word) => (distinct.get(key)?.prefix ?? '') + word),
    ]),
  );
}

const InflectionRow = z.strictObject({ key: column.text, word: column.text });

/** The statement of readInflections: each key, and the other forms of its word. */
export function inflectionsStatement(asked: ReadonlyMap<string, Inflections>): RowQuery<z.infer<typeof InflectionRow>> {
  const most = mostOfEach(asked.size);
  const given = [...asked].flatMap(([key, { word, language }]) =>
    isLight(language)
      ? []
      : [word, ...variantsOf(word, language)].map((one) => [
          key,
          one,
          word,
          `pg_catalog.${stemLanguages[language]}_stem`,
        ]),
  );
  // Set apart, so that no word without a stem gets to the look-up: it would fit all words.
  return sql.type(InflectionRow)`
    WITH asked AS MATERIALIZED (
      SELECT key, typed, dictionary::regdictionary AS dictionary, ts_lexize(dictionary::regdictionary, word) AS stem
      FROM ${sql.unnest(given, ['text', 'text', 'text', 'text'])} AS a (key, word, typed, dictionary) WHERE cardinality(ts_lexize(dictionary::regdictionary, word)) = 1)
    SELECT a.key, f.word FROM asked a CROSS JOIN LATERAL (
      SELECT l.word FROM search_lexeme l
      WHERE search_stems(l.word) @> a.stem AND position('=' IN l.word) = 0 AND l.word !~ '[0-9]' AND ts_lexize(a.dictionary, l.word) = a.stem AND l.word <> a.typed
      ORDER BY l.df DESC, l.word LIMIT ${most - 1}) AS f`;
}

const mostOfEach = (words: number): number => Math.max(1, Math.min(mostInflections, Math.floor(mostWords / words)));

/** The statement for languages whose endings are listed: those of the words that may be forms which the index has, by their keys. */
function formsStatement(
  asked: ReadonlyMap<string, Inflections>,
  most: number,
): RowQuery<z.infer<typeof InflectionRow>> {
  const parts = [...asked].map(([key, { word, language }]) => {
    const forms = isLight(language) ? formsOf(word, language) : [];
    return sql.fragment`(SELECT ${key}::text AS key, word FROM search_lexeme WHERE word = ANY(${sql.array([...forms], 'text')}) ORDER BY df DESC, word LIMIT ${most - 1})`;
  });
  return sql.type(InflectionRow)`${sql.join(parts, sql.fragment` UNION ALL `)}`;
}
