// Addresses of records: parsing uris of a set of kinds.
// A uri names a kind and an id, and for kinds below a repository that repository too.
import { largestInt4 } from './int4.ts';
import type { Kind } from './kind.ts';

/** A parsed record uri. `repoId` is null for global kinds. */
export type RecordAddress = { readonly kind: string; readonly id: number; readonly repoId: number | null };

const inRepository = /^\/repositories\/(\d{1,10})\/([a-z_/]+)\/(\d{1,10})$/;
const global = /^\/([a-z_/]+)\/(\d{1,10})$/;

/** Parses record uris of the given kinds; addresses.ts makes them. `parse` gives null for anything that is no uri of one of them. */
export function makeUris(kinds: Iterable<Kind>): { parse(uri: string): RecordAddress | null } {
  const byPath = new Map<string, Kind>();
  for (const kind of kinds) byPath.set(kind.uri.replace('/repositories/:repo_id/', 'R/').replace(/\/:id$/, ''), kind);
  return {
    parse(uri) {
      const scoped = inRepository.exec(uri);
      if (scoped !== null) {
        const kind = byPath.get(`R/${scoped[2]}`);
        return kind === undefined ? null : address(kind, scoped[3], scoped[1]);
      }
      const plain = global.exec(uri);
      const kind = plain === null ? undefined : byPath.get(`/${plain[1]}`);
      return kind === undefined || plain === null ? null : address(kind, plain[2], undefined);
    },
  };
}

/** The uri of a record as replies write it: numbers without zeros in front. */
export const asWritten = (uri: string): string => (uri.includes('/0') ? uri.replace(/\/0+(?=\d)/g, '/') : uri);

function address(kind: Kind, idText: string | undefined, repoText: string | undefined): RecordAddress | null {
  const id = Number(idText);
  const repoId = repoText === undefined ? null : Number(repoText);
  if (id > largestInt4 || (repoId ?? 0) > largestInt4) return null;
  return { kind: kind.name, id, repoId };
}
