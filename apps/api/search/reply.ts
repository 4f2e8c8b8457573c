// The reply of a search: the page with what its rows name and stand under, or a stream of CSV (contract: behaviour-search.md sections 5, 7, 8).
import { Readable } from 'node:stream';
import { fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { textsOf } from '#domain/json.ts';
import type { QueryNode } from '#domain/search/query/ast.ts';
import { can } from '#domain/access/caller.ts';
import { toCsvHeader, toCsvLine } from '#domain/search/reply/csv.ts';
import { momentOfCursor, withCursor } from '#domain/search/reply/cursor.ts';
import { toResult, toSearchPage } from '#domain/search/reply/page.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import {
  attachResolved,
  mostResolved,
  parseResolveRules,
  sourceValues,
  targetFields,
} from '#domain/search/reply/resolve.ts';
import type { Reply } from '../reply/reply.ts';
import { jsonPage, stream } from '../reply/reply.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';
import type { SearchQuery, SearchScope } from './parameters.ts';
import { toSearchParameters } from './parameters.ts';
import { readRepositories } from './repositories.ts';

/** The reply of a search: a page, or CSV. */
export async function searchReply(
  call: Pick<Call<SearchQuery, unknown>, 'params' | 'caller' | 'services' | 'release'>,
  scope: SearchScope,
): Promise<JsonObject | Reply> {
  const { params, services } = call;
  if (params.explain === true && !can(call.caller, 'administer_system', null))
    throw fail('access_denied', 'Access denied');
  const rules = parseResolveRules(params.resolve);
  const isWalk = hasCursor(params);
  const built = buildSearchRequest(toSearchParameters(params, scope), {
    // Bounds of dates in structured queries are moments by now: of another NOW it would be another search.
    now: (isWalk ? momentOfCursor(params.cursor) : null) ?? Date.now(),
    stem: services.config.MUNIMENT_SEARCH_STEM,
  });
  const limited = { ...built, filters: [...built.filters, ...(scope.filters ?? [])] };
  const request = isWalk ? withCursor(limited, params.cursor) : limited;
  if (params.strict === true && request.warnings.length > 0)
    throw fail('bad_parameter', { q: request.warnings.map(({ column, message }) => `column ${column}: ${message}`) });
  if (params.dt === 'csv') return csvReply(call, scope, request);
  const found = await services.search.search(request, scope.visibility);
  const repositories = await readRepositories(services, scope.visibility, found.hits, request.fields);
  const result = { ...found, repositories };
  const page = toSearchPage(request, result, call.release);
  if (rules.length === 0 && params.paths !== true) return page;
  // Rows may have been cut to `fields`; what they name is read from the whole documents.
  const whole = result.hits.map((hit) => toResult(hit.stored, undefined));
  const rows = result.hits.map((hit) => toResult(hit.stored, request.fields, call.release, repositories));
  const resolved = await resolveRows(call, scope, rules, whole, rows);
  return rowByRow(page, params.paths === true ? await addPaths(services, scope, whole, resolved) : resolved);
}

/** A page whose rows name others, row by row: what many name stands in each of them, which comes to hundreds of megabytes where all are below each other. */
export function rowByRow(page: JsonObject, rows: readonly JsonObject[]): Reply {
  return jsonPage(page, textsOfRows(rows));
}

function* textsOfRows(rows: readonly JsonObject[]): Generator<string> {
  yield '[';
  for (const [at, row] of rows.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(row)}`;
  yield ']';
}

function hasCursor(params: SearchQuery): params is SearchQuery & { readonly cursor: string } {
  if (params.cursor === undefined || params.cursor === null) return false;
  const other = params.page !== null ? 'page' : params.dt === 'csv' ? 'dt=csv' : null;
  if (other !== null) throw fail('bad_parameter', { cursor: [`Cannot be combined with ${other}`] });
  return true;
}

const csvRows = 1000;

/** The requested page and all behind it as a stream of CSV. Errors of the query come before the first byte. */
async function csvReply(
  { services, release }: Pick<Call<unknown, unknown>, 'services' | 'release'>,
  scope: SearchScope,
  wanted: SearchRequest,
): Promise<Reply> {
  const found = await services.search.searchAll(wanted, scope.visibility);
  // From the first row of the page on, whatever size the client's pages have.
  const first = (wanted.page - 1) * wanted.pageSize;
  const pages = async function* (): AsyncGenerator<readonly JsonObject[]> {
    for await (const hits of found.portions(first, csvRows))
      yield hits.map((hit) => toResult(hit.stored, undefined, release));
  };
  const columns = wanted.fields ?? (await columnsOf(pages()));
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
export async function resolveRows(
  call: Pick<Call<unknown, unknown>, 'services' | 'release'>,
  scope: SearchScope,
  rules: ReturnType<typeof parseResolveRules>,
  whole: readonly JsonObject[],
  rows: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const found = await Promise.all(
    rules.map(async (rule) => {
      const values = sourceValues(whole, rule);
      if (values.length === 0) return [];
      const named: QueryNode = {
        kind: 'group',
        clauses: values.flatMap((value) =>
          targetFields(rule).map((field) => ({
            occur: 'should' as const,
            node: { kind: 'phrase' as const, field, text: value, slop: 0 },
          })),
        ),
      };
      const request: SearchRequest = {
        ...buildSearchRequest({ page: 1, type: scope.types ?? [] }, { now: Date.now() }),
        pageSize: mostResolved.documents,
        filters: [named],
      };
      const { hits } = await call.services.search.search(request, scope.visibility);
      return hits.map((hit) => toResult(hit.stored, undefined, call.release));
    }),
  );
  return rules.reduce((done, rule, index) => {
    const resolved = attachResolved(whole, rule, found[index] ?? []);
    return done.map((row, place) => ({
      ...row,
      [`_resolved_${rule.source}`]: resolved[place]?.[`_resolved_${rule.source}`] ?? null,
    }));
  }, rows);
}

/** Rows of trees with the uris and titles of what is above them, as far as the caller may find that. One look-up for all rows. */
async function addPaths(
  services: Services,
  scope: SearchScope,
  whole: readonly JsonObject[],
  rows: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const above = whole.map((row) => textsOf(row, 'ancestors'));
  const found = await services.search.read([...new Set(above.flat())], scope.visibility);
  const titles = new Map(
    found.map((hit) => toResult(hit.stored, undefined)).map((row) => [row['uri'], row['title'] ?? null]),
  );
  // Records name the nearest first.
  const pathOf = (uris: readonly string[]): Json =>
    uris.toReversed().flatMap((uri) => (titles.has(uri) ? [{ uri, title: titles.get(uri) ?? null }] : []));
  return rows.map((row, place) =>
    (above[place] ?? []).length === 0 ? row : { ...row, _path: pathOf(above[place] ?? []) },
  );
}
