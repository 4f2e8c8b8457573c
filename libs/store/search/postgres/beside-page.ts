// What a search gives beside its page: counts of facets, other spellings, and the reasons of the order. Each is left out where it takes too long.
import type { SearchResult, SearchWarning } from '#domain/search/reply/page.ts';
import { copyTypes } from '#domain/search/documents/public-copy.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { lexemes, matchEvery } from '#domain/search/query/predicate.ts';
import { toRelaxable } from '#domain/search/query/relax.ts';
import { every } from '#domain/search/query/tsquery.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';
import { correct, fewHits, mostSuggested, toAttempts, wordsToCheck } from '#domain/search/suggesting/suggest.ts';
import type { Suggestion } from '#domain/search/suggesting/suggest.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { explain } from './explain.ts';
import { countFacets, countsOfDocuments, countsOfScopes, mostValues, withZeroCounts } from './facets.ts';
import type { Hidden } from './hidden.ts';
import type { Match } from './match.ts';
import { toWhole } from './conditions.ts';
import { compile } from './match.ts';
import type { FoundPage } from './query.ts';
import type { SeenValues } from './seen-values.ts';
import { countUpTo, readCandidates } from './suggest.ts';
import type { TimeLimit, Way } from './time-limit.ts';
import { mostFaceted } from './time-limit.ts';

/** What the reply says where facets were counted over some documents. */
export const partOfFacets: SearchWarning = {
  code: 'facets_of_part',
  message: `Counting all that is found takes too long: facets are counted over ${mostFaceted} documents of it. Add a rarer word or a filter.`,
};

/** Queries that find more, where the search asks for them and found few documents. */
export async function readSuggestions(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  { match, found, time }: { readonly match: Match; readonly found: FoundPage; readonly time: TimeLimit },
): Promise<readonly Suggestion[]> {
  if (found.total >= fewHits || time.way('suggestions') === 'left out') return [];
  await time.enter(tx, 'suggestions');
  // For a word that nobody wrote, and some three documents wanted, the planner would go through another index from end to end: words are looked up by their own.
  await tx.run(sql`SELECT set_config('enable_indexscan', 'off', true)`);
  const suggestions = await suggest(tx, request, visibility, { ...match, total: found.total });
  await tx.run(sql`SELECT set_config('enable_indexscan', 'on', true)`);
  return suggestions;
}

// Of more words than these it is not looked which is too many.
const mostWithout = 12;

/** How the search went on with most of its words; and where no document has all of them, the words without which some are found. */
export async function readWithout(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  { match, found, time }: { readonly match: Match; readonly found: FoundPage; readonly time: TimeLimit },
): Promise<Pick<SearchResult, 'relaxed' | 'foundWithout'>> {
  const { query, ...filtering } = request;
  const { relaxed, expanded, visible } = match;
  const isAsked = relaxed !== null || (request.suggests && found.total === 0);
  if (!isAsked || query === undefined || time.way('suggestions') === 'left out') return {};
  await time.enter(tx, 'suggestions');
  const parts = toRelaxable(query, request.stem);
  if (parts === undefined) return {};
  const further = parts.rest === undefined ? [] : [parts.rest];
  const within = compile({ ...filtering, filters: [...request.filters, ...further] }, visibility).predicate;
  const fitting = (words: readonly LexemeQuery[]): Fragment =>
    toWhole(matchEvery([lexemes(every(words)), within]), expanded, visible);
  const asked = parts.words.map((one) => one.asked);
  const [withAll = 0] = relaxed === null ? [0] : await countUpTo(tx, [fitting(asked)]);
  const told = relaxed === null ? {} : { relaxed: { with_all: withAll, ...relaxed.words } };
  if (withAll > 0 || asked.length < 2 || asked.length > mostWithout) return told;
  const counts = await countUpTo(
    tx,
    asked.map((_, place) => fitting(asked.filter((__, other) => other !== place))),
  );
  const without = parts.words.flatMap(({ text }, place) =>
    (counts[place] ?? 0) > 0 ? [{ word: text, total_hits: counts[place] ?? 0 }] : [],
  );
  return { ...told, foundWithout: without };
}

/** How the documents of a page got their places. */
export async function readExplanations(
  tx: Transaction,
  { compiled, expanded }: Match,
  { found, hits }: { readonly found: FoundPage; readonly hits: SearchResult['hits'] },
  time: TimeLimit,
): Promise<NonNullable<SearchResult['explanations']>> {
  if (time.way('explanations') === 'left out') return {};
  await time.enter(tx, 'explanations');
  return explain(
    tx,
    found.page,
    hits.map(({ id }) => id),
    compiled,
    expanded,
  );
}

/** Queries that find more than this one did, with other words in the place of its doubtful ones. */
async function suggest(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  { visible, expanded, total }: Match & { readonly total: number },
): Promise<readonly Suggestion[]> {
  const { query, ...filtering } = request;
  const words = query === undefined ? [] : wordsToCheck(query);
  if (query === undefined || words.length === 0) return [];
  // Words are looked for where the search looks: routes that are open to all are limited by their filters, not by what is visible.
  const within = toWhole(compile(filtering, visibility).predicate, expanded, visible);
  const attempts = toAttempts(await readCandidates(tx, words, within)).map((corrections) => ({
    corrections,
    query: correct(query, corrections),
  }));
  // Patterns and ranges stay as they were, so what was looked up for them serves here too.
  const conditions = attempts.map((attempt) =>
    toWhole(compile({ ...request, query: attempt.query }, visibility).predicate, expanded, visible),
  );
  const counts = await countUpTo(tx, conditions);
  return attempts
    .map((attempt, place) => ({ ...attempt, hits: counts[place] ?? 0 }))
    .filter(({ hits }) => hits > total)
    .slice(0, mostSuggested.suggestions);
}

type Counting = {
  readonly match: Match;
  readonly visibility: Visibility;
  readonly hidden: Hidden;
  readonly seen: SeenValues;
  readonly way: Way;
};

/** The counts of the facets that a search asks for. */
export async function readFacets(
  tx: Transaction,
  request: SearchRequest,
  { match, visibility, hidden, seen, way }: Counting,
): Promise<SearchResult['facets']> {
  const names = request.facets.map((field) => field.name);
  if (way === 'left out') return names.map((field) => ({ field, counts: [] }));
  const copies = visibility.mayNotSeeUnpublished ? copyTypes : [];
  const isPart = match.scopes === null && way !== 'whole';
  const counts =
    match.scopes === null
      ? isPart
        ? countsOfDocuments(names, { ...match, condition: match.narrow, sampleAlone: way === 'sampled' }, 'some')
        : countsOfDocuments(names, match)
      : countsOfScopes(names, match.scopes);
  const counted = await countFacets(tx, names, counts, copies);
  // Where only some documents were counted, a count of 0 would say too much.
  if (request.facetMinCount > 0 || isPart) {
    return counted.map(({ field, counts }) => ({
      field,
      counts: counts.filter(([, count]) => count >= request.facetMinCount),
    }));
  }
  // Zero rows come only from what the caller can see at all, or the list would tell of hidden records.
  const complete: SearchResult['facets'][number][] = [];
  // A handful of fields on the one connection of the snapshot.
  for (const [place, found] of counted.entries()) {
    const field = request.facets[place];
    complete.push(
      field === undefined || found.counts.length >= mostValues
        ? found
        : withZeroCounts(
            found,
            await seen.first(tx, field, { visibility, hidden }, field.name === 'types' ? copies : []),
          ),
    );
  }
  return complete;
}
