// The one filter before all writers of formats: what is unpublished leaves a record here, so that no writer can let it out
// (contract behaviour-exports 12: the reference leaks it in most formats).
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { resolvedOf } from './export-context.ts';

// Links to records that are published or not on their own.
const agentProperties: ReadonlySet<string> = new Set(['linked_agents', 'related_agents']);

/**
 * The record without parts whose `publish` is false, however deep (notes with their sub-notes, file versions, places of agents…), and
 * without links to agents that are not published or were not resolved. The flag of the record itself is not looked at: whether it may go
 * out is for the caller to decide. Contacts of agents are left as they were read.
 */
export function publishedPart(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([property, value]) => [property, published(property, value)]));
}

function published(property: string, value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.filter((item) => isPublished(property, item)).map((item) => published(property, item) ?? null);
  return isObject(value) ? publishedPart(value) : value;
}

function isPublished(property: string, item: Json): boolean {
  if (!isObject(item)) return true;
  if (agentProperties.has(property)) return resolvedOf(item)?.['publish'] === true;
  return item['publish'] !== false;
}
