// The search adapter on PostgreSQL: compiles a request, looks its words up, reads page and facets under one snapshot.
import { markHits } from '#domain/search/reply/highlight.ts';
import type { SearchResult } from '#domain/search/reply/page.ts';
import { asPublicCopy, copiedUri, copyTypes } from '#domain/search/documents/public-copy.ts';
import type { Position, SearchRequest } from '#domain/search/query/request.ts';
import { correct, fewHits, mostSuggested, toAttempts, wordsToCheck } from '#domain/search/suggesting/suggest.ts';
import type { Suggestion } from '#domain/search/suggesting/suggest.ts';
import { toSuggestedTitle } from '#domain/search/suggesting/typeahead.ts';
import type { Database, Reader, Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { SearchPort, Visibility } from '../port.ts';
import { replacedTables } from './rebuild.ts';
import { toVisibleCondition } from './conditions.ts';
import { countDocuments } from './expand.ts';
import { explain } from './explain.ts';
import { countFacets, countsOfDocuments, countsOfScopes, countTypes, mostValues, withZeroCounts } from './facets.ts';
import type { Match } from './match.ts';
import { compile, readCapabilities, toMatch, toWhole } from './match.ts';
import { readBodies, readRankedPage, readSortedPage, Body } from './query.ts';
import type { FoundPage } from './query.ts';
import { countedWords, toScore } from './ranking.ts';
import { countUpTo, readCandidates } from './suggest.ts';
import { readTitles } from './typeahead.ts';
import { readCursorPage } from './cursor-pages.ts';
import type { SeenValues } from './seen-values.ts';
import { createSeenValues } from './seen-values.ts';
import type { Hidden } from './hidden.ts';
import { readHidden } from './hidden.ts';

// Tables that take the place of these come with their rows, or not at all (rebuild.ts).
const searching = { readOnly: true, tables: replacedTables };

/** The search index in the service's own database. */
export function postgresSearch(database: Database): SearchPort {
  const seen = createSeenValues();
  return {
    search: (request, visibility) => database.transaction((tx) => search(tx, request, visibility, seen), searching),
    suggestTitles: (request, visibility) =>
      database.transaction(
        async (tx) =>
          shown(await readTitles(tx, request, visibility), visibility).map(({ stored }) =>
            toSuggestedTitle(request.typed, stored),
          ),
        searching,
      ),
    countTypes: async (types, visibility) =>
      countTypes(
        database.reader,
        types,
        toVisibleCondition(visibility, await readHidden(database.reader, visibility)),
        visibility.mayNotSeeUnpublished ? copyTypes : [],
      ),
    read: (ids, visibility) => readVisible(database.reader, ids, visibility),
    capabilities: () => readCapabilities(database.reader),
  };
}

async function search(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  seen: SeenValues,
): Promise<SearchResult> {
  // The planner takes `@@` for cheap and would read every vector (dependencies, section 9). In 4 MB the matches of a wide query do not fit row by
  // row, and whole pages would be looked at again, vectors and all: 32 MB hold those of three million documents.
  await tx.run(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true)`,
  );
  const hidden = await readHidden(tx, visibility);
  const match = await toMatch(tx, request, visibility, hidden);
  const { compiled, expanded } = match;
  const found: FoundPage & { readonly last?: Position } =
    request.cursor === undefined ? await readPage(tx, request, match) : await readCursorPage(tx, request, match);
  const bodies = await readBodies(tx, found.page);
  const hits = shown(bodies, visibility);
  return {
    total: found.total,
    hits,
    facets: await readFacets(tx, request, { match, visibility, hidden, seen }),
    ...(found.last === undefined ? {} : { last: found.last }),
    ...(request.isHighlighted ? { highlighting: markHits(hits, compiled, expanded) } : {}),
    ...(request.suggests
      ? {
          suggestions:
            found.total < fewHits ? await suggest(tx, request, visibility, { ...match, total: found.total }) : [],
        }
      : {}),
    ...(request.isExplained
      ? {
          explanations: await explain(
            tx,
            found.page,
            hits.map(({ id }) => id),
            compiled,
            expanded,
          ),
        }
      : {}),
  };
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

async function readPage(
  tx: Transaction,
  request: SearchRequest,
  { compiled, condition, expanded, size }: Match,
): Promise<FoundPage> {
  const slice = { offset: (request.page - 1) * request.pageSize, size: request.pageSize };
  const [first] = request.sort;
  const isRanked = first === undefined || (first.field === 'score' && first.isDescending);
  const needsScore = request.sort.some((key) => key.field === 'score');
  if (compiled.scores.length === 0 || !(isRanked || needsScore)) {
    return readSortedPage(
      tx,
      { condition, size },
      request.sort.filter((key) => key.field !== 'score'),
      sql.fragment`0`,
      slice,
    );
  }
  const counted = await countDocuments(tx, countedWords(compiled.scores, expanded));
  const head = toScore(compiled.scores, 'head', counted, expanded);
  return isRanked
    ? readRankedPage(
        tx,
        condition,
        { head, tsv: toScore(compiled.scores, 'tsv', counted, expanded), key: compiled.key },
        slice,
      )
    : readSortedPage(tx, { condition, size }, request.sort, head, slice);
}

/** Documents as the caller knows them: to the public, shared ones are copies. */
function shown(bodies: readonly Body[], visibility: Visibility): SearchResult['hits'] {
  return bodies.map(({ id, stored, is_shared: isShared }) =>
    isShared && visibility.mayNotSeeUnpublished ? asPublicCopy(stored) : { id, stored },
  );
}

type Around = {
  readonly match: Match;
  readonly visibility: Visibility;
  readonly hidden: Hidden;
  readonly seen: SeenValues;
};

async function readFacets(
  tx: Transaction,
  request: SearchRequest,
  { match, visibility, hidden, seen }: Around,
): Promise<SearchResult['facets']> {
  const names = request.facets.map((field) => field.name);
  const copies = visibility.mayNotSeeUnpublished ? copyTypes : [];
  const counts =
    match.scopes === null ? countsOfDocuments(names, match.condition) : countsOfScopes(names, match.scopes);
  const counted = await countFacets(tx, names, counts, copies);
  if (request.facetMinCount > 0) {
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
