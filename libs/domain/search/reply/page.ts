// The reply of a search as it goes out: the page object, its facets, its highlighting (behaviour-search.md section 5).
import type { Json, JsonObject } from '../../json.ts';
import type { Position, SearchRequest } from '../query/request.ts';
import { writeCursor } from './cursor.ts';
import { searchOf } from '../declared.ts';
import { copiedFields } from '../fields.ts';
import { printQuery } from '../query/ast.ts';
import type { Suggestion } from '../suggesting/suggest.ts';
import { completeRepository } from '../documents/repository-refs.ts';

/** One facet: the field's values with their counts, in the order of the reply. */
export type FacetCounts = {
  readonly field: string;
  readonly counts: readonly (readonly [value: string, count: number])[];
};

/** What of a reply is not as it was asked for, since that would have taken too long: a code for programs, a sentence for people. */
export type SearchWarning = { readonly code: string; readonly message: string };

/**
 * How a search went on with most of its words: how many documents have all of them as asked (counted up to a thousand), how many of the rarest eight that are known
 * the others must have, which words no document has, and what those are taken for that are one letter away from others.
 */
export type RelaxedWords = {
  readonly with_all: number;
  readonly at_least: number;
  readonly not_found: readonly string[];
  readonly spelt: { readonly [word: string]: readonly string[] };
};

/** A word of a query that finds nothing, and how many documents are found without it, counted up to a thousand. */
type FoundWithout = { readonly word: string; readonly total_hits: number };

/** What a search found: the exact total, the stored documents of the page as JSON texts, counts, marked fragments by document id. */
export type SearchResult = {
  readonly total: number;
  /** In a walk by cursor, where its last document stands; absent where none follows. */
  readonly last?: Position;
  readonly hits: readonly { readonly id: string; readonly stored: string }[];
  readonly facets: readonly FacetCounts[];
  /** The repositories of the hits as JSON texts by uri, for their `json`. */
  readonly repositories?: ReadonlyMap<string, string>;
  readonly highlighting?: { readonly [id: string]: { readonly [field: string]: readonly string[] } };
  /** Queries that find more, best first, where they were asked for. */
  readonly suggestions?: readonly Suggestion[];
  /** How each document got its place, by its id, where that was asked for. */
  readonly explanations?: { readonly [id: string]: JsonObject };
  readonly relaxed?: RelaxedWords;
  readonly foundWithout?: readonly FoundWithout[];
  /** What was left out or counted in part, to stay within the time of a search. */
  readonly warnings?: readonly SearchWarning[];
};

/** The release whose form of reply is wanted where the two differ (contract section 13). */
export type ReplyRelease = 'R-A' | 'R-B';

/** The wire reply of a search: documents whole, or the `fields` asked for. Warnings, ours, tell how a broken query was read. */
export function toSearchPage(request: SearchRequest, result: SearchResult, release: ReplyRelease = 'R-B'): JsonObject {
  return {
    page_size: request.pageSize,
    ...(request.cursor === undefined ? toPlace(request, result.total) : {}),
    total_hits: result.total,
    results: result.hits.map((hit) => toResult(hit.stored, request.fields, release, result.repositories)),
    facets: {
      facet_queries: {},
      facet_fields: Object.fromEntries(result.facets.map(({ field, counts }) => [field, counts.flat()])),
      facet_ranges: {},
      facet_intervals: {},
      facet_heatmaps: {},
    },
    ...(request.isHighlighted ? { highlighting: toHighlighting(result.highlighting ?? {}, request, release) } : {}),
    ...toWarnings(request, result),
    ...(result.relaxed === undefined ? {} : { relaxed: { ...result.relaxed } }),
    ...(result.foundWithout === undefined ? {} : { found_without: result.foundWithout.map((one) => ({ ...one })) }),
    ...(request.suggests
      ? { did_you_mean: (result.suggestions ?? []).map((suggestion) => toSuggestion(suggestion, request)) }
      : {}),
    ...(request.isExplained ? { explain: result.explanations ?? {} } : {}),
    ...(request.cursor === undefined
      ? {}
      : { next_cursor: result.last === undefined ? null : writeCursor(request, result.last, result.total) }),
  };
}

function toWarnings(request: SearchRequest, { warnings = [] }: SearchResult): JsonObject {
  const all = [
    ...request.warnings.map(({ column, message }): Json => ({ column, message })),
    ...warnings.map(({ code, message }): Json => ({ code, message })),
  ];
  return all.length === 0 ? {} : { warnings: all };
}

// A structured query has no text to send again; its words are told all the same.
function toSuggestion({ corrections, query, hits }: Suggestion, request: SearchRequest): JsonObject {
  return {
    ...(request.isStructured ? {} : { query: printQuery(query) }),
    words: Object.fromEntries(corrections),
    total_hits: hits,
  };
}

// Where the page stands among all; a walk by cursor has no numbers of pages.
function toPlace(request: SearchRequest, total: number): JsonObject {
  const start = (request.page - 1) * request.pageSize;
  return {
    first_page: 1,
    last_page: Math.ceil(total / request.pageSize),
    this_page: request.page,
    offset_first: start + 1,
    offset_last: Math.min(start + request.pageSize, total),
  };
}

/** One document of a reply, its `json` with the repository where that is given. Asked for fields without `id` and `primary_type`, `uri` and `jsonmodel_type` are null, as clients know it. */
export function toResult(
  stored: string,
  fields: readonly string[] | undefined,
  release: ReplyRelease = 'R-B',
  repositories: ReadonlyMap<string, string> = new Map(),
): JsonObject {
  // The index stores what document.ts made: an object.
  const own = JSON.parse(stored) as JsonObject;
  const document = withCopies({ ...own, json: completeRepository(own['json'], repositories) }, release);
  if (fields === undefined) {
    return document;
  }
  const wanted = new Set(fields);
  return {
    ...Object.fromEntries(
      [...wanted].flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])),
    ),
    uri: wanted.has('uri') || wanted.has('id') ? (document['uri'] ?? null) : null,
    jsonmodel_type: wanted.has('primary_type') ? (document['primary_type'] ?? null) : null,
  };
}

/** A stored document with the fields that are copies of others, in the form of a release. */
export function withCopies(document: JsonObject, release: ReplyRelease): JsonObject {
  const { notes, notes_published: published } = document;
  const copied = Object.fromEntries(
    [...copiedFields].flatMap(([copy, source]) => (document[source] === undefined ? [] : [[copy, document[source]]])),
  );
  // Published notes are stored by themselves only where they are not all.
  const isInternal = searchOf(String(document['primary_type'])).notesAreInternal === true;
  const shown = published ?? (isInternal ? undefined : notes);
  return {
    ...document,
    ...copied,
    ...(notes !== undefined && release === 'R-A' ? { notes: Array.isArray(notes) ? notes.join(' ') : notes } : {}),
    ...(shown === undefined ? {} : { notes_published: shown }),
  };
}

// The fields that R-A marks for `q`, of those that it stores.
const markedInEarlier: ReadonlySet<string> = new Set(['four_part_id', 'title', 'finding_aid_filing_title']);

/** Marked fragments with the marks of the release; text in them is escaped, so a mark is never part of it. */
function toHighlighting(
  marked: NonNullable<SearchResult['highlighting']>,
  request: SearchRequest,
  release: ReplyRelease,
): JsonObject {
  if (release === 'R-B') return marked;
  const toEarlier = (fragment: string): string =>
    fragment.replaceAll('<span class="searchterm">', '<em>').replaceAll('</span>', '</em>');
  return Object.fromEntries(
    Object.entries(marked).map(([id, fields]) => [
      id,
      Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => request.isStructured || markedInEarlier.has(name))
          .map(([name, fragments]) => [name, fragments.map(toEarlier)]),
      ),
    ]),
  );
}
