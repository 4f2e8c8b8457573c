// The second round of ranking, for the best of the first: the sum of what terms add, weighed by how the words of the query stand in the document: all in its
// title or scattered over a long note (docs/decisions/0039; judged in test/bench/results).
import type { CompiledQuery } from '#domain/search/query/compile.ts';
import { toBareWord } from '#domain/search/lexeme.ts';
import { any, every, expansionKey, mapQuery, toTsquery, word, wordsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { toLength, toRankedWords, toSum, weigh } from './ranking.ts';
import type { WordCounts } from './ranking.ts';

// Chosen on the questions of test/bench/judged that tune; those around each are as good (decision 0039).
const wholeTitle = 3;
const citedTitle = 2;
const wordsOfTitle = 0.6;
/** How much of its kind's weight a document has that has no word of the query in its title. */
const kindAtLeast = 0.5;
const coveragePower = 2;
// Each place of a word is looked at for each word: the rarest suffice.
const mostNear = 8;

/** The score as an expression over rows of search_doc `d`, and the joins that it reads: `l` with what was looked at. */
export type SecondRound = { readonly score: Fragment; readonly joins: Fragment };

/**
 * The score of the second round. `l` has `share`: how much of the query, by rarity, the title has; `title`: the factor for a title that is the query (3) or quoted in it (2), or of
 * whose words so many are the query's (up to 1.6); `near`: how near the words stand to each other (1 to 2); `coverage`: how much of the query the document has.
 */
export function toSecondRound(
  { scores, title, cited = [], tier }: CompiledQuery,
  counted: WordCounts,
  expanded: ExpandedWords,
): SecondRound {
  const ranked = toRankedWords(expanded, 'head');
  const weighed = weigh(scores, counted, expanded).filter(({ term }) => !term.isConstant && term.isAsTyped !== true);
  const inTitles = weighed.flatMap(({ term, rarity }) => {
    const query = inTitle(term.query, ranked);
    return query === undefined ? [] : [{ query, rarity }];
  });
  const share = shareOf(inTitles, 'head', ranked);
  const words = [
    ...weighed.flatMap(({ term }) => wordsOf(term.query, ranked).map(toBareWord)),
    ...(title === undefined ? [] : title.split(' ')),
  ];
  const coverage =
    tier === undefined
      ? sql.fragment`1::float8`
      : shareOf(
          weighed.map(({ term, rarity }) => ({ query: term.query, rarity })),
          'tsv',
          ranked,
        );
  return {
    score: sql.fragment`${toSum(scores, 'tsv', counted, expanded)} * (1 + (d.factor - 1) * (${kindAtLeast}::float8 + ${1 - kindAtLeast}::float8 * l.share)) / ${toLength()}
      * l.title * l.near * power(l.coverage, ${coveragePower}::int)`,
    // OFFSET keeps the planner from writing each of them wherever it is read.
    joins: sql.fragment`CROSS JOIN LATERAL (SELECT ${share} AS share OFFSET 0) AS s
      CROSS JOIN LATERAL (SELECT s.share, ${toTitleFactor(title, cited, inTitles.length > 0 ? [...new Set(words)] : undefined)} AS title,
        ${toNearness(
          weighed.map(({ term }) => term.query),
          expanded,
        )} AS near, ${coverage} AS coverage OFFSET 0) AS l`,
  };
}

function toTitleFactor(
  title: string | undefined,
  cited: readonly string[],
  words: readonly string[] | undefined,
): Fragment {
  const isWhole = title === undefined || title === '' ? sql.fragment`false` : sql.fragment`d.title_sort = ${title}`;
  const isCited =
    cited.length === 0
      ? sql.fragment``
      : sql.fragment`WHEN d.title_sort = ANY(${sql.array([...cited], 'text')}) THEN ${citedTitle}::float8`;
  const parted =
    words === undefined
      ? sql.fragment``
      : sql.fragment`WHEN s.share > 0.999 THEN (SELECT 1 + ${wordsOfTitle}::float8 * count(*) FILTER (WHERE part = ANY(${sql.array([...words], 'text')})) / greatest(count(*), 1)
        FROM unnest(string_to_array(d.title_sort, ' ')) AS part)`;
  return sql.fragment`CASE WHEN ${isWhole} THEN ${wholeTitle}::float8 ${isCited} ${parted} ELSE 1 END`;
}

/** How much of the query a document has, from 0 to 1, each part weighed by its rarity. */
function shareOf(
  parts: readonly { readonly query: LexemeQuery; readonly rarity: number }[],
  column: 'head' | 'tsv',
  ranked: ExpandedWords,
): Fragment {
  const whole = parts.reduce((sum, { rarity }) => sum + rarity, 0);
  if (whole === 0) return sql.fragment`1::float8`;
  const found = parts.map(({ query, rarity }) => {
    const words = sql.fragment`${toTsquery(query, ranked)}::tsquery`;
    // The head stands in the row; the whole vector is fetched from beside it.
    const has =
      column === 'head' ? sql.fragment`d.head @@ ${words}` : sql.fragment`(d.head @@ ${words} OR d.tsv @@ ${words})`;
    return sql.fragment`CASE WHEN ${has} THEN ${rarity / whole}::float8 ELSE 0 END`;
  });
  return sql.fragment`(${sql.join(found, sql.fragment` + `)})`;
}

/** One more than the density of the places where all words stand together, which is at most 1. The words of ancestors have no place. */
function toNearness(queries: readonly LexemeQuery[], expanded: ExpandedWords): Fragment {
  if (queries.length < 2) return sql.fragment`1::float8`;
  const together = toTsquery(every(queries.slice(0, mostNear)), toRankedWords(expanded, 'bounded'));
  return sql.fragment`(1 + least(1, ts_rank_cd('{0.1,0.3,0.6,1}', d.tsv, ${together}::tsquery)))::float8`;
}

/** A query as titles have it; undefined where it asks for another field. */
function inTitle(query: LexemeQuery, ranked: ExpandedWords): LexemeQuery | undefined {
  const found = wordsOf(query, ranked);
  if (found.some((one) => one.includes('=') && !one.startsWith('t='))) return undefined;
  const titled = (text: string): string => (text.includes('=') ? text : `t=${text}`);
  return mapQuery(query, (part) =>
    part.kind === 'word'
      ? { ...part, word: titled(part.word) }
      : part.kind === 'expand'
        ? any((ranked.get(expansionKey(part.expansion)) ?? []).map((text) => word(titled(text))))
        : part.kind === 'apart'
          ? { ...part, left: inTitle(part.left, ranked) ?? part.left, right: inTitle(part.right, ranked) ?? part.right }
          : undefined,
  );
}
