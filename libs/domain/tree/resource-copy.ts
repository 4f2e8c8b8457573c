// A copy of a resource and its tree, as records for the batch import (contract trees-and-jobs 3.6, resource_duplicate_job). Records come
// as clients read them; agents, subjects, accessions, classifications, containers and digital objects stay linked.
import type { Json, JsonObject } from '../json.ts';
import { objectOf, textOf } from '../json.ts';
import { parseUri } from '../addresses.ts';

/** What marks the title and the identifiers of a copy. */
const copyMark = '[Duplicated] ';

/** Names of the copies within the batch: `importId` is of hex digits and dashes. */
export type CopyNames = { readonly repoId: number; readonly importId: string };

const rootUri = ({ repoId, importId }: CopyNames): string => `/repositories/${repoId}/resources/import_${importId}`;
const nodeUri = ({ repoId, importId }: CopyNames, id: number): string =>
  `/repositories/${repoId}/archival_objects/import_${importId}-${id}`;

// What is of the original alone: its names for readers and machines, its place, its history.
const own: ReadonlySet<string> = new Set([
  'lock_version',
  'slug',
  'is_slug_auto',
  'ark_name',
  'external_ark_url',
  'import_current_ark',
  'import_previous_arks',
  'ref_id',
  'position',
  'ancestors',
  'linked_events',
  'tree',
  'suppressed',
  'has_unpublished_ancestor',
  'display_string',
  'series',
  'parent',
]);

function copied(record: JsonObject): { [property: string]: Json | undefined } {
  return Object.fromEntries(Object.entries(record).filter(([property]) => !own.has(property)));
}

const marked = (record: JsonObject, property: string): JsonObject => {
  const text = textOf(record, property);
  return text === undefined || text === '' ? {} : { [property]: `${copyMark}${text}` };
};

/** The copy of the resource itself: marked and unpublished. */
export function copyOfResource(record: JsonObject, names: CopyNames): JsonObject {
  return {
    ...copied(record),
    ...marked(record, 'title'),
    ...marked(record, 'id_0'),
    ...marked(record, 'ead_id'),
    publish: false,
    uri: rootUri(names),
  };
}

/** The copy of a component; `record` names its parent, which must be copied too. */
export function copyOfComponent(record: JsonObject, names: CopyNames): JsonObject {
  const idOf = (uri: string | undefined): number => parseUri(uri ?? '')?.id ?? 0;
  const parent = textOf(objectOf(record, 'parent'), 'ref');
  return {
    ...copied(record),
    publish: false,
    uri: nodeUri(names, idOf(textOf(record, 'uri'))),
    resource: { ref: rootUri(names) },
    ...(parent === undefined ? {} : { parent: { ref: nodeUri(names, idOf(parent)) } }),
  };
}
