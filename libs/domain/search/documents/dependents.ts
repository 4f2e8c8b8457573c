// How a change of one record spreads to the documents of others: the digest of what they show of it, and whom its own words tell of.
import { hash } from 'node:crypto';
import { parseUri } from '../../addresses.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, textOf } from '../../json.ts';
import { kinds } from '../../kinds/index.ts';

/** Kinds whose documents tell of the records that link to them: where they are used, whether that is public, what a container holds. */
const tellers = new Set([
  'agent_person',
  'agent_family',
  'agent_corporate_entity',
  'agent_software',
  'subject',
  'top_container',
  'digital_object',
]);

/** Properties whose refs show on the far side too: what they name tells of the record, as links that both sides write and the records of events do. */
const shownBack = (kind: string): ReadonlySet<string> =>
  new Set([...Object.keys(kinds.get(kind)?.mutual ?? {}), ...(kind === 'event' ? ['linked_records'] : [])]);

/** Kinds that the index holds: of those that are stored as records, and jobs (contract: behaviour-search.md section 9). */
export const indexedKinds: ReadonlySet<string> = new Set([
  'resource',
  'digital_object',
  'accession',
  'agent_person',
  'agent_software',
  'agent_family',
  'agent_corporate_entity',
  'subject',
  'location',
  'event',
  'top_container',
  'classification',
  'container_profile',
  'location_profile',
  'archival_object',
  'digital_object_component',
  'classification_term',
  'assessment',
  'repository',
  'job',
]);

// What other documents may show of a record, or decide by: its names, its numbers, its visibility, its place.
const echoed = [
  'title',
  'display_string',
  'long_display_string',
  'display_name',
  'name',
  'repo_code',
  'barcode',
  'level',
  'other_level',
  'component_id',
  'id_0',
  'id_1',
  'id_2',
  'id_3',
  'publish',
  'suppressed',
  'ancestors',
  'has_unpublished_ancestor',
  'path_from_root',
  'repository',
  'jsonmodel_type',
];

/** A digest that changes exactly if what other documents show of the record does, or whether the public sees it. */
export function toEcho(record: JsonObject, isPublished: boolean): string {
  return hash(
    'sha1',
    JSON.stringify([isPublished, ...echoed.map((property) => withoutAudit(record[property]) ?? null)]),
    'base64url',
  ).slice(0, 16);
}

// Times inside sub-records change at every save.
function withoutAudit(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  const {
    create_time: _created,
    system_mtime: _system,
    user_mtime: _user,
    created_by: _by,
    last_modified_by: _last,
    ...rest
  } = value;
  return rest;
}

/** The uris in a record whose documents tell of it, at any depth, each once. Resolved records are not looked into. */
export function toTargets(record: JsonObject): readonly string[] {
  const targets = new Set<string>();
  const back = shownBack(textOf(record, 'jsonmodel_type') ?? '');
  const visit = (value: Json | undefined, isBack = false): void => {
    if (Array.isArray(value)) {
      value.forEach((item) => visit(item, isBack));
    } else if (isObject(value)) {
      const ref = value['ref'];
      if (typeof ref === 'string' && (isBack || tellers.has(parseUri(ref)?.kind ?? ''))) targets.add(ref);
      for (const key in value)
        if (key !== '_resolved' && typeof value[key] === 'object') visit(value[key], value === record && back.has(key));
    }
  };
  visit(record);
  return [...targets].sort();
}
