// One search of a multi-search: every parameter by name and type, then filtering, ordering, paging and counting as Typesense documents it. Text
// queries are not spoken here (`q` must be *): what ranks by Typesense's own score cannot be stood in for.
import type { StandInCollection, StandInDocument } from './collection.ts';
import { readFilter } from './filter.ts';
import { Refusal } from './refusal.ts';

/** The parameters that our requests may use, of those documented, with their types. */
const parameters: { readonly [name: string]: 'text' | 'count' | 'truth' } = {
  collection: 'text',
  q: 'text',
  query_by: 'text',
  filter_by: 'text',
  sort_by: 'text',
  include_fields: 'text',
  exclude_fields: 'text',
  facet_by: 'text',
  facet_strategy: 'text',
  max_facet_values: 'count',
  page: 'count',
  per_page: 'count',
  offset: 'count',
  limit: 'count',
  exhaustive_search: 'truth',
  enable_overrides: 'truth',
  enable_synonyms: 'truth',
  prefix: 'truth',
  num_typos: 'count',
};
const strategies = new Set(['exhaustive', 'top_values', 'automatic']);
const mostHits = 250;
const mostKeys = 3;

/** Checks a search's parameters. Throws a Refusal. */
export function checkParameters(search: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(search)) {
    const type = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const fits =
      type === 'text'
        ? typeof value === 'string'
        : type === 'count'
          ? Number.isSafeInteger(value) && Number(value) >= 0
          : typeof value === 'boolean';
    if (type === undefined)
      throw new Refusal(400, `stand-in: \`${name}\` is not a documented search parameter, or not one that we use`);
    if (!fits)
      throw new Refusal(
        400,
        `Parameter \`${name}\` must be ${type === 'count' ? 'an unsigned integer' : type === 'truth' ? 'a boolean' : 'a string'}.`,
      );
  }
  if (search['q'] === undefined) throw new Refusal(400, 'Parameter `q` is required.');
  if (search['q'] !== '*') throw new Refusal(400, 'stand-in: q must be *');
  if (Number(search['limit'] ?? search['per_page'] ?? 10) > mostHits)
    throw new Refusal(422, `Only upto ${mostHits} hits can be fetched per page.`);
  if (search['facet_strategy'] !== undefined && !strategies.has(String(search['facet_strategy'])))
    throw new Refusal(400, 'Invalid facet strategy.');
}

/** Runs a search whose parameters were checked. */
export function runSearch(collection: StandInCollection, search: { readonly [name: string]: unknown }): object {
  const text = (name: string): string => String(search[name] ?? '');
  const matching = collection.documents.filter(readFilter(text('filter_by'), collection));
  const ordered = order(collection, matching, text('sort_by'));
  const limit = Number(search['limit'] ?? search['per_page'] ?? 10);
  const offset = Number(search['offset'] ?? (Number(search['page'] ?? 1) - 1) * limit);
  const included = text('include_fields')
    .split(',')
    .filter((name) => name !== '');
  const cut = (document: StandInDocument): StandInDocument =>
    included.length === 0
      ? document
      : Object.fromEntries(Object.entries(document).filter(([name]) => included.includes(name)));
  const facets = text('facet_by')
    .split(',')
    .filter((name) => name !== '')
    .map((name) => countFacet(collection, matching, name, Number(search['max_facet_values'] ?? 10)));
  return {
    facet_counts: facets,
    found: matching.length,
    out_of: collection.documents.length,
    page: Math.floor(offset / Math.max(limit, 1)) + 1,
    search_cutoff: false,
    search_time_ms: 0,
    request_params: { collection_name: collection.name, per_page: limit, q: '*' },
    hits: ordered
      .slice(offset, offset + limit)
      .map((document) => ({ document: cut(document), highlight: {}, highlights: [] })),
  };
}

function countFacet(
  collection: StandInCollection,
  documents: readonly StandInDocument[],
  name: string,
  most: number,
): object {
  if (!collection.isFacet(name))
    throw new Refusal(404, `Could not find a facet field named \`${name}\` in the schema.`);
  const counts = new Map<string, number>();
  // A document counts once for each value that it has.
  for (const document of documents)
    for (const value of new Set([document[name]].flat()))
      if (value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return {
    field_name: name,
    sampled: false,
    stats: { total_values: counts.size },
    counts: sorted.slice(0, most).map(([value, count]) => ({ count, highlighted: value, value })),
  };
}

type Key = {
  readonly value: (document: StandInDocument) => string | number | undefined;
  readonly isDescending: boolean;
  readonly missing: 'first' | 'last' | undefined;
};

function order(
  collection: StandInCollection,
  documents: readonly StandInDocument[],
  sortBy: string,
): readonly StandInDocument[] {
  const keys = sortBy.trim() === '' ? [] : splitKeys(sortBy).map((key) => readKey(collection, key));
  if (keys.length > mostKeys) throw new Refusal(422, `Only upto ${mostKeys} sort_by fields can be specified.`);
  // Where all keys are equal, what was entered last comes first.
  return [...documents].sort(
    (a, b) =>
      keys.reduce((found, key) => (found === 0 ? compare(key, a, b) : found), 0) ||
      collection.entryOf(b) - collection.entryOf(a),
  );
}

function compare(key: Key, a: StandInDocument, b: StandInDocument): number {
  const [left, right] = [key.value(a), key.value(b)];
  if (left === undefined || right === undefined) {
    if (left === right) return 0;
    // Texts: a missing one is the highest; numbers: always at the end.
    const isLast =
      key.missing === undefined ? typeof (left ?? right) === 'number' || !key.isDescending : key.missing === 'last';
    return (left === undefined) === isLast ? 1 : -1;
  }
  const found = left < right ? -1 : left > right ? 1 : 0;
  return key.isDescending ? -found : found;
}

/** Splits at commas outside of brackets. */
function splitKeys(text: string): readonly string[] {
  const keys = [''];
  let depth = 0;
  for (const character of text) {
    depth += '(['.includes(character) ? 1 : ')]'.includes(character) ? -1 : 0;
    if (character === ',' && depth === 0) keys.push('');
    else keys.push(`${keys.pop() ?? ''}${character}`);
  }
  return keys;
}

function readKey(collection: StandInCollection, text: string): Key {
  const [, expression = '', direction = ''] = /^\s*([^]+):(asc|desc)\s*$/i.exec(text) ?? [];
  if (direction === '') throw new Refusal(400, `Order for field \`${text}\` should be either ASC or DESC.`);
  const isDescending = direction.toLowerCase() === 'desc';
  const evaluated = /^_eval\(\[([^]*)\]\)$/.exec(expression)?.[1];
  if (evaluated !== undefined) return { value: readEval(collection, evaluated), isDescending, missing: undefined };
  const [, name = '', missing] =
    /^([A-Za-z_][A-Za-z0-9_]*)(?:\(missing_values:\s*(first|last)\))?$/.exec(expression) ?? [];
  if (name === '' || !collection.isSortable(name))
    throw new Refusal(
      404,
      `Could not find a field named \`${name === '' ? expression : name}\` in the schema for sorting.`,
    );
  const value = (document: StandInDocument): string | number | undefined => {
    const found = document[name];
    return typeof found === 'boolean'
      ? Number(found)
      : typeof found === 'string' || typeof found === 'number'
        ? found
        : undefined;
  };
  return { value, isDescending, missing: missing === 'first' || missing === 'last' ? missing : undefined };
}

/** `(condition):score, …`: the score of the first condition that fits, 0 where none does. */
function readEval(collection: StandInCollection, text: string): (document: StandInDocument) => number {
  const steps = splitKeys(text).map((step) => {
    const [, condition = '', score = ''] = /^\s*\(([^]*)\):(\d+)\s*$/.exec(step) ?? [];
    if (score === '') throw new Refusal(400, 'Error parsing eval expression in sort_by clause.');
    return { matches: readFilter(condition, collection), score: Number(score) };
  });
  return (document) => steps.find(({ matches }) => matches(document))?.score ?? 0;
}
