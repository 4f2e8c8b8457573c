// Searches sent together: one request for a page, its facets and what else a reply needs, at most fifty at a time (the server's limit).
// Everything that would make a search find more than it was asked for is turned off.
import { fail } from '#domain/errors.ts';
import { isObject, objectsOf } from '#domain/json.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { refused } from './client.ts';
import type { TypesenseClient } from './client.ts';

/** One of the searches. `filter` absent: all documents. `facet`: the one field whose values are counted. `limit` is at most 250. */
export type Search = {
  readonly filter?: string | undefined;
  readonly sort?: string | undefined;
  readonly offset?: number;
  readonly limit: number;
  readonly fields?: string;
  readonly facet?: string;
  readonly mostValues?: number;
};

/** What a search found: how many, the documents asked for, and the values of its facet with their counts. */
export type Found = {
  readonly total: number;
  readonly documents: readonly JsonObject[];
  readonly counts: readonly (readonly [value: string, count: number])[];
};

/** Hits that one search may give. */
export const mostHits = 250;

const mostSearches = 50;

/** Runs searches on a collection or alias, in their order. Throws `unavailable` where the index is not there or was too slow. */
export async function multiSearch(
  client: TypesenseClient,
  collection: string,
  searches: readonly Search[],
): Promise<readonly Found[]> {
  const chunks = Array.from({ length: Math.ceil(searches.length / mostSearches) }, (_, index) =>
    searches.slice(index * mostSearches, (index + 1) * mostSearches),
  );
  const found = await Promise.all(chunks.map((chunk) => sendChunk(client, collection, chunk)));
  return found.flat();
}

async function sendChunk(
  client: TypesenseClient,
  collection: string,
  searches: readonly Search[],
): Promise<readonly Found[]> {
  const body = { searches: searches.map((search) => toParameters(collection, search)) };
  // What it returns is what JSON.parse gave, if it is an object at all.
  const reply = (await client.ask(what, ({ multiSearch }, abortSignal) =>
    multiSearch.perform(body, {}, { abortSignal }),
  )) as Json;
  const results = objectsOf(isObject(reply) ? reply : undefined, 'results');
  if (results.length !== searches.length)
    throw refused(what, `${results.length} results of ${searches.length} searches`);
  return results.map(toFound);
}

const what = 'POST /multi_search';

function toParameters(collection: string, search: Search) {
  return {
    collection,
    q: '*',
    ...(search.filter === undefined ? {} : { filter_by: search.filter }),
    ...(search.sort === undefined ? {} : { sort_by: search.sort }),
    offset: search.offset ?? 0,
    limit: search.limit,
    ...(search.fields === undefined ? {} : { include_fields: search.fields }),
    ...(search.facet === undefined
      ? {}
      : { facet_by: search.facet, max_facet_values: search.mostValues ?? 100, facet_strategy: 'exhaustive' as const }),
    exhaustive_search: true,
    enable_overrides: false,
    enable_synonyms: false,
  };
}

function toFound(result: JsonObject): Found {
  const { code, error, found } = result;
  if (code === 404 && typeof error === 'string' && /collection/i.test(error))
    throw fail('unavailable', 'The search index has not been made yet');
  if (typeof found !== 'number')
    throw refused(what, `${typeof code === 'number' ? code : 200} ${JSON.stringify(error ?? result)}`);
  if (result['search_cutoff'] === true) throw fail('unavailable', 'The search took too long');
  const [facet] = objectsOf(result, 'facet_counts');
  return {
    total: found,
    documents: objectsOf(result, 'hits').flatMap((hit) => (isObject(hit['document']) ? [hit['document']] : [])),
    counts: objectsOf(facet, 'counts').map(({ value, count }) => [String(value), Number(count)]),
  };
}
