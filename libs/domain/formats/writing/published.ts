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
  // Most records lose nothing, and are given as they are; a copy is made at the first property that differs.
  let copy: { [property: string]: Json | undefined } | null = null;
  for (const property in record) {
    const value = record[property];
    if (typeof value === 'string' && property !== 'finding_aid_status') continue;
    if (property === 'finding_aid_status' && record['is_finding_aid_status_published'] === false) {
      copy ??= { ...record };
      delete copy[property];
      continue;
    }
    const shown = shownValue(property, value, isPublic);
    if (shown === value) continue;
    copy ??= { ...record };
    copy[property] = shown;
  }
  return copy ?? record;
}

function shownValue(property: string, value: Json | undefined, isPublic: IsPublic): Json | undefined {
  if (Array.isArray(value)) return shownItems(property, value, isPublic);
  if (!isObject(value)) return value;
  return property === '_resolved' && isPublic === isPublished ? shownResolved(value) : publishedPart(value, isPublic);
}

function shownItems(property: string, items: readonly Json[], isPublic: IsPublic): readonly Json[] {
  let copy: Json[] | null = null;
  let at = -1;
  for (const item of items) {
    at += 1;
    const isOut = isObject(item) && !isPublic(property, item);
    const shown = isOut ? item : (shownValue('', item, isPublic) ?? null);
    if (copy === null && (isOut || shown !== item)) copy = items.slice(0, at);
    if (!isOut) copy?.push(shown);
  }
  return copy ?? items;
}

// What many records of a document name is one object in all of them, and looked through once.
const resolvedShown = new WeakMap<JsonObject, JsonObject>();

function shownResolved(record: JsonObject): JsonObject {
  const known = resolvedShown.get(record);
  if (known !== undefined) return known;
  const shown = publishedPart(record);
  resolvedShown.set(record, shown);
  return shown;
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
