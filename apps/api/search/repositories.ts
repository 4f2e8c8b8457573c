// The repositories that the rows of a reply belong to, to be shown in their `json` (contract: search_fields.json, `resolved_in_json`).
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { repositoryIn } from '#domain/search/documents/repository-refs.ts';
import type { Visibility } from '#store/search/port.ts';
import type { Services } from '../services.ts';

/** The JSON texts of the hits' repositories by uri, as far as the caller may find these; none where the reply has no `json`. One look-up. */
export async function readRepositories(
  services: Services,
  visibility: Visibility,
  hits: readonly { readonly stored: string }[],
  fields?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (fields !== undefined && !fields.includes('json')) return new Map();
  const uris = [...new Set(hits.flatMap(({ stored }) => repositoryIn(stored) ?? []))];
  const found = uris.length === 0 ? [] : await services.search.read(uris, visibility);
  // The index stores what document.ts made: an object.
  const documents = found.map(({ stored }) => JSON.parse(stored) as JsonObject);
  return new Map(documents.map((document) => [textOf(document, 'uri') ?? '', textOf(document, 'json') ?? '{}']));
}
