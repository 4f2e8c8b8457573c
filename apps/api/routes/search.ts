// Searching (contract: behaviour-search.md): the whole index, one repository, and the fixed kinds that need no session.
// Parameters are in ../search/parameters.ts, who may find what in ../search/visibility.ts, the replies in ../search/reply.ts.
import { containerSearch, searchPage, suggestions, typeCounts } from '../openapi/shapes/search.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { toResult, toSearchPage } from '#domain/search/reply/page.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import { parseResolveRules } from '#domain/search/reply/resolve.ts';
import { mostTitles, readTyped } from '#domain/search/suggesting/typeahead.ts';
import type { Visibility } from '#store/search/port.ts';
import type { Values } from '../request/parameters.ts';
import { integerBetween, listOf, repositoryId, resolve, text } from '../request/parameters.ts';
import { defineRoute } from '../route.ts';
import type { Call, Replies, Route } from '../route.ts';
import type { SearchScope } from '../search/parameters.ts';
import { queryParameters, searchParameters, toSearchParameters } from '../search/parameters.ts';
import { resolveRows, rowByRow, searchReply } from '../search/reply.ts';
import { readRepositories } from '../search/repositories.ts';
import { readDocuments } from '../search/tree-documents.ts';
import { globalVisibility, isPublicUser, openVisibility, repositoryVisibility } from '../search/visibility.ts';

const area = 'search';

const replies: Replies = {
  200: {
    says: 'A page, and highlighting, did_you_mean, explain or next_cursor where asked for; with dt=csv a text/csv stream.',
    shape: searchPage,
    also: 'text/csv',
  },
  400: 'A parameter or query that cannot be answered; it is named.',
  403: 'Without the permission, or `explain` without that of administrators.',
};

const everywhere = defineRoute({
  method: ['GET', 'POST'],
  path: '/search',
  operation: 'search',
  area,
  summary: 'Search everything',
  access: { all: ['view_all_records'] },
  parameters: searchParameters,
  replies,
  doc: 'A change is found within a second of its commit.',
  handler: (call) => searchReply(call, { visibility: globalVisibility(call.caller) }),
});

const repository = defineRoute({
  method: ['GET', 'POST'],
  path: '/repositories/:repo_id/search',
  operation: 'searchRepository',
  area,
  summary: 'Search a repository',
  access: { all: ['view_repository'] },
  doc: 'Finds records of the repository and those of none: agents, subjects, locations.',
  parameters: { repo_id: repositoryId(), ...searchParameters },
  replies,
  handler: (call) =>
    searchReply(call, {
      visibility: repositoryVisibility(call, call.params.repo_id),
      filters: [inRepository(`/repositories/${call.params.repo_id}`)],
    }),
});

const repositories = defineRoute({
  method: ['GET', 'POST'],
  path: '/search/repositories',
  operation: 'searchRepositories',
  area,
  summary: 'Search repositories',
  access: 'public',
  parameters: searchParameters,
  replies,
  handler: (call) => searchReply(call, { visibility: openVisibility(call.caller), types: ['repository'] }),
});

const locationProfiles = defineRoute({
  method: 'GET',
  path: '/search/location_profile',
  operation: 'searchLocationProfiles',
  area,
  summary: 'Search location profiles',
  access: 'public',
  parameters: searchParameters,
  replies,
  handler: (call) => searchReply(call, { visibility: openVisibility(call.caller), types: ['location_profile'] }),
});

const subjects = defineRoute({
  method: ['GET', 'POST'],
  path: '/search/subjects',
  operation: 'searchSubjects',
  area,
  summary: 'Search subjects',
  access: 'public',
  parameters: searchParameters,
  replies,
  doc: 'As /search with type[]=subject, without a session. An addition of Muniment.',
  handler: (call) =>
    searchReply(call, {
      visibility: {
        ...openVisibility(call.caller),
        mayNotSeeUnpublished: call.caller.userId === null || isPublicUser(call.caller),
      },
      types: ['subject'],
    }),
});

const suggestParameters = {
  q: text({
    optional: true,
    doc: 'What was typed so far. Each word may be the beginning of a word.',
    example: 'harbor ma',
  }),
  type: listOf(text())({ default: [], doc: 'Types to keep, such as resource or agent; at most 100.' }),
  limit: integerBetween(1, mostTitles.asked)({ default: mostTitles.usual, doc: 'How many titles at most.' }),
};
const suggestReplies: Replies = {
  200: { says: 'The best titles, each with the words of it that begin as what was typed.', shape: suggestions },
  400: 'A parameter that is no such; it is named.',
};
const suggestDoc =
  'For fields that suggest records while somebody types. Finds titles with words that begin as those typed, within what the caller may find by a search; nothing typed, nothing found. An addition of Muniment.';

const suggestEverywhere = defineRoute({
  method: 'GET',
  path: '/search/suggest',
  operation: 'suggestTitles',
  area,
  summary: 'Suggest titles while typing',
  access: { all: ['view_all_records'] },
  parameters: suggestParameters,
  replies: suggestReplies,
  doc: suggestDoc,
  handler: (call) => suggest(call, globalVisibility(call.caller)),
});

const suggestInRepository = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/search/suggest',
  operation: 'suggestTitlesOfRepository',
  area,
  summary: 'Suggest titles of a repository while typing',
  access: { all: ['view_repository'] },
  parameters: { repo_id: repositoryId(), ...suggestParameters },
  replies: suggestReplies,
  doc: suggestDoc,
  handler: (call) => suggest(call, repositoryVisibility(call, call.params.repo_id)),
});

async function suggest(
  { params, services }: Pick<Call<Values<typeof suggestParameters>, unknown>, 'params' | 'services'>,
  visibility: Visibility,
): Promise<JsonObject> {
  const { q, type, limit } = params;
  if (type.length > mostTypes) throw fail('bad_parameter', { type: [`takes at most ${mostTypes} values`] });
  return {
    suggestions: await services.search.suggestTitles({ typed: readTyped(q ?? ''), types: type, limit }, visibility),
  };
}

const mostUris = 1024;

const records = defineRoute({
  method: ['GET', 'POST'],
  path: '/search/records',
  operation: 'getSearchDocuments',
  area,
  summary: 'Documents of given records',
  access: { all: ['view_all_records'] },
  parameters: {
    uri: listOf(text())({
      doc: 'URIs, ids of public copies (`…#pui`), or of parts of public trees (`…/tree/root`, `…/tree/waypoint_<parent>_<n>`, `…/tree/node_<uri>`, `…/tree/node_from_root_<id>`, `…/ordered_records`).',
    }),
    resolve,
  },
  replies: {
    200: {
      says: 'One page of the documents, in the order of `uri`; those that are not there, or hidden, are left out.',
      shape: searchPage,
    },
  },
  handler: async (call) => {
    const { uri, resolve: names } = call.params;
    if (uri.length > mostUris) throw fail('bad_parameter', { uri: [`takes at most ${mostUris} values`] });
    const rules = parseResolveRules(names);
    const scope: SearchScope = { visibility: globalVisibility(call.caller) };
    const hits = await readDocuments(call, uri, scope.visibility);
    const request = { ...buildSearchRequest({ page: 1 }, { now: Date.now() }), pageSize: Math.max(1, uri.length) };
    const repositories = await readRepositories(call.services, scope.visibility, hits);
    const page = toSearchPage(request, { total: hits.length, hits, facets: [], repositories }, call.release);
    const rows = hits.map((hit) => toResult(hit.stored, undefined, call.release, repositories));
    return rules.length === 0 ? page : rowByRow(page, await resolveRows(call, scope, rules, rows, rows));
  },
});

const mostTypes = 100;
const mostRepositories = 10_000;

const recordTypes = defineRoute({
  method: ['GET', 'POST'],
  path: '/search/record_types_by_repository',
  operation: 'countRecordTypes',
  area,
  summary: 'Count published records by type',
  access: { all: ['view_all_records'] },
  parameters: {
    record_types: listOf(text())({ doc: 'Types to count.' }),
    repo_uri: text({ optional: true, doc: 'Only this repository.' }),
  },
  replies: {
    200: {
      says: 'With repo_uri {type: count}, else {repository: {type: count}}. Records of the repository, and those used in it.',
      shape: typeCounts,
    },
  },
  handler: async (call) => {
    const { record_types: types, repo_uri: only } = call.params;
    if (types.length > mostTypes) throw fail('bad_parameter', { record_types: [`takes at most ${mostTypes} values`] });
    const visibility = globalVisibility(call.caller);
    const counts = await call.services.search.countTypes(types, { ...visibility, mayNotSeeUnpublished: true });
    const countsIn = (repositoryUri: string): JsonObject =>
      Object.fromEntries(types.map((type) => [type, counts.get(repositoryUri)?.get(type) ?? 0]));
    if (only !== null) return countsIn(only);
    // Those that the caller knows, and that hold nothing too.
    const request = {
      ...buildSearchRequest({ page: 1, type: ['repository'] }, { now: Date.now() }),
      pageSize: mostRepositories,
    };
    const known = await call.services.search.search(request, visibility);
    const uris = known.hits.map(({ id }) => id).sort((a, b) => Number(a.slice(14)) - Number(b.slice(14)));
    return Object.fromEntries(uris.map((uri) => [uri, countsIn(uri)]));
  },
});

const publishedTree = defineRoute({
  method: 'GET',
  path: '/search/published_tree',
  operation: 'getPublishedTree',
  area,
  summary: 'Public tree document',
  access: { all: ['view_all_records'] },
  parameters: { node_uri: text({ doc: 'URI of the node.' }) },
  doc: 'No release of the interface that Muniment speaks makes such documents any more; clients read the tree routes.',
  replies: { 404: 'Always: there are no such documents.' },
  handler: () => {
    throw fail('not_found', 'Not found');
  },
});

const rawRows = 10_000; // Staff interfaces tell by it, in `params.rows`, whether there is more.

const topContainers = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/top_containers/search',
  operation: 'searchTopContainers',
  area: 'top containers',
  summary: 'Search top containers',
  access: { all: ['view_repository'] },
  doc: 'Not in pages: at most 10,000 documents, in the shape of the index that the interface was made with. `sort` and `hl` are not heeded.',
  parameters: { repo_id: repositoryId(), ...queryParameters },
  replies: { 200: { says: 'At most 10,000 documents.', shape: containerSearch } },
  handler: async (call) => {
    const { params } = call;
    const scope: SearchScope = { visibility: repositoryVisibility(call, params.repo_id), types: ['top_container'] };
    const built = buildSearchRequest(
      toSearchParameters({ ...params, sort: null, hl: false, page: 1, page_size: 1, resolve: [] }, scope),
      { now: Date.now(), stem: call.services.config.MUNIMENT_SEARCH_STEM },
    );
    const request: SearchRequest = { ...built, pageSize: rawRows };
    const result = await call.services.search.search(request, scope.visibility);
    const facets = toSearchPage(request, { ...result, hits: [] })['facets'];
    const repositories = await readRepositories(call.services, scope.visibility, result.hits, request.fields);
    return {
      responseHeader: { status: 0, QTime: 0, params: { rows: String(rawRows) } },
      response: {
        numFound: result.total,
        start: 0,
        numFoundExact: true,
        docs: result.hits.map((hit) => toResult(hit.stored, request.fields, call.release, repositories)),
      },
      facet_counts: facets ?? {},
    };
  },
});

/** The routes of this file. Replicas have the index, too. */
export const searchRoutes: readonly Route[] = [
  everywhere,
  repository,
  repositories,
  locationProfiles,
  subjects,
  suggestEverywhere,
  suggestInRepository,
  records,
  recordTypes,
  publishedTree,
  topContainers,
].map((route): Route => ({ ...route, fromReplica: true }));
