// Searching (contract: behaviour-search.md): the whole index, one repository, and the fixed kinds that need no session.
// Who sees what is decided here and applied inside the query, so totals, facets and marks never tell of what is hidden.
import { Readable } from 'node:stream';
import type { JsonObject } from '#domain/json.ts';
import type { Caller } from '#domain/rules/caller.ts';
import { repositoriesWith } from '#domain/rules/caller.ts';
import { fail } from '#domain/errors.ts';
import type { QueryNode } from '#domain/query/ast.ts';
import { withCursor } from '#domain/search/cursor.ts';
import { toCsvHeader, toCsvLine } from '#domain/search/csv.ts';
import { toResult, toSearchPage } from '#domain/search/page.ts';
import type { SearchParameters, SearchRequest } from '#domain/search/request.ts';
import { buildSearchRequest, inRepository } from '#domain/search/request.ts';
import { attachResolved, mostResolved, parseResolveRules, sourceValues } from '#domain/search/resolve.ts';
import type { Visibility } from '#store/search/port.ts';
import { pageOrCursor, unheededOrder } from '../pagination.ts';
import type { Values } from '../parameters.ts';
import { boolean, integer, listOf, repositoryId, resolve, text } from '../parameters.ts';
import { viewerOf } from '../uniform/viewing.ts';
import { stream } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { defineRoute } from '../route.ts';
import type { Call, Route } from '../route.ts';

const area = 'search';

const queryParameters = {
  q: text({ optional: true, doc: 'Words, in Lucene syntax. Broken syntax is searched as plain words, and `warnings` says so.', example: 'title:maps AND "harbor views"' }),
  aq: text({ optional: true, doc: 'JSON of an advanced_query; used where q is absent.' }),
  type: listOf(text())({ optional: true, doc: 'Types to keep, such as resource or agent.' }),
  sort: text({ optional: true, doc: 'Fields to order by, such as `title_sort asc, score desc`. Absent: by relevance.' }),
  facet: listOf(text())({ optional: true, doc: 'Fields whose values are counted, at most 100 values each.' }),
  facet_mincount: integer({ default: 0, doc: 'Values with fewer documents are left out.' }),
  filter: text({ optional: true, doc: 'JSON of an advanced_query whose values are taken literally; does not count for relevance.' }),
  filter_query: listOf(text())({ optional: true, doc: 'Further queries that must match.' }),
  filter_term: listOf(text())({ optional: true, doc: 'JSON texts such as {"collection_uri_u_sstr":"/repositories/2/resources/1"}: each field has exactly this value.' }),
  exclude: listOf(text())({ optional: true, doc: 'Ids of documents to leave out.' }),
  hl: boolean({ default: false, doc: 'True: marked fragments under `highlighting`.' }),
  root_record: text({ optional: true, doc: 'URI of a resource or digital object: only what is in its tree.' }),
  fields: listOf(text())({ optional: true, doc: 'Fields to answer. Absent: all.' }),
};

const form = { dt: text({ default: 'json', doc: 'json, or csv: this page and all behind it as CSV, with the columns of `fields`.', check: (value) => (['json', 'csv', ''].includes(value) ? null : 'Must be json or csv') }) };

// What the incumbent does not know.
const additions = {
  strict: boolean({ default: false, doc: 'True: broken syntax in q is refused, where otherwise it is searched as plain words with `warnings`. An addition of Muniment.' }),
  cursor: text({ optional: true, doc: 'In place of `page`: `*`, then the `next_cursor` of each reply until that is null. Walks through everything found, by uri or by the fields of `sort`, at the same cost at any depth, and nothing comes twice or is left out while others write. An addition of Muniment.' }),
};

const parameters = { ...queryParameters, ...form, ...pageOrCursor, ...unheededOrder, resolve, ...additions };

type Asked = Values<typeof queryParameters> & { readonly page: number | null; readonly page_size: number; readonly resolve: readonly string[]; readonly dt?: string; readonly strict?: boolean; readonly cursor?: string | null };

/** What a route adds to what the client asked. `types`: nothing else is found, resolved or counted. */
type Fixed = { readonly visibility: Visibility; readonly filters?: readonly QueryNode[]; readonly types?: readonly string[] };

const permitted = ['index_system', 'view_suppressed', 'suppress_archival_record', 'manage_repository'] as const;

const isPublicUser = (caller: Caller): boolean => caller.username === 'public_anonymous';

/**
 * What a caller may find over all repositories. The public interface's user finds what is published. Suppressed records are found
 * by those who may see them, where the incumbent shows them to everybody on this route.
 */
function globalVisibility(caller: Caller): Visibility {
  const seen = permitted.map((code) => repositoriesWith(caller, code));
  const isPublic = isPublicUser(caller);
  return { repositories: repositoriesWith(caller, 'view_repository'), mayNotSeeUnpublished: isPublic, seesSuppressed: !isPublic && (seen.includes('all') || seen.flatMap((ids) => (ids === 'all' ? [] : ids))) };
}

/** What a caller may find in a repository: suppressed records where reading shows them too. */
function repositoryVisibility(call: Pick<Call<unknown, unknown>, 'caller' | 'services' | 'wantsSuppressed'>, repoId: number): Visibility {
  return { repositories: [repoId], mayNotSeeUnpublished: isPublicUser(call.caller), seesSuppressed: viewerOf({ ...call, repoId }).seesSuppressed };
}

/** Records that anybody may read are found by anybody; the public interface's user finds what is published, as everywhere. */
const openVisibility = (caller: Caller): Visibility => ({ repositories: 'all', mayNotSeeUnpublished: isPublicUser(caller), seesSuppressed: false });

function toParameters(asked: Asked, fixed: Fixed): SearchParameters {
  const { page, page_size, q, aq, type, sort, facet, facet_mincount, filter, filter_query, filter_term, exclude, hl, root_record, fields } = asked;
  const given = { q, aq, sort, facet, filter, filter_query, filter_term, exclude, root_record, fields };
  // Values that no document found has would be counted over all documents, those of other types too.
  const mincount = fixed.types === undefined ? facet_mincount : Math.max(1, facet_mincount);
  return { page: page ?? 1, page_size, hl, facet_mincount: mincount, type: fixed.types ?? type ?? [], ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) };
}

async function answer(call: Pick<Call<Asked, unknown>, 'params' | 'services' | 'release'>, fixed: Fixed): Promise<JsonObject | Reply> {
  const { params, services } = call;
  const rules = parseResolveRules(params.resolve);
  const built = buildSearchRequest(toParameters(params, fixed), { now: Date.now() });
  const limited = { ...built, filters: [...built.filters, ...(fixed.filters ?? [])] };
  const request = isWalk(params) ? withCursor(limited, params.cursor) : limited;
  if (params.strict === true && request.warnings.length > 0) throw fail('bad_parameter', { q: request.warnings.map(({ column, message }) => `column ${column}: ${message}`) });
  if (params.dt === 'csv') return csvOf(call, fixed, request);
  const result = await services.search.search(request, fixed.visibility);
  const page = toSearchPage(request, result, call.release);
  if (rules.length === 0) return page;
  // Rows may have been cut to `fields`; what they name is read from the whole documents.
  const whole = result.hits.map((hit) => toResult(hit.stored, undefined));
  const rows = result.hits.map((hit) => toResult(hit.stored, request.fields, call.release));
  return { ...page, results: await withResolved(call, fixed, rules, whole, rows) };
}

function isWalk(params: Asked): params is Asked & { readonly cursor: string } {
  if (params.cursor === undefined || params.cursor === null) return false;
  const other = params.page !== null ? 'page' : params.dt === 'csv' ? 'dt=csv' : null;
  if (other !== null) throw fail('bad_parameter', { cursor: [`Cannot be combined with ${other}`] });
  return true;
}

const csvRows = 1000;

/** The requested page and all behind it as a stream of CSV. Errors of the query come before the first byte. */
async function csvOf({ services, release }: Pick<Call<unknown, unknown>, 'services' | 'release'>, fixed: Fixed, asked: SearchRequest): Promise<Reply> {
  const request: SearchRequest = { ...asked, facets: [], isHighlighted: false, pageSize: csvRows, page: 1 };
  const skipped = (asked.page - 1) * asked.pageSize;
  const first = await services.search.search(request, fixed.visibility);
  // A page from the first that is wanted on, whatever size the client's pages have.
  const pages = async function* (): AsyncGenerator<readonly JsonObject[]> {
    for (let page = 1 + Math.floor(skipped / csvRows); (page - 1) * csvRows < first.total; page++) {
      const { hits } = page === 1 ? first : await services.search.search({ ...request, page }, fixed.visibility);
      yield hits.slice(Math.max(0, skipped - (page - 1) * csvRows)).map((hit) => toResult(hit.stored, undefined, release));
    }
  };
  const columns = request.fields ?? (await columnsOf(pages()));
  const lines = async function* (): AsyncGenerator<string> {
    yield toCsvHeader(columns);
    for await (const rows of pages()) yield rows.map((row) => toCsvLine(row, columns)).join('');
  };
  return stream(Readable.from(lines(), { objectMode: false }), 'text/csv; charset=utf-8');
}

/** All fields that the documents have: a look through all of them, since the header comes first. */
async function columnsOf(pages: AsyncIterable<readonly JsonObject[]>): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const rows of pages) for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  return [...columns];
}

/** Rows with the documents that they name, as far as the caller may find these. One search for all values of a rule. */
async function withResolved(call: Pick<Call<unknown, unknown>, 'services' | 'release'>, fixed: Fixed, rules: ReturnType<typeof parseResolveRules>, whole: readonly JsonObject[], rows: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const found = await Promise.all(rules.map(async (rule) => {
    const values = sourceValues(whole, rule);
    if (values.length === 0) return [];
    const named: QueryNode = { kind: 'group', clauses: values.map((value) => ({ occur: 'should', node: { kind: 'phrase', field: rule.target, text: value, slop: 0 } })) };
    const request: SearchRequest = { ...buildSearchRequest({ page: 1, type: fixed.types ?? [] }, { now: Date.now() }), pageSize: mostResolved.documents, filters: [named] };
    const { hits } = await call.services.search.search(request, fixed.visibility);
    return hits.map((hit) => toResult(hit.stored, undefined, call.release));
  }));
  return rules.reduce((done, rule, index) => {
    const resolved = attachResolved(whole, rule, found[index] ?? []);
    return done.map((row, place) => ({ ...row, [`_resolved_${rule.source}`]: resolved[place]?.[`_resolved_${rule.source}`] ?? null }));
  }, rows);
}

const replies = { 200: 'A page: total_hits, results, facets, and highlighting where asked for; with dt=csv a text/csv stream.', 400: 'A parameter or query that cannot be answered; it is named.' };

const everywhere = defineRoute({
  method: ['GET', 'POST'], path: '/search', area, summary: 'Search everything', access: { all: ['view_all_records'] }, parameters, replies,
  doc: 'Searches the documents made of records. A change is found within a second of its commit.',
  handler: (call) => answer(call, { visibility: globalVisibility(call.caller) }),
});

const repository = defineRoute({
  method: ['GET', 'POST'], path: '/repositories/:repo_id/search', area, summary: 'Search a repository', access: { all: ['view_repository'] },
  doc: 'Finds records of the repository and those of none: agents, subjects, locations.',
  parameters: { repo_id: repositoryId(), ...parameters }, replies,
  handler: (call) => answer(call, { visibility: repositoryVisibility(call, call.params.repo_id), filters: [inRepository(`/repositories/${call.params.repo_id}`)] }),
});

const repositories = defineRoute({
  method: ['GET', 'POST'], path: '/search/repositories', area, summary: 'Search repositories', access: 'public', parameters, replies,
  handler: (call) => answer(call, { visibility: openVisibility(call.caller), types: ['repository'] }),
});

const locationProfiles = defineRoute({
  method: 'GET', path: '/search/location_profile', area, summary: 'Search location profiles', access: 'public', parameters, replies,
  handler: (call) => answer(call, { visibility: openVisibility(call.caller), types: ['location_profile'] }),
});

const subjects = defineRoute({
  method: ['GET', 'POST'], path: '/search/subjects', area, summary: 'Search subjects', access: 'public', parameters, replies,
  doc: 'As /search with type[]=subject, without a session. An addition of Muniment.',
  handler: (call) => answer(call, { visibility: { ...openVisibility(call.caller), mayNotSeeUnpublished: call.caller.userId === null || isPublicUser(call.caller) }, types: ['subject'] }),
});

const mostUris = 1024;

const records = defineRoute({
  method: ['GET', 'POST'], path: '/search/records', area, summary: 'Documents of given records', access: { all: ['view_all_records'] },
  parameters: { uri: listOf(text())({ doc: 'URIs, or ids of public copies (`…#pui`).' }), resolve },
  replies: { 200: 'One page of the documents, in the order of `uri`; those that are not there, or hidden, are left out.' },
  handler: async (call) => {
    const { uri, resolve: names } = call.params;
    if (uri.length > mostUris) throw fail('bad_parameter', { uri: [`takes at most ${mostUris} values`] });
    const rules = parseResolveRules(names);
    const fixed: Fixed = { visibility: globalVisibility(call.caller) };
    const hits = await call.services.search.read(uri, fixed.visibility);
    const request = { ...buildSearchRequest({ page: 1 }, { now: Date.now() }), pageSize: Math.max(1, uri.length) };
    const page = toSearchPage(request, { total: hits.length, hits, facets: [] }, call.release);
    const rows = hits.map((hit) => toResult(hit.stored, undefined, call.release));
    return rules.length === 0 ? page : { ...page, results: await withResolved(call, fixed, rules, rows, rows) };
  },
});

const mostTypes = 100;
const mostRepositories = 10_000;

const recordTypes = defineRoute({
  method: ['GET', 'POST'], path: '/search/record_types_by_repository', area, summary: 'Count published records by type', access: { all: ['view_all_records'] },
  parameters: { record_types: listOf(text())({ doc: 'Types to count.' }), repo_uri: text({ optional: true, doc: 'Only this repository.' }) },
  replies: { 200: 'With repo_uri {type: count}, else {repository: {type: count}}. Records of the repository, and those used in it.' },
  handler: async (call) => {
    const { record_types: types, repo_uri: only } = call.params;
    if (types.length > mostTypes) throw fail('bad_parameter', { record_types: [`takes at most ${mostTypes} values`] });
    const visibility = globalVisibility(call.caller);
    const counts = await call.services.search.countTypes(types, { ...visibility, mayNotSeeUnpublished: true });
    const countsIn = (repositoryUri: string): JsonObject => Object.fromEntries(types.map((type) => [type, counts.get(repositoryUri)?.get(type) ?? 0]));
    if (only !== null) return countsIn(only);
    // Those that the caller knows, and that hold nothing too.
    const request = { ...buildSearchRequest({ page: 1, type: ['repository'] }, { now: Date.now() }), pageSize: mostRepositories };
    const known = await call.services.search.search(request, visibility);
    const uris = known.hits.map(({ id }) => id).sort((a, b) => Number(a.slice(14)) - Number(b.slice(14)));
    return Object.fromEntries(uris.map((uri) => [uri, countsIn(uri)]));
  },
});

const publishedTree = defineRoute({
  method: 'GET', path: '/search/published_tree', area, summary: 'Public tree document', access: { all: ['view_all_records'] },
  parameters: { node_uri: text({ doc: 'URI of the node.' }) },
  doc: 'No release of the interface that Muniment speaks makes such documents any more; clients read the tree routes.',
  replies: { 404: 'Always: there are no such documents.' },
  handler: () => {
    throw fail('not_found', 'Not found');
  },
});

const rawRows = 10_000;

const topContainers = defineRoute({
  method: 'GET', path: '/repositories/:repo_id/top_containers/search', area: 'top containers', summary: 'Search top containers', access: { all: ['view_repository'] },
  doc: 'Not in pages: at most 10,000 documents, in the shape of the index that the interface was made with. `sort` and `hl` are not heeded.',
  parameters: { repo_id: repositoryId(), ...queryParameters },
  replies: { 200: 'responseHeader, response {numFound, start, docs}, facet_counts.' },
  handler: async (call) => {
    const { params } = call;
    const fixed: Fixed = { visibility: repositoryVisibility(call, params.repo_id), types: ['top_container'] };
    const built = buildSearchRequest(toParameters({ ...params, sort: null, hl: false, page: 1, page_size: 1, resolve: [] }, fixed), { now: Date.now() });
    const request: SearchRequest = { ...built, pageSize: rawRows };
    const result = await call.services.search.search(request, fixed.visibility);
    const facets = toSearchPage(request, { ...result, hits: [] })['facets'];
    return {
      responseHeader: { status: 0, QTime: 0 },
      response: { numFound: result.total, start: 0, numFoundExact: true, docs: result.hits.map((hit) => toResult(hit.stored, request.fields, call.release)) },
      facet_counts: facets ?? {},
    };
  },
});

/** The routes of this file. */
export const searchRoutes: readonly Route[] = [everywhere, repository, repositories, locationProfiles, subjects, records, recordTypes, publishedTree, topContainers];
