// Sub-records with an address of their own: collection_management and telephone, in R-A also revision_statement (contract 3.2). Their ids
// follow from the record that has them and the place there, so they stay the same from save to save and need no rows. File versions have
// identifiers by the same rule.
import type { JsonObject } from '../json.ts';
import { objectOf, objectsOf } from '../json.ts';
import { fileVersionOwners, managementOwners, telephoneOwners } from '../subrecords/part-owners.ts';

// Room for four kinds of each. The largest id of a telephone, 2^31 * 4 * 1,000 * 1,000, is below 2^53.
const kindsOfOwners = 4;
const placesOf = 1_000;

/** The property and sub-record of an owner's collection management; a record has at most one. */
export const managementProperty = 'collection_management';

/** The uri of the collection management of a record; null for kinds that have none. */
export function managementUri(kind: string, ownerId: number, repoId: number | null): string | null {
  const code = managementOwners.indexOf(kind);
  return code === -1 ? null : `/repositories/${repoId}/collection_management/${ownerId * kindsOfOwners + code}`;
}

/** The kind and id of the record whose collection management has an id; null for an id that none can have. */
export function ownerOfManagement(id: number): { readonly kind: string; readonly id: number } | null {
  const kind = managementOwners[id % kindsOfOwners];
  const ownerId = Math.floor(id / kindsOfOwners);
  return kind === undefined || ownerId < 1 ? null : { kind, id: ownerId };
}

/** The uri of a telephone by the places of the contact in its agent, and of the telephone in its contact, from 0; null for other kinds. */
export function telephoneUri(kind: string, ownerId: number, contact: number, telephone: number): string | null {
  const code = telephoneOwners.indexOf(kind);
  if (code === -1 || contact >= placesOf || telephone >= placesOf) return null;
  return `/telephone/${((ownerId * kindsOfOwners + code) * placesOf + contact) * placesOf + telephone}`;
}

/**
 * The uri that R-A shows of a revision statement by its place in its resource, from 0; null beyond the places there are. It is a name alone:
 * nothing is read there, and it leaves no tombstone.
 */
export function revisionStatementUri(resourceId: number, repoId: number | null, place: number): string | null {
  return place >= placesOf ? null : `/repositories/${repoId}/revision_statement/${resourceId * placesOf + place}`;
}

/** The identifier that a file version shows, digits as clients know it, by its place in its object or component, from 0; null for other kinds and beyond the places there are. */
export function fileVersionIdentifier(kind: string, ownerId: number, place: number): string | null {
  const code = fileVersionOwners.indexOf(kind);
  return code === -1 || place < 0 || place >= placesOf
    ? null
    : String((ownerId * kindsOfOwners + code) * placesOf + place);
}

/** The uris of collection management and telephones in a stored body. */
export function partUris(kind: string, ownerId: number, repoId: number | null, body: JsonObject): readonly string[] {
  const management = objectOf(body, managementProperty) === undefined ? null : managementUri(kind, ownerId, repoId);
  const telephones = objectsOf(body, 'agent_contacts').flatMap((contact, place) =>
    objectsOf(contact, 'telephones').map((_, number) => telephoneUri(kind, ownerId, place, number)),
  );
  return [management, ...telephones].filter((uri) => uri !== null);
}

/** The kinds whose records may have such sub-records. */
export const kindsWithParts: ReadonlySet<string> = new Set([...managementOwners, ...telephoneOwners]);
