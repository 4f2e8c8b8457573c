// The search adapter on Typesense. Matching is that of PostgreSQL, lexeme by lexeme; the word list stays there. What cannot be answered alike is
// refused by name (unsupported.ts). Page, total and facets of a reply come from one request, yet not from one moment: Typesense has no snapshots.
import { Failure } from '#domain/errors.ts';
import { findField } from '#domain/search/fields.ts';
import { textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import type { FacetCounts, SearchResult } from '#domain/search/reply/page.ts';
import { lexemeQueriesOf, lexemes, matchEvery } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { asPublicCopy, copiedUri, copyTypes, forPublic } from '#domain/search/documents/public-copy.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { markHits } from '#domain/search/reply/highlight.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import { expansionsOf, word } from '#domain/search/query/tsquery.ts';
import type { Database } from '../../connection/database.ts';
import type { SearchPort, Visibility } from '../port.ts';
import { expandWords } from '../postgres/expand.ts';
import { withZeroCounts } from '../postgres/facets.ts';
import { compile } from '../postgres/match.ts';
import { postgresSearch } from '../postgres/search.ts';
import type { TypesenseClient } from './client.ts';
import type { Collections, KnownFields } from './collections.ts';
import { knownFields } from './collections.ts';
import { facetFieldOf, facetSearch, nameCounts, withCopyTypes } from './facets.ts';
import { both, compares, oneOf, operationsOf, printFilter } from './filter.ts';
import type { Filter } from './filter.ts';
import { mostHits, multiSearch } from './multi-search.ts';
import type { Found, Search } from './multi-search.ts';
import { sortFieldOf, toSortBy } from './rank.ts';
import { toToken } from './token.ts';
import { prefixesOf, toFilter } from './translate.ts';
import { notExpressible, refuseInexpressible } from './unsupported.ts';
import { audiences, toMirrored, visibleFilter } from './visibility.ts';

// The server's own limit, unless it is told another at its start.
const mostOperations = 100;
const answered = 'doc_id,audience,stored';

/** What the adapter stands on: PostgreSQL for the word list and the names of values, and a server. */
export type TypesenseParts = {
  readonly database: Database;
  readonly client: TypesenseClient;
  readonly collections: Collections;
  /** How long a search of PostgreSQL's index may take, in milliseconds; whether it may remember what it found. */
  readonly limitMs: number;
  readonly remembers: boolean;
};

/** The search index on Typesense, beside PostgreSQL's. */
export function typesenseSearch({ database, client, collections, limitMs, remembers }: TypesenseParts): SearchPort {
  const postgres = postgresSearch(database, { limitMs, remembers });
  const known = knownFields(collections);
  const run = (searches: readonly Search[]): Promise<readonly Found[]> =>
    multiSearch(client, collections.alias, searches);
  return {
    // What is not a search over documents (spellings, suggestions) stays with PostgreSQL, whose index is kept as complete as ever.
    ...postgres,
    search: async (request, asked) => {
      const visibility = await toMirrored(database.reader, asked);
      if (visibility === null) return postgres.search(request, asked);
      const around: Around = { database, run, known, mayBeFuzzy: async () => (await postgres.capabilities()).fuzzy };
      return client.within('ask', async () => {
        try {
          return await search(around, request, visibility);
        } catch (error) {
          // An index made anew may lack a field that the one before had: asked for again with what it has.
          if (!(error instanceof Failure) || error.code !== 'internal' || !known.forget()) throw error;
          return search(around, request, visibility);
        }
      });
    },
    countTypes: async (types, asked) => {
      const visibility = await toMirrored(database.reader, asked);
      if (visibility === null) return postgres.countTypes(types, asked);
      return client.within('ask', () => countTypes(run, types, visibility));
    },
    read: async (ids, asked) => {
      const visibility = await toMirrored(database.reader, asked);
      if (visibility === null) return postgres.read(ids, asked);
      return client.within('ask', () => read(run, ids, visibility));
    },
    capabilities: async () => ({ fuzzy: (await postgres.capabilities()).fuzzy, proximity: false }),
  };
}

type Run = (searches: readonly Search[]) => Promise<readonly Found[]>;
type Around = {
  readonly database: Database;
  readonly run: Run;
  readonly known: KnownFields;
  readonly mayBeFuzzy: () => Promise<boolean>;
};

async function search(around: Around, request: SearchRequest, visibility: Visibility): Promise<SearchResult> {
  refuseInexpressible(request);
  const { database, run, known } = around;
  const { compiled, predicate } = compile(request, visibility);
  const expansions = lexemeQueriesOf(predicate).flatMap((query) => [...expansionsOf(query), ...prefixesOf(query)]);
  if (expansions.some(({ kind }) => kind === 'fuzzy') && !(await around.mayBeFuzzy()))
    throw notExpressible(['near spellings (the extension fuzzystrmatch of PostgreSQL)']);
  const expanded = await expandWords(database.reader, expansions);
  const visible = visibleFilter(visibility);
  const filter = both([toFilter(predicate, expanded), visible]);
  if (operationsOf(filter) > mostOperations)
    throw notExpressible([`a query of more than ${mostOperations / 2} conditions`]);
  const fields = await known.including([
    ...request.facets.map(facetFieldOf),
    ...request.sort.flatMap((key) => (key.field === 'score' ? [] : [sortFieldOf(key.field)])),
  ]);
  const page = pageSearches(request, printFilter(filter), toSortBy(request.sort, compiled, expanded, fields));
  const counting = facetSearches(request, { filter, visible, fields, isPublic: visibility.mayNotSeeUnpublished });
  const [first, ...counted] = await run([page(0), ...counting]);
  const total = first?.total ?? 0;
  const rest = await run(restOf(request, total).map(page));
  const documents = [...(first?.documents ?? []), ...rest.flatMap((one) => one.documents)];
  const hits = documents.map((document) => shown(document, visibility));
  const facets = await toFacets(database, request, counted, { fields, isPublic: visibility.mayNotSeeUnpublished });
  return {
    total,
    hits,
    facets,
    ...(request.isHighlighted ? { highlighting: markHits(hits, compiled, expanded) } : {}),
  };
}

/** The search for one portion of the page, by its place in it. */
function pageSearches(
  request: SearchRequest,
  filter: string | undefined,
  sort: string | undefined,
): (from: number) => Search {
  const start = (request.page - 1) * request.pageSize;
  return (from) => ({
    filter,
    sort,
    offset: start + from,
    limit: Math.min(mostHits, request.pageSize - from),
    fields: answered,
  });
}

/** Where the further portions of a page begin: one search gives 250 documents at most. */
function restOf(request: SearchRequest, total: number): readonly number[] {
  const size = Math.min(request.pageSize, Math.max(0, total - (request.page - 1) * request.pageSize));
  return Array.from({ length: Math.max(0, Math.ceil(size / mostHits) - 1) }, (_, index) => (index + 1) * mostHits);
}

type Counting = {
  readonly filter: Filter;
  readonly visible: Filter;
  readonly fields: ReadonlySet<string>;
  readonly isPublic: boolean;
};

/** Over what facets are counted: the documents found, and for values with a count of 0 all that the caller sees (or the list would tell of others). */
const scopesOf = (request: SearchRequest): readonly ('filter' | 'visible')[] =>
  request.facets.length === 0 ? [] : request.facetMinCount > 0 ? ['filter'] : ['filter', 'visible'];

const countedFields = (request: SearchRequest, fields: ReadonlySet<string>) =>
  request.facets.filter((field) => fields.has(facetFieldOf(field)));

/** For each scope: one search a field, and for the public one that counts the documents which are copies to it. */
function facetSearches(request: SearchRequest, counting: Counting): readonly Search[] {
  return scopesOf(request).flatMap((scope) => [
    ...countedFields(request, counting.fields).map((field) => facetSearch(field, printFilter(counting[scope]))),
    ...(counting.isPublic
      ? [{ filter: printFilter(both([counting[scope], compares('audience', `=${audiences.shared}`)])), limit: 0 }]
      : []),
  ]);
}

async function toFacets(
  database: Database,
  request: SearchRequest,
  counted: readonly Found[],
  { fields, isPublic }: Pick<Counting, 'fields' | 'isPublic'>,
): Promise<readonly FacetCounts[]> {
  const present = countedFields(request, fields);
  const each = present.length + (isPublic ? 1 : 0);
  const scopes = scopesOf(request).map((_, index) => counted.slice(index * each, (index + 1) * each));
  const empty: Found = { total: 0, documents: [], counts: [] };
  const named = await nameCounts(
    database.reader,
    scopes.flatMap((found) => present.map(({ name }, index) => ({ field: name, found: found[index] ?? empty }))),
  );
  const [matching = [], seen] = scopes.map((found, index): readonly FacetCounts[] => {
    const ofScope = named.slice(index * present.length, (index + 1) * present.length);
    const whole = request.facets.map(
      ({ name }) => ofScope.find(({ field }) => field === name) ?? { field: name, counts: [] },
    );
    return isPublic ? withCopyTypes(whole, copyTypes, found.at(-1)?.total ?? 0) : whole;
  });
  if (seen === undefined)
    return matching.map(({ field, counts }) => ({
      field,
      counts: counts.filter(([, count]) => count >= request.facetMinCount),
    }));
  return matching.map((facet) =>
    withZeroCounts(
      facet,
      (seen.find(({ field }) => field === facet.field)?.counts ?? []).map(([value]) => value).sort(),
    ),
  );
}

function shown(document: JsonObject, visibility: Visibility): { readonly id: string; readonly stored: string } {
  const stored = textOf(document, 'stored') ?? '{}';
  return document['audience'] === audiences.shared && visibility.mayNotSeeUnpublished
    ? asPublicCopy(stored)
    : { id: textOf(document, 'doc_id') ?? '', stored };
}

// Ids of one search: a record has one document that a caller sees, and no more than 250 come back.
const mostRead = 100;

async function read(run: Run, ids: readonly string[], visibility: Visibility): Promise<SearchResult['hits']> {
  const wanted = [...new Set(ids)];
  const portions = Array.from({ length: Math.ceil(wanted.length / mostRead) }, (_, index) =>
    wanted.slice(index * mostRead, (index + 1) * mostRead),
  );
  const visible = visibleFilter(visibility);
  const uris = (some: readonly string[]): Filter =>
    oneOf(
      'uri',
      some.map((id) => toToken(copiedUri(id) ?? id)),
    );
  const found = await run(
    portions.map((some) => ({ filter: printFilter(both([uris(some), visible])), limit: mostHits, fields: answered })),
  );
  const documents = found.flatMap((one) => one.documents);
  // The id of a copy means the copy; a plain URI whatever document of the record the caller sees (contract section 8).
  return wanted.flatMap((id) => {
    const uri = copiedUri(id);
    return documents.flatMap((document) => {
      const hit = shown(document, visibility);
      const own = textOf(document, 'doc_id') ?? '';
      const isAsked = uri === null ? own === id || copiedUri(own) === id : hit.id === id;
      return isAsked ? [hit] : [];
    });
  });
}

const mostPlaces = 10_000;

async function countTypes(
  run: Run,
  types: readonly string[],
  visibility: Visibility,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const field = findField('types');
  const asked = [...new Set(types)];
  const visible = visibleFilter(visibility);
  const ofType = (type: string): Filter => {
    const predicate: Predicate = field === undefined ? matchEvery([]) : lexemes(word(toExactLexeme(field, type)));
    return toFilter(visibility.mayNotSeeUnpublished ? forPublic(predicate) : predicate, new Map());
  };
  const found = await run(
    asked.map((type) => ({
      filter: printFilter(both([ofType(type), visible])),
      limit: 0,
      facet: 'place',
      mostValues: mostPlaces,
    })),
  );
  const counts = new Map<string, Map<string, number>>();
  for (const [index, type] of asked.entries()) {
    for (const [place, count] of found[index]?.counts ?? [])
      counts.set(place, (counts.get(place) ?? new Map<string, number>()).set(type, count));
  }
  return counts;
}
