// The search index of an installation: PostgreSQL's own, or Typesense beside it where the configuration names a server.
import type { Config } from '#domain/config.ts';
import type { Database } from '../connection/database.ts';
import type { SearchMirror, SearchPort } from './port.ts';
import { postgresSearch } from './postgres/search.ts';
import { createTypesenseClient } from './typesense/client.ts';
import { collectionsOf } from './typesense/collections.ts';
import { createMirror } from './typesense/mirror.ts';
import { typesenseSearch } from './typesense/search.ts';

/** What searches ask, and what the indexer keeps besides PostgreSQL's index; null: nothing. */
export type OpenSearch = { readonly search: SearchPort; readonly mirror: SearchMirror | null };

/** Opens the search index that the configuration names. Sends nothing yet. `remembers`: whether it may keep what it found for a minute, while nothing is hidden. */
export function openSearch(
  database: Database,
  config: Pick<Config, 'TYPESENSE_URL' | 'TYPESENSE_API_KEY' | 'TYPESENSE_COLLECTION' | 'MUNIMENT_SEARCH_LIMIT_MS'>,
  { remembers = true }: { readonly remembers?: boolean } = {},
): OpenSearch {
  const { MUNIMENT_SEARCH_LIMIT_MS: limitMs } = config;
  const { TYPESENSE_URL: urls, TYPESENSE_API_KEY: apiKey = '', TYPESENSE_COLLECTION: alias } = config;
  if (urls === undefined) return { search: postgresSearch(database, { limitMs, remembers }), mirror: null };
  const client = createTypesenseClient({ urls, apiKey });
  const collections = collectionsOf(client, alias);
  const mirror = createMirror(client, collections, Date.now);
  return { search: typesenseSearch({ database, client, collections, limitMs, remembers }), mirror };
}
