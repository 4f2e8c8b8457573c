// The reply of a search as it goes out: the page object, its facets, its highlighting (behaviour-search.md section 5).
import type { Json, JsonObject } from '../json.ts';
import type { SearchRequest } from './request.ts';

/** One facet: the field's values with their counts, in the order of the reply. */
export type FacetCounts = { readonly field: string; readonly counts: readonly (readonly [value: string, count: number])[] };

/** What a search found: the exact total, the stored documents of the page as JSON texts, counts, marked fragments by document id. */
export type SearchResult = {
  readonly total: number;
  readonly hits: readonly { readonly id: string; readonly stored: string }[];
  readonly facets: readonly FacetCounts[];
  readonly highlighting?: { readonly [id: string]: { readonly [field: string]: readonly string[] } };
};

/** The wire reply of a search: documents whole, or the `fields` asked for. Warnings, ours, tell how a broken query was read. */
export function toSearchPage(request: SearchRequest, result: SearchResult): JsonObject {
  const start = (request.page - 1) * request.pageSize;
  return {
    page_size: request.pageSize,
    first_page: 1,
    last_page: Math.ceil(result.total / request.pageSize),
    this_page: request.page,
    offset_first: start + 1,
    offset_last: Math.min(start + request.pageSize, result.total),
    total_hits: result.total,
    results: result.hits.map((hit) => toResult(hit.stored, request.fields)),
    facets: {
      facet_queries: {},
      facet_fields: Object.fromEntries(result.facets.map(({ field, counts }) => [field, counts.flat()])),
      facet_ranges: {},
      facet_intervals: {},
      facet_heatmaps: {},
    },
    ...(request.isHighlighted ? { highlighting: result.highlighting ?? {} } : {}),
    ...(request.warnings.length === 0 ? {} : { warnings: request.warnings.map(({ column, message }): Json => ({ column, message })) }),
  };
}

/** One document of a reply. Asked for fields without `id` and `primary_type`, `uri` and `jsonmodel_type` are null, as clients know it. */
export function toResult(stored: string, fields: readonly string[] | undefined): JsonObject {
  // The index stores what document.ts made: an object.
  const document = JSON.parse(stored) as JsonObject;
  if (fields === undefined) {
    return document;
  }
  const wanted = new Set(fields);
  return {
    ...Object.fromEntries(Object.entries(document).filter(([name]) => wanted.has(name))),
    uri: wanted.has('uri') || wanted.has('id') ? (document['uri'] ?? null) : null,
    jsonmodel_type: wanted.has('primary_type') ? (document['primary_type'] ?? null) : null,
  };
}
