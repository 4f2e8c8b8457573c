// The one filter before all writers of formats: what is unpublished leaves a record here, so that no writer can let it out
// (contract behaviour-exports 12: the reference leaks it in most formats).
import type { Json, JsonObject } from '../../json.ts';
import { isObject, objectOf } from '../../json.ts';
import { resolvedOf } from './context.ts';

// Links to records that are published or not on their own.
const agentProperties: ReadonlySet<string> = new Set(['linked_agents', 'related_agents']);

/** Whether an item of a list, found under a property, may go out. */
export type IsPublic = (property: string, item: JsonObject) => boolean;

/**
 * The record without parts whose `publish` is false, however deep (notes with their sub-notes, file versions, places of agents…), and
 * without links to agents and instances of digital objects that are not published or were not resolved; the same inside what is
 * resolved; nor the status of a finding aid whose flag keeps it back. Parts without a flag stay. The flag of the record itself is not looked at: whether it may go out is for the caller to
 * decide. Contacts of agents are left as they were read. `isPublic` is for readers who may see less.
 */
export function publishedPart(record: JsonObject, isPublic: IsPublic = isPublished): JsonObject {
  const filtered = (property: string, value: Json | undefined): Json | undefined => {
    if (Array.isArray(value))
      return value
        .filter((item: Json) => !isObject(item) || isPublic(property, item))
        .map((item: Json) => filtered('', item) ?? null);
    return isObject(value) ? publishedPart(value, isPublic) : value;
  };
  const shown = Object.entries(record).filter(
    ([property]) => property !== 'finding_aid_status' || record['is_finding_aid_status_published'] !== false,
  );
  return Object.fromEntries(shown.map(([property, value]) => [property, filtered(property, value)]));
}

/** What publishedPart lets through by itself. */
export function isPublished(property: string, item: JsonObject): boolean {
  // A subject's flag is derived from what links it and hides nothing (contract, exports 2: "no publish test").
  if (property === 'subjects') return true;
  if (agentProperties.has(property)) return item['publish'] !== false && resolvedOf(item)?.['publish'] === true;
  if (item['publish'] === false) return false;
  return (
    property !== 'instances' ||
    item['digital_object'] === undefined ||
    resolvedOf(objectOf(item, 'digital_object'))?.['publish'] === true
  );
}
