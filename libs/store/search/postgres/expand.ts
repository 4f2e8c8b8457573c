// Looks up in the index's word list what a query leaves open: the words that fit patterns, near spellings and ranges, the forms of words
// (inflections.ts), and in how many documents words are. One statement for each of the three.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { expansionKey } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, Expansion } from '#domain/search/query/tsquery.ts';
import { everyDocument, isFieldWord } from '#domain/search/lexeme.ts';
import { escapeLike } from '#domain/search/query/words.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { readInflections } from './inflections.ts';
import type { Inflections } from './inflections.ts';

const mostWords = 1024;
const mostSpellings = 50;
// Above so many words only spellings with the same first letter are tried: each costs a comparison (10 ms at 70,000 words).
const largeWordList = 500_000;

/** An expansion whose words one condition on the list tells. */
type Listed = Exclude<Expansion, Inflections>;

/** The words of each expansion, of patterns the most frequent first, of near spellings the nearest. Throws `unsupported_query` where a pattern or range has more than 1,024. */
export async function expandWords(reader: Reader, expansions: readonly Expansion[]): Promise<ExpandedWords> {
  const listed = await readListed(
    reader,
    expansions.filter((expansion) => expansion.kind !== 'inflections'),
  );
  return new Map([
    ...listed,
    ...(await readInflections(
      reader,
      expansions.filter((expansion) => expansion.kind === 'inflections'),
    )),
  ]);
}

const ListedRow = z.strictObject({ key: column.text, word: column.text, df: column.int });

async function readListed(reader: Reader, expansions: readonly Listed[]): Promise<ExpandedWords> {
  const distinct = new Map(expansions.map((expansion) => [expansionKey(expansion), expansion]));
  if (distinct.size === 0) {
    return new Map();
  }
  const parts = [...distinct].map(
    ([key, expansion]) =>
      sql.fragment`(SELECT ${key}::text AS key, word, df FROM search_lexeme WHERE ${conditionOf(expansion)})`,
  );
  const rows = await reader.any(sql.type(ListedRow)`${sql.join(parts, sql.fragment` UNION ALL `)}`);
  const found = new Map(
    [...distinct].map(([key, expansion]): [string, readonly string[]] => {
      const own = rows.filter((row) => row.key === key);
      // Near spellings come in their order already.
      const inOrder = expansion.kind === 'pattern' ? own.toSorted((a, b) => b.df - a.df) : own;
      return [key, inOrder.map(({ word }) => (isOfField(expansion) ? expansion.prefix + word : word))];
    }),
  );
  for (const [key, words] of found) {
    if (words.length > mostWords) {
      throw fail(
        'unsupported_query',
        `A pattern or range fits more than ${mostWords} words (${describe(distinct.get(key))})`,
      );
    }
  }
  return found;
}

const CountDocumentRow = z.strictObject({ word: column.text, df: column.int });

/** In how many documents each word is, and how many documents there are; words of none are absent. */
export async function countDocuments(
  reader: Reader,
  words: readonly string[],
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly total: number }> {
  const rows = await reader.any(sql.type(CountDocumentRow)`
    SELECT word, df FROM search_lexeme WHERE word = ANY(${sql.array([everyDocument, ...new Set(words)], 'text')})`);
  const counts = new Map(rows.map(({ word, df }) => [word, df]));
  return { counts, total: Math.max(counts.get(everyDocument) ?? 1, 1) };
}

// Words of a text field are listed bare alone (each is in its documents under both spellings): the field narrows the documents found.
const isOfField = (expansion: Listed | undefined): boolean => expansion !== undefined && isFieldWord(expansion.prefix);

// Bare words hold no `=`; every other lexeme has its prefix.
function conditionOf(given: Listed): Fragment {
  const expansion = isOfField(given) ? bare(given) : given;
  const scope =
    expansion.prefix === ''
      ? sql.fragment`position('=' IN word) = 0`
      : sql.fragment`starts_with(word, ${expansion.prefix})`;
  const value = sql.fragment`substr(word, ${expansion.prefix.length + 1}::int)`;
  switch (expansion.kind) {
    case 'pattern':
      return sql.fragment`word LIKE ${expansion.like} AND ${scope} LIMIT ${mostWords + 1}`;
    case 'fuzzy': {
      const { word, distance, prefix } = expansion;
      const length = [...(prefix + word)].length;
      const first = sql.fragment`(left(${value}, 1) = ${[...word][0] ?? ''} OR (SELECT reltuples FROM pg_class WHERE oid = 'search_lexeme'::regclass) < ${largeWordList})`;
      return sql.fragment`${scope} AND char_length(word) BETWEEN ${length - distance} AND ${length + distance} AND octet_length(word) <= 255 AND ${first}
        AND levenshtein_less_equal(${value}, ${word.slice(0, 80)}, ${distance}) <= ${distance}
        ORDER BY levenshtein_less_equal(${value}, ${word.slice(0, 80)}, ${distance}), df DESC, word LIMIT ${mostSpellings}`;
    }
    case 'between':
      return between(expansion, scope, value);
  }
}

function bare(expansion: Listed): Listed {
  return expansion.kind === 'pattern'
    ? { ...expansion, prefix: '', like: expansion.like.slice(escapeLike(expansion.prefix).length) }
    : { ...expansion, prefix: '' };
}

function between(expansion: Extract<Expansion, { kind: 'between' }>, scope: Fragment, value: Fragment): Fragment {
  // CASE keeps the cast from values of other fields, whatever order the planner tries conditions in.
  const compared = expansion.isNumeric
    ? sql.fragment`CASE WHEN ${scope} AND ${value} ~ '^-?[0-9]{1,9}$' THEN ${value}::int END`
    : sql.fragment`${value}`;
  const bound = (text: string) => (expansion.isNumeric ? sql.fragment`${text}::int` : sql.fragment`${text}::text`);
  const ends = [
    ...(expansion.from === undefined
      ? []
      : [
          sql.fragment`${compared} ${expansion.includesFrom ? sql.fragment`>=` : sql.fragment`>`} ${bound(expansion.from)}`,
        ]),
    ...(expansion.to === undefined
      ? []
      : [
          sql.fragment`${compared} ${expansion.includesTo ? sql.fragment`<=` : sql.fragment`<`} ${bound(expansion.to)}`,
        ]),
  ];
  return sql.fragment`${sql.join([scope, ...ends], sql.fragment` AND `)} LIMIT ${mostWords + 1}`;
}

function describe(expansion: Listed | undefined): string {
  return expansion?.kind === 'pattern'
    ? expansion.like.replaceAll('%', '*').replaceAll('_', '?')
    : (expansion?.prefix ?? '');
}
