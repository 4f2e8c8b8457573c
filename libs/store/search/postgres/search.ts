// The search adapter on PostgreSQL: compiles a request, looks its words up, reads page and facets under one snapshot.
import { fail } from '#domain/errors.ts';
import { largestInt4 } from '#domain/int4.ts';
import { markHits } from '#domain/search/reply/highlight.ts';
import type { SearchResult, SearchWarning } from '#domain/search/reply/page.ts';
import { asPublicCopy, copiedUri, copyTypes } from '#domain/search/documents/public-copy.ts';
import { largestPage } from '#domain/search/query/request.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import type { ExpandedWords } from '#domain/search/query/tsquery.ts';
import { toSuggestedTitle } from '#domain/search/suggesting/typeahead.ts';
import type { Database, Reader, Transaction } from '../../connection/database.ts';
import { isTooMuch } from '../../connection/pg-errors.ts';
import { sql } from '../../connection/sql.ts';
import type { FoundAll, SearchPort, Visibility } from '../port.ts';
import { replacedTables } from './rebuild.ts';
import { toScopeCondition, toVisibleCondition } from './conditions.ts';
import { partOfFacets, readExplanations, readFacets, readSuggestions, readWithout } from './beside-page.ts';
import { countTypes } from './facets.ts';
import { readCapabilities, toMatch } from './match.ts';
import { readFound } from './found.ts';
import type { Found } from './found.ts';
import { readBodies, Body } from './query.ts';
import type { FoundPage } from './query.ts';
import { readTitles } from './typeahead.ts';
import type { SeenValues } from './seen-values.ts';
import { createSeenValues } from './seen-values.ts';
import { hiddenDocuments, readHidden } from './hidden.ts';
import type { TimeLimit } from './time-limit.ts';
import { isPartWay, startTimeLimit, toStopped } from './time-limit.ts';
import type { WideQueries } from './wide-queries.ts';
import { createWideQueries } from './wide-queries.ts';

// Tables that take the place of these come with their rows, or not at all (rebuild.ts).
const searching = { readOnly: true, tables: replacedTables };

/** The search index in the service's own database. `remembers`: as for openSearch(). `limitMs`: how long a page of a search, titles or counts of types may take of it; as long as any statement unless told. */
export function postgresSearch(
  database: Database,
  { limitMs = null, remembers = true }: { readonly limitMs?: number | null; readonly remembers?: boolean } = {},
): SearchPort {
  const seen = createSeenValues(Date.now, remembers);
  const wide = createWideQueries(Date.now, remembers);
  const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    try {
      return await database.transaction(async (tx) => {
        if (limitMs !== null) await tx.run(sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`);
        return work(tx);
      }, searching);
    } catch (error) {
      throw toStopped(error);
    }
  };
  return {
    search: (request, visibility) =>
      searchInTime(database, request, visibility, {
        seen,
        wide,
        // What the service reads for itself in large portions (CSV) has the time of any statement.
        time: startTimeLimit(request.pageSize > largestPage ? null : limitMs),
        kept: {},
      }),
    searchAll: (request, visibility) => searchAll(database, request, visibility),
    suggestTitles: (request, visibility) =>
      within(async (tx) =>
        shown(await readTitles(tx, request, visibility), visibility).map(({ stored }) =>
          toSuggestedTitle(request.typed, stored),
        ),
      ),
    countTypes: (types, visibility) =>
      within(async (tx) => {
        const hidden = await readHidden(tx, visibility);
        const scopes = { condition: toScopeCondition(visibility, hidden), hidden: hiddenDocuments(hidden) };
        return countTypes(tx, types, scopes, visibility.mayNotSeeUnpublished ? copyTypes : []);
      }),
    read: (ids, visibility) => readVisible(database.reader, ids, visibility),
    capabilities: () => readCapabilities(database.reader),
  };
}

/** Has the statements of a search planned as such, and stopped after so long; null: after as long as any. */
async function prepare(tx: Transaction, timeout: ReturnType<TimeLimit['begin']>): Promise<void> {
  // The planner takes `@@` for cheap and would read every vector (dependencies, section 9). In 4 MB the matches of a wide query do not fit row by
  // row, and whole pages would be looked at again, vectors and all: 32 MB hold those of three million documents.
  await tx.run(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
      set_config('statement_timeout', coalesce(nullif(${timeout}::text, ''), current_setting('statement_timeout')), true)`,
  );
}

/** What a search has between its attempts. `kept`: the words that were looked up, and the page that was found before a later stage was stopped. */
type Around = {
  readonly seen: SeenValues;
  readonly wide: WideQueries;
  readonly time: TimeLimit;
  readonly kept: { words?: ExpandedWords; page?: Page };
};
type Page = { readonly found: Found; readonly hits: SearchResult['hits'] };

async function searchInTime(
  database: Database,
  request: SearchRequest,
  visibility: Visibility,
  around: Around,
): Promise<SearchResult> {
  const { time, wide } = around;
  // A walk by cursor has no part.
  const known = request.cursor === undefined ? wide.wayOf(request, visibility) : undefined;
  if (known !== undefined) time.boundPage(known);
  for (;;) {
    try {
      return await refusingTooMuch(() =>
        database.transaction((tx) => search(tx, request, visibility, around), searching),
      );
    } catch (error) {
      const before = time.way('page');
      time.stopped(error);
      const way = time.way('page');
      if (before !== way && isPartWay(way)) wide.add(request, visibility, way);
    }
  }
}

async function search(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  { seen, time, kept }: Around,
): Promise<SearchResult> {
  await prepare(tx, time.begin('page'));
  const hidden = await readHidden(tx, visibility);
  const match = await toMatch(tx, request, visibility, hidden, kept.words);
  const { compiled, expanded } = match;
  kept.words = expanded;
  if (kept.page === undefined) {
    const found = await readFound(tx, request, match, time.way('page'));
    kept.page = { found, hits: shown(await readBodies(tx, found.page), visibility) };
  }
  const { found, hits } = kept.page;
  if (request.facets.length > 0) await time.enter(tx, 'facets');
  const facets = await readFacets(tx, request, { match, visibility, hidden, seen, way: time.way('facets') });
  const result: SearchResult = {
    total: found.total,
    hits,
    facets,
    ...(await readWithout(tx, request, visibility, { match, found, time })),
    ...(found.last === undefined ? {} : { last: found.last }),
    ...(request.isHighlighted ? { highlighting: markHits(hits, compiled, expanded) } : {}),
    ...(request.suggests
      ? { suggestions: await readSuggestions(tx, request, visibility, { match, found, time }) }
      : {}),
    ...(request.isExplained ? { explanations: await readExplanations(tx, match, { found, hits }, time) } : {}),
  };
  const warnings = [
    ...(found.isPart === true ? [toPartWarning(found.total)] : []),
    ...(request.facets.length > 0 && match.scopes === null && isPartWay(time.way('facets')) ? [partOfFacets] : []),
    ...time.warnings(),
  ];
  return warnings.length === 0 ? result : { ...result, warnings };
}

// The largest that PostgreSQL takes for a limit here: no search finds so many.
const all = { page: 1, pageSize: largestInt4 };

async function searchAll(database: Database, request: SearchRequest, visibility: Visibility): Promise<FoundAll> {
  const find = async (tx: Transaction): Promise<FoundPage> => {
    // What the service reads for itself has the time of any statement.
    await prepare(tx, startTimeLimit(null).begin('page'));
    const whole = { ...request, ...all };
    return readFound(tx, whole, await toMatch(tx, whole, visibility, await readHidden(tx, visibility)), 'whole');
  };
  // Numbers last as long as documents do, and longer than an index that is made anew (rebuild.ts).
  const { page } = await refusingTooMuch(() => database.transaction(find, searching));
  const numbers = Int32Array.from(page);
  return {
    portions: async function* (from, size) {
      for (let at = from; at < numbers.length; at += size) {
        const hidden = await readHidden(database.reader, visibility);
        const wanted = [...numbers.subarray(at, at + size)];
        yield shown(await readBodies(database.reader, wanted, toVisibleCondition(visibility, hidden)), visibility);
      }
    },
  };
}

async function refusingTooMuch<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    throw fail('unsupported_query', 'The search is too much for the index as a whole', {}, error);
  }
}

const toPartWarning = (total: number): SearchWarning => ({
  code: 'total_is_least',
  message: `Looking at all that is found takes too long: ${total} documents were, there are more, and the order is that of these. Add a rarer word or a filter.`,
});

/** Documents as the caller knows them: to the public, shared ones are copies. */
function shown(bodies: readonly Body[], visibility: Visibility): SearchResult['hits'] {
  return bodies.map(({ id, stored, is_shared: isShared }) =>
    isShared && visibility.mayNotSeeUnpublished ? asPublicCopy(stored) : { id, stored },
  );
}

async function readVisible(
  reader: Reader,
  ids: readonly string[],
  visibility: Visibility,
): Promise<SearchResult['hits']> {
  // The id of a copy means the copy; a plain URI whatever document of the record the caller sees (contract section 8).
  const wanted = [...new Set(ids)].map((id) => [id, copiedUri(id) ?? id]);
  const hidden = await readHidden(reader, visibility);
  const bodies =
    wanted.length === 0
      ? []
      : await reader.any(sql.type(Body)`
    SELECT d.id, b.stored, d.audience = 3 AS is_shared FROM ${sql.unnest(wanted, ['text', 'text'])} WITH ORDINALITY AS w (id, uri, place)
    JOIN search_doc d USING (uri) JOIN search_body b USING (no)
    WHERE ${toVisibleCondition(visibility, hidden)} AND (w.id = d.uri OR d.id = w.id OR d.audience = 3 AND ${visibility.mayNotSeeUnpublished}) ORDER BY place`);
  return shown(bodies, visibility);
}
