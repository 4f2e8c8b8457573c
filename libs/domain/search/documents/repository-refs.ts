// The repository of a record in the `json` of its document (contract: search_fields.json, `resolved_in_json`). It would stand in millions
// of documents, so they keep the ref, at their end, and the reply completes it from the repository's own document.
import type { Json, JsonObject } from '../../json.ts';

/** The record with its repository as the last property, where `completeRepository` looks for it. */
export function withRepositoryLast(record: JsonObject): JsonObject {
  const { repository, ...rest } = record;
  return repository === undefined ? record : { ...rest, repository };
}

/** The uri of the repository of a stored document, from its text; undefined for what belongs to none. */
export function repositoryIn(stored: string): string | undefined {
  // Quotes within texts are escaped, so this is a property; `json` is a text.
  return /"repository":"(\/repositories\/\d+)"/.exec(stored)?.[1];
}

/** The `json` of a document with its repository resolved, where it is known: `repositories` has the JSON texts of repositories by uri. */
export function completeRepository(
  json: Json | undefined,
  repositories: ReadonlyMap<string, string>,
): Json | undefined {
  if (typeof json !== 'string' || repositories.size === 0) return json;
  const [end, uri] = /"repository":\{"ref":"(\/repositories\/\d+)"\}\}$/.exec(json) ?? [];
  const text = uri === undefined ? undefined : repositories.get(uri);
  return end === undefined || text === undefined
    ? json
    : `${json.slice(0, -end.length)}"repository":{"ref":"${uri}","_resolved":${text}}}`;
}
