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

// A machine that was busy may be idle after that, and the page be found whole. A query that is stopped again soon afterwards is too wide for an idle one as well.
const leastKeptMs = 60_000;
const mostKeptMs = 3_600_000;
const mostKept = 1000;

/**
 * Makes the memory of one service: a minute long, and twice as long each time that the query is stopped again soon, up to an hour; whatever page of it is asked for. Without `remembers`
 * nothing is known.
 */
export function createWideQueries(now: () => number = Date.now, remembers = true): WideQueries {
  const stopped = new Map<string, { readonly at: number; readonly keptMs: number }>();
  return {
    // Nearly always nothing is kept, and no key need be made.
    has: (request, visibility) => {
      const last = stopped.size > 0 ? stopped.get(keyOf(request, visibility)) : undefined;
      return last !== undefined && now() - last.at < last.keptMs;
    },
    add: (request, visibility) => {
      if (!remembers) return;
      const key = keyOf(request, visibility);
      const at = now();
      const last = stopped.get(key);
      const isAgain = last !== undefined && at - last.at < 2 * last.keptMs;
      keepLatest(stopped, mostKept, key, { at, keptMs: isAgain ? Math.min(2 * last.keptMs, mostKeptMs) : leastKeptMs });
    },
  };
}

/** What decides how much is found, and how much of it is looked at. */
const keyOf = (
  { query, filters, types, excludedIds, sort, isRelaxed, stem }: SearchRequest,
  visibility: Visibility,
): string => JSON.stringify([query, filters, types, excludedIds, sort, isRelaxed, stem, visibility]);
