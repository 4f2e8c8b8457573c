// The search adapter on PostgreSQL: compiles a request, looks its words up, reads page and facets under one snapshot.
import { isDeepStrictEqual } from 'node:util';
import { fail } from '#domain/errors.ts';
import { compileFilter, compileQuery, type CompiledQuery } from '#domain/search/query/compile.ts';
import type { Position } from '#domain/search/reply/cursor.ts';
import { packDocuments } from '#domain/search/documents/packed.ts';
import { highlight } from '#domain/search/reply/highlight.ts';
import { findField } from '#domain/search/fields.ts';
import { findByNeighbours } from '#domain/search/documents/neighbours.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import type { SearchResult } from '#domain/search/reply/page.ts';
import {
  leavesOf,
  lexemeQueriesOf,
  lexemes,
  matchAny,
  matchEvery,
  matchNot,
  type Predicate,
} from '#domain/search/query/predicate.ts';
import { asPublicCopy, copiedUri, copyTypes, forPublic } from '#domain/search/documents/public-copy.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import {
  correct,
  fewHits,
  mostSuggested,
  toAttempts,
  wordsToCheck,
  type Suggestion,
} from '#domain/search/suggesting/suggest.ts';
import { toSuggestedTitle } from '#domain/search/suggesting/typeahead.ts';
import { asksScopesOnly } from '#domain/search/query/scope.ts';
import {
  any,
  every,
  expansionsOf,
  word,
  wordsOf,
  type ExpandedWords,
  type LexemeQuery,
} from '#domain/search/query/tsquery.ts';
import type { Database, Reader, Transaction } from '../../connection/database.ts';
import { sql, type Fragment } from '../../connection/sql.ts';
import { hasPresentVersion, readEdition } from '../document-version.ts';
import type { SearchCapabilities, SearchPort, Visibility } from '../port.ts';
import { replacedTables } from './rebuild.ts';
import { toCondition, toVisibleCondition } from './conditions.ts';
import { countDocuments, expandWords } from './expand.ts';
import { explain } from './explain.ts';
import { countFacets, countsOfDocuments, countsOfScopes, countTypes, mostValues, withZeroCounts } from './facets.ts';
import { type Body, readBodies, readRankedPage, readSortedPage, type FoundPage } from './query.ts';
import { countedWords, toScore } from './ranking.ts';
import { countUpTo, readCandidates } from './suggest.ts';
import { sizeOfScopes } from './facet-counts.ts';
import { readTitles } from './typeahead.ts';
import { readCursorPage } from './cursor-pages.ts';
import { countWords as addWords } from './words.ts';
import type { SeenValues } from './seen-values.ts';
import { createSeenValues } from './seen-values.ts';
import { keyOf } from './keys.ts';
import { readIndexed, removeDocuments, writeDocuments } from './write.ts';

const mostNearCandidates = 5000;
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
    countTypes: (types, visibility) =>
      countTypes(
        database.reader,
        types,
        toVisibleCondition(visibility),
        visibility.mayNotSeeUnpublished ? copyTypes : [],
      ),
    read: (ids, visibility) => readVisible(database.reader, ids, visibility),
    index: (documents, seq) =>
      database.transaction(async (tx) => {
        const records = new Map(documents.map(({ kind, recordId }) => [`${kind} ${recordId}`, { kind, id: recordId }]));
        const known = await readIndexed(tx, [...records.values()]);
        const packed = packDocuments(documents, ({ kind, recordId }) => !known.has(keyOf({ kind, id: recordId })));
        await writeDocuments(tx, [...records.values()], packed, { seq, edition: await readEdition(tx) });
        await addWords(tx, packed.words);
      }),
    remove: (uris) => database.transaction((tx) => removeDocuments(tx, uris)),
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
  await tx.any(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true)`,
  );
  const match = await toMatch(tx, request, visibility);
  const { compiled, expanded } = match;
  const found: FoundPage & { readonly last?: Position } =
    request.cursor === undefined ? await readPage(tx, request, match) : await readCursorPage(tx, request, match);
  const bodies = await readBodies(tx, found.page);
  const hits = shown(bodies, visibility);
  return {
    total: found.total,
    hits,
    facets: await readFacets(tx, request, { match, visibility, seen }),
    ...(found.last === undefined ? {} : { last: found.last }),
    ...(request.isHighlighted ? { highlighting: mark(hits, compiled, expanded) } : {}),
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

/** What a request matches, as SQL, and what it was made of. `asksScopes`: its condition fits scopes of documents as well, which are counted already. */
type Match = {
  readonly compiled: CompiledQuery;
  readonly expanded: ExpandedWords;
  readonly condition: Fragment;
  readonly visible: Fragment;
  readonly asksScopes: boolean;
  readonly size: Fragment;
};

function compile(
  request: SearchRequest,
  visibility: Visibility,
): { readonly compiled: CompiledQuery; readonly predicate: Predicate } {
  const compiled: CompiledQuery = request.query === undefined ? { scores: [] } : compileQuery(request.query, request);
  const asked = matchEvery([...(compiled.predicate === undefined ? [] : [compiled.predicate]), ...toFilters(request)]);
  return { compiled, predicate: visibility.mayNotSeeUnpublished ? forPublic(asked) : asked };
}

async function toMatch(tx: Transaction, request: SearchRequest, visibility: Visibility): Promise<Match> {
  const { compiled, predicate } = compile(request, visibility);
  const expansions = lexemeQueriesOf(predicate).flatMap(expansionsOf);
  if (expansions.some(({ kind }) => kind === 'fuzzy') && !(await readCapabilities(tx)).fuzzy) {
    throw fail('unsupported_query', 'This installation has no search for near spellings (the extension fuzzystrmatch)');
  }
  const expanded = await expandWords(tx, expansions);
  const visible = toVisibleCondition(visibility);
  await refuseWideProximity(tx, predicate, visible);
  const condition = toWhole(await toCheaper(tx, predicate), expanded, visible);
  const asksScopes = asksScopesOnly(predicate);
  const size = asksScopes
    ? sizeOfScopes(condition)
    : sql.fragment`(SELECT count(*) FROM search_doc d WHERE ${condition})`;
  return { compiled, expanded, visible, condition, asksScopes, size };
}

/** The same predicate by neighbours, once all documents have them. */
async function toCheaper(reader: Reader, predicate: Predicate): Promise<Predicate> {
  const cheaper = findByNeighbours(predicate);
  return isDeepStrictEqual(cheaper, predicate) || !(await hasPresentVersion(reader)) ? predicate : cheaper;
}

const toWhole = (predicate: Predicate, expanded: ExpandedWords, visible: Fragment): Fragment =>
  isAll(predicate) ? visible : sql.fragment`${toCondition(predicate, expanded)} AND ${visible}`;

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

// Each candidate's vector is read and taken apart, 0.1 ms and more.
async function refuseWideProximity(tx: Transaction, predicate: Predicate, visible: Fragment): Promise<void> {
  const candidates = leavesOf(predicate)
    .filter((leaf) => leaf.kind === 'near')
    .map((near) => {
      const words = toCondition(lexemes(every(near.words.map(word))), new Map());
      return sql.fragment`SELECT count(*) AS count FROM (SELECT FROM search_doc d WHERE ${words} AND ${visible} LIMIT ${mostNearCandidates + 1}) AS candidate`;
    });
  if (candidates.length === 0) {
    return;
  }
  const counts = await tx.any<{ count: number }>(sql`${sql.join(candidates, sql.fragment` UNION ALL `)}`);
  if (counts.some(({ count }) => count > mostNearCandidates)) {
    throw fail(
      'unsupported_query',
      `More than ${mostNearCandidates} documents hold the words of a wide proximity; add a rarer word`,
    );
  }
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

/** What a request filters by besides its query. */
export function toFilters(request: SearchRequest): readonly Predicate[] {
  const types = findField('types');
  return [
    ...request.filters.flatMap((filter) => compileFilter(filter, request) ?? []),
    ...(request.types.length === 0 || types === undefined
      ? []
      : [lexemes(any(request.types.map((type) => word(toExactLexeme(types, type)))))]),
    ...(request.excludedIds.length === 0
      ? []
      : [matchNot(matchAny(request.excludedIds.map((value): Predicate => ({ kind: 'equals', column: 'id', value }))))]),
  ];
}

/** Documents as the caller knows them: to the public, shared ones are copies. */
function shown(bodies: readonly Body[], visibility: Visibility): SearchResult['hits'] {
  return bodies.map(({ id, stored, is_shared: isShared }) =>
    isShared && visibility.mayNotSeeUnpublished ? asPublicCopy(stored) : { id, stored },
  );
}

type Around = { readonly match: Match; readonly visibility: Visibility; readonly seen: SeenValues };

async function readFacets(
  tx: Transaction,
  request: SearchRequest,
  { match, visibility, seen }: Around,
): Promise<SearchResult['facets']> {
  const names = request.facets.map((field) => field.name);
  const copies = visibility.mayNotSeeUnpublished ? copyTypes : [];
  const counts = match.asksScopes ? countsOfScopes(names, match.condition) : countsOfDocuments(names, match.condition);
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
        : withZeroCounts(found, await seen.first(tx, field, visibility, field.name === 'types' ? copies : [])),
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
  const bodies =
    wanted.length === 0
      ? []
      : await reader.any<Body>(sql`
    SELECT d.id, b.stored, d.audience = 3 AS is_shared FROM ${sql.unnest(wanted, ['text', 'text'])} WITH ORDINALITY AS w (id, uri, place)
    JOIN search_doc d USING (uri) JOIN search_body b USING (no)
    WHERE ${toVisibleCondition(visibility)} AND (w.id = d.uri OR d.id = w.id OR d.audience = 3 AND ${visibility.mayNotSeeUnpublished}) ORDER BY place`);
  return shown(bodies, visibility);
}

async function readCapabilities(reader: Reader): Promise<SearchCapabilities> {
  const { fuzzy } = await reader.one<{ fuzzy: boolean }>(
    sql`SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'fuzzystrmatch') AS fuzzy`,
  );
  return { fuzzy, proximity: true };
}

function isAll(predicate: Predicate): boolean {
  return predicate.kind === 'lexemes' && predicate.query.kind === 'every' && predicate.query.parts.length === 0;
}

/** Marked fragments of hits. Bare words are marked; a field's words wherever they stand in the document. */
export function mark(
  hits: SearchResult['hits'],
  compiled: CompiledQuery,
  expanded: ExpandedWords,
): NonNullable<SearchResult['highlighting']> {
  const bare = (lexeme: string) => lexeme.slice(lexeme.indexOf('=') + 1);
  const words = new Set(compiled.scores.flatMap((term) => wordsOf(term.query, expanded)).map(bare));
  const beginnings = compiled.scores.flatMap((term) => prefixesOf(term.query)).map(bare);
  return Object.fromEntries(
    hits.map(({ id, stored }) => {
      // The index stores what document.ts made: an object of fields.
      const document = JSON.parse(stored) as { readonly [field: string]: unknown };
      const marked = Object.entries(document).flatMap(([name, value]): (readonly [string, readonly string[]])[] => {
        const texts = findField(name)?.type === 'text' ? (Array.isArray(value) ? value : [value]) : [];
        const fragment = texts.flatMap((text) =>
          typeof text === 'string' ? (highlight(text, { words, beginnings }) ?? []) : [],
        )[0];
        return fragment === undefined ? [] : [[name, [fragment]]];
      });
      return [id, Object.fromEntries(marked)];
    }),
  );
}

function prefixesOf(query: LexemeQuery): readonly string[] {
  switch (query.kind) {
    case 'word':
      return query.isPrefix === true ? [query.word] : [];
    case 'every':
    case 'any':
    case 'sequence':
      return query.parts.flatMap(prefixesOf);
    default:
      return [];
  }
}
