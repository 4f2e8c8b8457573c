// The parameters of the search routes, checked and read into what a search adapter answers (behaviour-search.md section 2).
// The incumbent's 500s for a caller's mistake are 400s here, in the contract's shape.
import { parseUri } from '../../addresses.ts';
import { fail } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { withField } from './ast.ts';
import type { QueryNode } from './ast.ts';
import { mostClauses, refuseTooWide } from './bounds.ts';
import { parseQuery } from './lucene.ts';
import type { QueryWarning } from './lucene.ts';
import { parseAdvancedQuery } from './advanced.ts';
import { findField, findSortField, isFacet, isField } from '../fields.ts';
import type { Field } from '../fields.ts';
import { isStemChoice, stemChoices } from './stemming.ts';
import type { StemChoice, StemLanguage } from './stemming.ts';

/** Rows of a page that clients can ask for at most. */
export const largestPage = 250;

/** Where a document stands in the order: the values of the sort keys as texts (null: it has none), then its uri. */
export type Position = readonly (string | null)[];

/** How far a walk has come. Both absent: it begins. `total` is how many documents there were when it began. */
export type Cursor = { readonly after?: Position; readonly total?: number };

/**
 * The parameters of a search as a route declares them, lists already read. `filter_term` filters, as its senders expect, where
 * both releases forget it; `simple_filter` has no meaning in either and is ignored.
 */
export type SearchParameters = {
  readonly page: number;
  readonly page_size?: number | undefined;
  readonly q?: string | undefined;
  readonly aq?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly sort?: string | undefined;
  readonly facet?: readonly string[] | undefined;
  readonly facet_mincount?: number | undefined;
  readonly filter?: string | undefined;
  readonly filter_query?: readonly string[] | undefined;
  readonly filter_term?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly hl?: boolean | undefined;
  readonly root_record?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly did_you_mean?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly relax?: boolean | undefined;
  readonly stem?: string | undefined;
};

/** One key of the order; `score` is the relevance. Documents without the value come last either way. */
export type SortKey = { readonly field: Field | 'score'; readonly isDescending: boolean };

/** A search, ready for an adapter. `query` absent: match-all. Everything but `query` only filters. */
export type SearchRequest = {
  readonly page: number;
  readonly pageSize: number;
  readonly query?: QueryNode;
  readonly filters: readonly QueryNode[];
  readonly types: readonly string[];
  readonly excludedIds: readonly string[];
  readonly sort: readonly SortKey[];
  readonly facets: readonly Field[];
  readonly facetMinCount: number;
  readonly fields?: readonly string[];
  readonly isHighlighted: boolean;
  /** Whether the query came as `aq`. */
  readonly isStructured: boolean;
  readonly now: number;
  /** Whether queries that find more are wanted where this one finds few documents (suggest.ts). */
  readonly suggests: boolean;
  /** Whether it is to be said how each document got its place. */
  readonly isExplained: boolean;
  /** Whether to go on with most of the words (relax.ts). */
  readonly isRelaxed: boolean;
  /** The language in whose forms the words of `query` are found. Absent: as they are written. */
  readonly stem?: StemLanguage;
  /** A walk by cursor (cursor.ts): `page` means nothing, and the order is that of `sort` and uri. */
  readonly cursor?: Cursor;
  readonly warnings: readonly QueryWarning[];
};

/**
 * Reads search parameters. `q` wins over `aq`; pages are 10 rows unless told and at most 250; words are stemmed as `options.stem` says unless
 * told. Throws `bad_parameter` for a page below 1, unknown or unsuitable sort and facet fields, an unknown language, `unsupported_query` for a
 * query that cannot be answered.
 */
export function buildSearchRequest(
  parameters: SearchParameters,
  options: { readonly now: number; readonly stem?: StemChoice },
): SearchRequest {
  const pageSize = parameters.page_size ?? 10;
  requirePositive('page', parameters.page);
  requirePositive('page_size', pageSize);
  const stem = readStem(parameters.stem) ?? options.stem ?? 'none';
  const { node: query, warnings } = readQuery(parameters, options.now);
  const root = parameters.root_record;
  const fields = (parameters.fields ?? []).filter(isGiven);
  const filters = [
    ...(isGiven(parameters.filter)
      ? [parseAdvancedQuery(parameters.filter, 'filter', { isLiteral: true, now: options.now })]
      : []),
    ...(parameters.filter_query ?? []).map((text) => parseQuery(text, { isField }).node),
    ...limit('filter_term', (parameters.filter_term ?? []).filter(isGiven)).flatMap(readFilterTerm),
    ...(root === undefined ? [] : [inRoot(root)]),
  ].filter((node) => node !== undefined);
  return {
    page: parameters.page,
    pageSize: Math.min(pageSize, largestPage),
    ...(query === undefined || query.kind === 'all' ? {} : { query }),
    filters,
    types: limit('type', parameters.type ?? []),
    excludedIds: limit('exclude', parameters.exclude ?? []),
    sort: readSort(parameters.sort),
    facets: readFacets((parameters.facet ?? []).filter(isGiven)),
    facetMinCount: parameters.facet_mincount ?? 0,
    ...(fields.length === 0 ? {} : { fields }),
    isHighlighted: parameters.hl === true,
    isStructured: !isGiven(parameters.q),
    suggests: parameters.did_you_mean === true,
    isExplained: parameters.explain === true,
    isRelaxed: parameters.relax === true,
    ...(stem === 'none' ? {} : { stem }),
    now: options.now,
    warnings,
  };
}

/** The query that keeps documents within one repository and the global ones (contract: repository search). */
export function inRepository(repositoryUri: string): QueryNode {
  return anyOf([repositoryUri, 'global'].map((text) => ({ kind: 'term', field: 'repository', text })));
}

function readQuery(
  parameters: SearchParameters,
  now: number,
): { readonly node?: QueryNode | undefined; readonly warnings: readonly QueryWarning[] } {
  if (isGiven(parameters.q)) {
    // The address of a record, pasted: it is the record that is wanted.
    const uri = /^\s*"?(\/\S+?)"?\s*$/.exec(parameters.q)?.[1] ?? '';
    if (parseUri(uri) !== null) return { node: withField({ kind: 'phrase', text: uri, slop: 0 }, 'uri'), warnings: [] };
    return parseQuery(parameters.q, { isField });
  }
  const node = isGiven(parameters.aq) ? parseAdvancedQuery(parameters.aq, 'aq', { isLiteral: false, now }) : undefined;
  return { node, warnings: [] };
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';

/** JSON text such as {"collection_uri_u_sstr":"/repositories/2/resources/1"}: each field has exactly this value. */
function readFilterTerm(text: string): readonly QueryNode[] {
  const refuse = (reason: string): Error => fail('bad_parameter', { filter_term: [reason] });
  let terms: unknown;
  try {
    terms = JSON.parse(text);
  } catch {
    throw refuse('Wanted JSON text such as {"field":"value"}');
  }
  if (!isObject(terms)) throw refuse('Wanted JSON text such as {"field":"value"}');
  return Object.entries(terms).map(([name, value]) => {
    if (findField(name) === undefined) throw refuse(`'${name}' is not a field of the index`);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw refuse(`the value of '${name}' must be a text, a number or true or false`);
    const node = withField({ kind: 'phrase', text: String(value), slop: 0 }, name);
    refuseTooWide(node);
    return node;
  });
}

function inRoot(uri: string): QueryNode {
  const root: QueryNode = { kind: 'phrase', text: uri, slop: 0 };
  return anyOf([withField(root, 'resource'), withField(root, 'digital_object')]);
}

function anyOf(nodes: readonly QueryNode[]): QueryNode {
  return { kind: 'group', clauses: nodes.map((node) => ({ occur: 'should', node })) };
}

function readSort(text: string | undefined): readonly SortKey[] {
  if (text === undefined || text.trim() === '') {
    return [];
  }
  return text.split(',').map((part) => {
    const [, name, direction] = /^\s*(\S+)\s+(asc|desc)\s*$/i.exec(part) ?? [];
    if (name === undefined || direction === undefined) {
      throw fail('bad_parameter', { sort: [`'${part.trim()}' is not a field followed by asc or desc`] });
    }
    const field = name === 'score' ? name : findSortField(name);
    if (field === undefined) {
      throw fail('bad_parameter', { sort: [`'${name}' cannot be sorted by`] });
    }
    return { field, isDescending: direction.toLowerCase() === 'desc' };
  });
}

/** Each field once, however often and by whichever of its names it is asked for: a reply has one list of each. */
function readFacets(names: readonly string[]): readonly Field[] {
  return [...new Map(names.map(readFacet).map((field) => [field.name, field])).values()];
}

function readFacet(name: string): Field {
  const field = findField(name);
  if (field === undefined || !isFacet(field)) {
    throw fail('bad_parameter', { facet: [`'${name}' cannot be counted`] });
  }
  return field;
}

function readStem(text: string | undefined): StemChoice | undefined {
  if (!isGiven(text)) return undefined;
  if (!isStemChoice(text)) throw fail('bad_parameter', { stem: [`Must be one of: ${stemChoices.join(', ')}`] });
  return text;
}

function limit(parameter: string, values: readonly string[]): readonly string[] {
  if (values.length > mostClauses) {
    throw fail('bad_parameter', { [parameter]: [`takes at most ${mostClauses} values`] });
  }
  return values;
}

function requirePositive(parameter: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw fail('bad_parameter', { [parameter]: [`Wanted a whole number above 0 but got '${value}'`] });
  }
}
