// How documents got their places: the parts of the score of each document of a page, for administrators who wonder about an order.
import { z } from 'zod';
import type { CompiledQuery } from '#domain/search/query/compile.ts';
import type { JsonObject } from '#domain/json.ts';
import type { ExpandedWords } from '#domain/search/query/tsquery.ts';
import { toTsquery } from '#domain/search/query/tsquery.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { countDocuments } from './expand.ts';
import { bonuses, rankedWindow } from './query.ts';
import { countedWords, spreadOf, toRank, toRankedWords, toScore, weigh } from './ranking.ts';
import { toSecondRound } from './second-round.ts';

const Row = z.strictObject({
  head: column.number,
  whole: column.number,
  has_key: column.bool,
  has_all: column.bool,
  factor: column.number,
  title: column.number,
  share: column.number,
  near: column.number,
  coverage: column.number,
  len: column.number,
  ranks: z.array(column.number),
});
type Row = z.infer<typeof Row>;

/**
 * For each document: the score by which it is ordered (`score`), that of the first round (`first_round`), the factors of its kind and of its title, how
 * much of the query its title has, how near the words stand, how much of it the document has, its length in words, whether it has the query as its identifier and, where the search goes on with most
 * of its words, whether it has all of them, and what each term adds before factor and length.
 */
export async function explain(
  reader: Reader,
  numbers: readonly number[],
  ids: readonly string[],
  compiled: CompiledQuery,
  expanded: ExpandedWords,
): Promise<{ readonly [id: string]: JsonObject }> {
  const { scores, key, tier } = compiled;
  const counted = await countDocuments(reader, countedWords(scores, expanded));
  const weighed = weigh(scores, counted, expanded);
  const ranked = toRankedWords(expanded, 'tsv');
  const queries = weighed.map(({ term }) => toTsquery(term.query, ranked));
  const spreads = weighed.map(({ term }) => spreadOf(term.query, ranked));
  const second = toSecondRound(compiled, counted, expanded);
  const rows = await reader.any(sql.type(Row)`
    SELECT ${toScore(scores, 'head', counted, expanded)} AS head, ${second.score} AS whole, d.factor, l.title, l.share, l.near, l.coverage, d.len,
      ${key === undefined ? sql.fragment`false` : sql.fragment`d.tsv @@ ${toTsquery({ kind: 'word', word: key }, expanded)}::tsquery`} AS has_key,
      ${tier === undefined ? sql.fragment`false` : sql.fragment`d.tsv @@ ${tier}::tsquery`} AS has_all,
      ARRAY(SELECT CASE WHEN d.tsv @@ q.query THEN ${toRank(sql.fragment`d.tsv`, sql.fragment`q.query`, sql.fragment`t.spread`)} ELSE 0 END
        FROM unnest(${sql.array(queries, 'text')}, ${sql.array(spreads, 'float8')}) WITH ORDINALITY AS t (text, spread, place)
        CROSS JOIN LATERAL (SELECT t.text::tsquery AS query) AS q ORDER BY t.place) AS ranks
    FROM unnest(${sql.array([...numbers], 'int8')}) WITH ORDINALITY AS wanted (no, place) JOIN search_doc d USING (no) ${second.joins} ORDER BY wanted.place`);
  return Object.fromEntries(
    rows.map((row, place): [string, JsonObject] => {
      const terms = weighed.map(({ term, documents, rarity }, at): JsonObject => {
        const rank = row.ranks[at] ?? 0;
        return {
          term: queries[at] ?? '',
          documents,
          rarity: round(rarity),
          boost: term.boost,
          rank: round(rank),
          adds: round(term.isConstant ? (rank > 0 ? term.boost : 0) : rarity * term.boost * rank),
        };
      });
      const bonus = (row.has_key ? bonuses.key : 0) + (row.has_all ? bonuses.tier : 0);
      return [
        ids[place] ?? '',
        {
          score: round(row.whole + bonus),
          first_round: round(row.head + bonus),
          ranked_window: rankedWindow,
          is_identifier: row.has_key,
          ...(tier === undefined ? {} : { has_all_words: row.has_all }),
          factor: row.factor,
          title_factor: round(row.title),
          in_title: round(row.share),
          nearness: round(row.near),
          coverage: round(row.coverage),
          words: row.len,
          terms,
        },
      ];
    }),
  );
}

const round = (number: number): number => Math.round(number * 10_000) / 10_000;
