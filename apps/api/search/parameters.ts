// The parameters of searches, and what routes add to them (contract: behaviour-search.md). Who may find what is in visibility.ts.
import type { QueryNode } from '#domain/search/query/ast.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import type { Visibility } from '#store/search/port.ts';
import { pageOrCursor, unheededOrder } from '../request/pagination.ts';
import type { Values } from '../request/parameters.ts';
import { boolean, integer, listOf, resolve, text } from '../request/parameters.ts';

/** What decides which documents are found, and what of them is answered. */
export const queryParameters = {
  q: text({
    optional: true,
    doc: 'Words, in Lucene syntax. Broken syntax is searched as plain words, and `warnings` says so.',
    example: 'title:maps AND "harbor views"',
  }),
  aq: text({ optional: true, doc: 'JSON of an advanced_query; used where q is absent.' }),
  type: listOf(text())({ optional: true, doc: 'Types to keep, such as resource or agent.' }),
  sort: text({
    optional: true,
    doc: 'Fields to order by, such as `title_sort asc, score desc`. Absent: by relevance.',
  }),
  facet: listOf(text())({ optional: true, doc: 'Fields whose values are counted, at most 100 values each.' }),
  facet_mincount: integer({ default: 0, doc: 'Values with fewer documents are left out.' }),
  filter: text({
    optional: true,
    doc: 'JSON of an advanced_query whose values are taken literally; does not count for relevance.',
  }),
  filter_query: listOf(text())({ optional: true, doc: 'Further queries that must match.' }),
  filter_term: listOf(text())({
    optional: true,
    doc: 'JSON texts such as {"collection_uri_u_sstr":"/repositories/2/resources/1"}: each field has exactly this value.',
  }),
  exclude: listOf(text())({ optional: true, doc: 'Ids of documents to leave out.' }),
  stem: text({
    optional: true,
    doc: 'A language by its code of two letters, such as en: words of q and aq are found in all their forms in it (`map` finds `maps`), those in quotes as they are written. `none`: all as written. Absent: as MUNIMENT_SEARCH_STEM says. An addition of Muniment.',
  }),
  hl: boolean({ default: false, doc: 'True: marked fragments under `highlighting`.' }),
  root_record: text({ optional: true, doc: 'URI of a resource or digital object: only what is in its tree.' }),
  fields: listOf(text())({ optional: true, doc: 'Fields to answer. Absent: all.' }),
};

const form = {
  dt: text({
    default: 'json',
    doc: 'json, or csv: this page and all behind it as CSV, with the columns of `fields`.',
    check: (value) => (['json', 'csv', ''].includes(value) ? null : 'Must be json or csv'),
  }),
};

// What the incumbent does not know.
const additions = {
  strict: boolean({
    default: false,
    doc: 'True: broken syntax in q is refused, where otherwise it is searched as plain words with `warnings`. An addition of Muniment.',
  }),
  cursor: text({
    optional: true,
    doc: 'In place of `page`: `*`, then the `next_cursor` of each reply until that is null. Walks through everything found, by uri or by the fields of `sort`, at the same cost at any depth, and nothing comes twice or is left out while others write. An addition of Muniment.',
  }),
  did_you_mean: boolean({
    default: false,
    doc: 'True: where fewer than five documents are found, `did_you_mean` gives at most three queries that find more, with other words in the place of doubtful ones. An addition of Muniment.',
  }),
  paths: boolean({
    default: false,
    doc: 'True: every row that stands in a tree has `_path`, the uris and titles of what is above it, from the root down. An addition of Muniment.',
  }),
  relax: boolean({
    default: false,
    doc: 'True: documents with most of the words of q are found too, behind those that have all; words in all their forms (of English unless `stem` says), and those that nobody wrote as the ones that are a letter away. `relaxed` tells of it. An addition of Muniment.',
  }),
  explain: boolean({
    default: false,
    doc: 'True, for holders of administer_system: `explain` says how each document got its score. An addition of Muniment.',
  }),
};

/** The parameters of a search in pages. */
export const searchParameters = {
  ...queryParameters,
  ...form,
  ...pageOrCursor,
  ...unheededOrder,
  resolve,
  ...additions,
};

/** The values of these parameters; those that a route does not take are absent. */
export type SearchQuery = Values<typeof queryParameters> & {
  readonly page: number | null;
  readonly page_size: number;
  readonly resolve: readonly string[];
  readonly dt?: string;
} & Partial<Values<typeof additions>>;

/** What a route lets a search find, whatever the client asks. `types`: nothing else is found, resolved or counted. */
export type SearchScope = {
  readonly visibility: Visibility;
  readonly filters?: readonly QueryNode[];
  readonly types?: readonly string[];
};

/** The client's parameters within the scope of the route, for the domain to check. */
export function toSearchParameters(query: SearchQuery, scope: SearchScope): SearchParameters {
  const {
    page,
    page_size,
    q,
    aq,
    type,
    sort,
    facet,
    facet_mincount,
    filter,
    filter_query,
    filter_term,
    exclude,
    hl,
    root_record,
    fields,
    did_you_mean,
    explain,
    stem,
    relax,
  } = query;
  const given = {
    q,
    aq,
    sort,
    facet,
    filter,
    filter_query,
    filter_term,
    exclude,
    root_record,
    fields,
    did_you_mean,
    explain,
    stem,
    relax,
  };
  // Values that no document found has would be counted over all documents, those of other types too.
  const mincount = scope.types === undefined ? facet_mincount : Math.max(1, facet_mincount);
  return {
    page: page ?? 1,
    page_size,
    hl,
    facet_mincount: mincount,
    type: scope.types ?? type ?? [],
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)),
  };
}
