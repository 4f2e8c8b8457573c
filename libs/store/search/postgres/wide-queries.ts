// Queries whose page took too long to be found whole: who asks the same soon afterwards is answered by part at once, in place of waiting until it is
// stopped again. The commonest words are those that many ask for.
import type { SearchRequest } from '#domain/search/query/request.ts';
import type { Visibility } from '../port.ts';
import { keepLatest } from '#domain/keep-latest.ts';

/** What is known of queries that were stopped; see createWideQueries(). */
export type WideQueries = {
  has(request: SearchRequest, visibility: Visibility): boolean;
  add(request: SearchRequest, visibility: Visibility): void;
};

// A machine that was busy may be idle after that, and the page be found whole.
const keptMs = 60_000;
const mostKept = 1000;

/** Makes the memory of one service: a minute long, whatever page of the query is asked for. Without `remembers` nothing is known. */
export function createWideQueries(now: () => number = Date.now, remembers = true): WideQueries {
  const stoppedAt = new Map<string, number>();
  return {
    // Nearly always nothing is kept, and no key need be made.
    has: (request, visibility) =>
      stoppedAt.size > 0 && now() - (stoppedAt.get(keyOf(request, visibility)) ?? -Infinity) < keptMs,
    add: (request, visibility) => {
      if (remembers) keepLatest(stoppedAt, mostKept, keyOf(request, visibility), now());
    },
  };
}

/** What decides how much is found, and how much of it is looked at. */
const keyOf = (
  { query, filters, types, excludedIds, sort, isRelaxed, stem }: SearchRequest,
  visibility: Visibility,
): string => JSON.stringify([query, filters, types, excludedIds, sort, isRelaxed, stem, visibility]);
