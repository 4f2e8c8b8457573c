// What of a record the public may see: every export passes here before anything is written, so that no serialiser has a rule of its own.
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf } from '../json.ts';

// A subject's flag is derived from what links it and hides nothing (contract, exports 2: "no publish test").
const withoutTest: ReadonlySet<string> = new Set(['subjects']);

/**
 * A record without its unpublished parts: notes and sub-notes, file versions, statements, links to unpublished agents, instances of
 * unpublished or unreadable digital objects, and the same inside what is resolved. The record's own flag does not count. Parts without
 * a flag stay.
 */
export function publishedParts(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([property, value]) => [property, value === undefined ? value : published(property, value)]));
}

function published(property: string, value: Json): Json {
  if (isList(value)) return value.filter((item) => withoutTest.has(property) || !isHidden(property, item)).map((item) => published('', item));
  return isObject(value) ? publishedParts(value) : value;
}

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function isHidden(property: string, item: Json): boolean {
  if (!isObject(item)) return false;
  if (item['publish'] === false) return true;
  if (property === 'linked_agents') return objectOf(item, '_resolved')?.['publish'] !== true;
  if (property !== 'instances' || item['digital_object'] === undefined) return false;
  const target = objectOf(objectOf(item, 'digital_object'), '_resolved');
  return target?.['publish'] !== true;
}
