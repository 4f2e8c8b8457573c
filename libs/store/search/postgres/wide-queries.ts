// Queries whose page took too long to be found whole: who asks the same soon afterwards is answered by part at once, in place of waiting until it is
// stopped again. The commonest words are those that many ask for.
import type { SearchRequest } from '#domain/search/query/request.ts';
import type { Visibility } from '../port.ts';
import { keepLatest } from '#domain/keep-latest.ts';
import type { PartWay } from './time-limit.ts';

/** What is known of queries that were stopped; see createWideQueries(). */
export type WideQueries = {
  /** The way in which it was answered; undefined where it was not stopped lately. */
  wayOf(request: SearchRequest, visibility: Visibility): PartWay | undefined;
  add(request: SearchRequest, visibility: Visibility, way: PartWay): void;
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
  const stopped = new Map<string, { readonly way: PartWay; readonly at: number; readonly keptMs: number }>();
  return {
    // Nearly always nothing is kept, and no key need be made.
    wayOf: (request, visibility) => {
      const last = stopped.size > 0 ? stopped.get(keyOf(request, visibility)) : undefined;
      return last !== undefined && now() - last.at < last.keptMs ? last.way : undefined;
    },
    add: (request, visibility, way) => {
      if (!remembers) return;
      const key = keyOf(request, visibility);
      const at = now();
      keepLatest(stopped, mostKept, key, { way, at, keptMs: toKeptMs(stopped.get(key), at) });
    },
  };
}

/** How long it is remembered that a query was stopped, which may have been so before: in one search or while that was remembered, or soon afterwards. */
function toKeptMs(last: { readonly at: number; readonly keptMs: number } | undefined, at: number): number {
  if (last === undefined || at - last.at >= 2 * last.keptMs) return leastKeptMs;
  return at - last.at < last.keptMs ? last.keptMs : Math.min(2 * last.keptMs, mostKeptMs);
}

/** What decides how much is found, and how much of it is looked at. */
const keyOf = (
  { query, filters, types, excludedIds, sort, isRelaxed, stem }: SearchRequest,
  visibility: Visibility,
): string => JSON.stringify([query, filters, types, excludedIds, sort, isRelaxed, stem, visibility]);
