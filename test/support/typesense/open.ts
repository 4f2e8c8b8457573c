// The search index of a stand-in for Typesense, opened as the service opens one.
import type { Database } from '#store/connection/database.ts';
import type { OpenSearch } from '#store/search/open.ts';
import { openSearch } from '#store/search/open.ts';
import type { StandIn } from './server.ts';

/** Opens it; nothing is made on the server yet (`mirror.prepare`). `collection`: the name of its alias. */
export const openOnStandIn = (database: Database, standIn: StandIn, collection: string): OpenSearch =>
  openSearch(database, {
    MUNIMENT_SEARCH_LIMIT_MS: 60_000,
    TYPESENSE_URL: [standIn.url],
    TYPESENSE_API_KEY: standIn.apiKey,
    TYPESENSE_COLLECTION: collection,
  });
