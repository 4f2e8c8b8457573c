// What the service asks of a search index, whichever adapter keeps it. The PostgreSQL adapter is in postgres/, the other in typesense/.
import type { SearchResult } from '#domain/search/reply/page.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import type { SuggestedTitle, TitleRequest } from '#domain/search/suggesting/typeahead.ts';
import type { Database, Transaction } from '../connection/database.ts';

/**
 * What the caller may find. Documents of no repository (agents, subjects) are always in scope. `mayNotSeeUnpublished`: the
 * public, who finds published documents without their unpublished parts. `seesSuppressed`: in all, or in these repositories.
 */
export type Visibility = {
  readonly repositories: readonly number[] | 'all';
  readonly mayNotSeeUnpublished: boolean;
  readonly seesSuppressed: boolean | readonly number[];
};

/** What an adapter can do in this installation; what it cannot is refused with `unsupported_query`. */
export type SearchCapabilities = { readonly fuzzy: boolean; readonly proximity: boolean };

/** Documents as they are stored, as JSON texts. */
type StoredDocuments = readonly { readonly id: string; readonly stored: string }[];

/** Everything that a search found, in its order, as of one moment. */
export type FoundAll = {
  /** The documents from a place on, so many at a time, read as they are taken; those that are gone by then, or hidden, are left out. May be gone through again. */
  portions(from: number, size: number): AsyncIterable<StoredDocuments>;
};

/** What searches ask of an index. It is written by the indexer alone (batch.ts), and with it the mirror below. */
export type SearchPort = {
  /**
   * Finds documents: exact total, one page, facet counts, all of one snapshot. Throws `unsupported_query`. An adapter that cannot walk by
   * `cursor` refuses requests that have one; one without suggestions or explanations leaves these out of its result.
   */
  search(request: SearchRequest, visibility: Visibility): Promise<SearchResult>;
  /**
   * Finds everything at once, whatever the page of the request: page by page, what is deleted meanwhile would draw others forward, past the border of
   * a page. Nothing is counted or marked. Throws `unsupported_query`.
   */
  searchAll(request: SearchRequest, visibility: Visibility): Promise<FoundAll>;
  /** Titles for what somebody has typed so far, best first: only of documents that the caller may see, and each document once. */
  suggestTitles(request: TitleRequest, visibility: Visibility): Promise<readonly SuggestedTitle[]>;
  /** The stored documents with these ids or URIs that the caller may see, in the order asked, as JSON texts. */
  read(ids: readonly string[], visibility: Visibility): Promise<StoredDocuments>;
  /** How many documents of each type (a name of `types`) belong to a repository or are used in it: repository uri → type → count. */
  countTypes(
    types: readonly string[],
    visibility: Visibility,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** What this index can do. */
  capabilities(): Promise<SearchCapabilities>;
};

/** An index kept beside PostgreSQL's: written with each batch, made anew as a whole. */
export type SearchMirror = {
  /**
   * Makes the index where there is none, and has all records indexed then. `isCurrent`: false where it was made by a release with other fields,
   * and should be made anew. To be called before the first write.
   */
  prepare(database: Database): Promise<{ readonly isCurrent: boolean }>;
  /**
   * Brings the documents of records in line with those that PostgreSQL has in this transaction, which holds them; none there, none here. To be
   * called last before the commit. What it does may be done again: a batch that fails afterwards is repeated as a whole.
   */
  write(tx: Transaction, records: readonly { readonly kind: string; readonly id: number }[]): Promise<void>;
  /** Begins an empty index that all writes go into as well, or goes on with that of the same job. `isNew`: everything is still to be written. */
  beginRebuild(jobId: number): Promise<{ readonly isNew: boolean }>;
  /** Turns searches to the new index and drops the old. Throws `internal` where documents are missing in it. */
  finishRebuild(database: Database, jobId: number): Promise<void>;
};
