// The relevance of a document as SQL: the sum over the query's terms of rarity times ts_rank, by kind and length
// (docs/decisions/0016, 0039; judged by test/bench/relevance.ts). The best of it are weighed again in second-round.ts.
import type { ScoreTerm } from '#domain/search/query/compile.ts';
import { toBareWord } from '#domain/search/lexeme.ts';
import { any, expansionKey, operandsOf, toTsquery, word, wordsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';

const mostTerms = 16;
const mostTitleWords = 6;
// Words that patterns and near spellings stand for, all together: ts_rank sorts them anew for each document, 0.4 ms for a thousand. The first round looks at
// all documents found, the second at 500.
const mostAlternatives = { bounded: 6, head: 48, tsv: 320 } as const;
// Words that begin with a prefix are not counted beforehand; they are taken as fairly common.
const shareOfPrefix = 0.02;

/** How many documents are ranked: some, all that are found, the best of them. */
type Round = keyof typeof mostAlternatives;

/** The document counts that rarity is reckoned from. */
export type WordCounts = { readonly counts: ReadonlyMap<string, number>; readonly total: number };

/** The words whose counts a score needs: of a word of a field, its count in all fields. */
export function countedWords(terms: readonly ScoreTerm[], expanded: ExpandedWords): readonly string[] {
  return terms.flatMap((term) => wordsOf(term.query, expanded)).map(toBareWord);
}

/** The score of a row of search_doc `d`, reading the vector of one column: `head` for all matches, `tsv` for the best of them. */
export function toScore(
  terms: readonly ScoreTerm[],
  column: 'head' | 'tsv',
  counted: WordCounts,
  expanded: ExpandedWords,
  round: Round = column,
): Fragment {
  return terms.length === 0
    ? sql.fragment`d.factor::float8`
    : sql.fragment`${toSum(terms, column, counted, expanded, round)} * d.factor / ${toLength()}`;
}

/** What a score is divided by for the length of a document: 1 for one of thirty words. */
export const toLength = (): Fragment => sql.fragment`(0.6 + 0.4 * ln(1 + d.len) / ln(31))`;

/** What the terms add up to, before kind and length. */
export function toSum(
  terms: readonly ScoreTerm[],
  column: 'head' | 'tsv',
  counted: WordCounts,
  expanded: ExpandedWords,
  round: Round = column,
): Fragment {
  const vector = sql.fragment`d.${sql.identifier([column])}`;
  const ranked = toRankedWords(expanded, round);
  const parts = weigh(terms, counted, expanded).map(({ term, rarity }) => {
    const query = sql.fragment`${toTsquery(term.query, ranked)}::tsquery`;
    return term.isConstant
      ? sql.fragment`CASE WHEN ${vector} @@ ${query} THEN ${term.boost}::float8 ELSE 0 END`
      : sql.fragment`${rarity * term.boost}::float8 * ${toRank(vector, query, sql.fragment`${spreadOf(term.query, ranked)}::float8`)}`;
  });
  return parts.length === 0 ? sql.fragment`1::float8` : sql.fragment`(${sql.join(parts, sql.fragment` + `)})`;
}

/** The query for documents that have any of the words of some terms in their titles, as text; null where there are none. At most 6 words, the rarest terms' first. */
export function toTitleWords(terms: readonly ScoreTerm[], expanded: ExpandedWords): string | null {
  const ranked = toRankedWords(expanded, 'bounded');
  const words = [...new Set(terms.flatMap((term) => wordsOf(term.query, ranked)).map(toBareWord))];
  const found = words.filter((one) => !one.includes('=')).slice(0, mostTitleWords);
  return found.length === 0 ? null : toTsquery(any(found.map((one) => word(`t=${one}`))), new Map());
}

/** The words of expansions that are ranked by: the first of each, which are its most frequent, as many as a round can bear. All of them decide what is found. */
export function toRankedWords(expanded: ExpandedWords, round: Round): ExpandedWords {
  const each = Math.max(2, Math.floor(mostAlternatives[round] / Math.max(1, expanded.size)));
  return new Map([...expanded].map(([key, words]) => [key, words.slice(0, each)]));
}

/** The rank of a vector by a term, from 0 to 1. `spread` is that of the term's query. */
export function toRank(vector: Fragment, query: Fragment, spread: Fragment): Fragment {
  return sql.fragment`least(1, ${spread} * ts_rank('{0.1,0.3,0.6,1}', ${vector}, ${query}))`;
}

/**
 * By how much ts_rank takes a term for too little, since it divides by the number of alternatives: the words that an expansion stands for are
 * one, of which a document mostly has no more.
 */
export function spreadOf(query: LexemeQuery, expanded: ExpandedWords): number {
  if (query.kind !== 'any' && query.kind !== 'expand') return 1;
  const operands = operandsOf(query);
  const alternatives = operands.map((operand) =>
    operand.kind === 'expand' ? Math.max(1, expanded.get(expansionKey(operand.expansion))?.length ?? 0) : 1,
  );
  return alternatives.reduce((sum, count) => sum + count, 0) / Math.max(1, operands.length);
}

/** The terms that count, the rarest first, with the weight of their rarity. */
export function weigh(
  terms: readonly ScoreTerm[],
  counted: WordCounts,
  expanded: ExpandedWords,
): readonly { readonly term: ScoreTerm; readonly documents: number; readonly rarity: number }[] {
  return terms
    .map((term) => {
      const documents = documentsOf(term.query, counted, expanded);
      return { term, documents, rarity: Math.log(1 + counted.total / Math.max(documents, 1)) };
    })
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, mostTerms);
}

function documentsOf(query: LexemeQuery, counted: WordCounts, expanded: ExpandedWords): number {
  const of = (part: LexemeQuery): number => documentsOf(part, counted, expanded);
  switch (query.kind) {
    case 'word':
      return query.isPrefix === true
        ? counted.total * shareOfPrefix
        : (counted.counts.get(toBareWord(query.word)) ?? 0);
    case 'expand':
      return (expanded.get(expansionKey(query.expansion)) ?? []).reduce(
        (sum, word) => sum + (counted.counts.get(toBareWord(word)) ?? 0),
        0,
      );
    case 'any':
      return query.parts.reduce((sum, part) => sum + of(part), 0);
    case 'every':
    case 'sequence':
      return Math.min(counted.total, ...query.parts.map(of));
    case 'apart':
      return Math.min(of(query.left), of(query.right));
    case 'not':
      return counted.total;
  }
}
