// Record uris of the registry of kinds: what a uri names, and the uri of a record.
import type { Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { makeUris } from './uri.ts';
import type { RecordAddress } from './uri.ts';

const uris = makeUris(kinds.values());

/** The kind, id and repository that a uri names, or null where it is no uri of a record kind. */
export const parseUri = (uri: string): RecordAddress | null => uris.parse(uri);

/** The uri of a record of a kind. */
export function uriOf(kind: Kind, id: number, repoId: number | null): string {
  return kind.uri.replace(':repo_id', String(repoId)).replace(':id', String(id));
}

/** The kind of this name. Throws for a name that no declaration has: a fault of the code. */
export function kindNamed(name: string): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}
