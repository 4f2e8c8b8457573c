// Linked records of a stream of records, each embedded once: thousands of components name the same agents, subjects and boxes.
import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';

/**
 * Where in records refs stand, by the properties on the way, and what was embedded there. What is resolved below a record depends on the
 * way to it, so one that was embedded on another way may have less in it.
 */
type Way = { readonly below: Map<string, Way>; readonly embedded: Set<string> };

const makeWay = (): Way => ({ below: new Map(), embedded: new Set() });

/** Gives a function that takes records in order, and gives each without `_resolved` of what an earlier ref at such a place embedded. Changes none. */
export function makeEmbeddedOnce(): (record: JsonObject) => JsonObject {
  const top = makeWay();
  return (record) => withoutEmbedded(record, top);
}

function withoutEmbedded(record: JsonObject, way: Way): JsonObject {
  const { ref } = record;
  if (typeof ref === 'string' && isObject(record['_resolved'])) {
    if (way.embedded.has(ref)) {
      const { _resolved: _, ...rest } = record;
      return rest;
    }
    way.embedded.add(ref);
  }
  let copy: { [property: string]: Json | undefined } | null = null;
  for (const property in record) {
    const value = record[property];
    if (typeof value !== 'object' || value === null) continue;
    const shown = withoutEmbeddedIn(value, wayTo(way, property));
    if (shown === value) continue;
    copy ??= { ...record };
    copy[property] = shown;
  }
  return copy ?? record;
}

function withoutEmbeddedIn(value: Json, way: Way): Json {
  if (!Array.isArray(value)) return isObject(value) ? withoutEmbedded(value, way) : value;
  let copy: Json[] | null = null;
  for (const [at, item] of value.entries()) {
    const shown: Json = typeof item === 'object' && item !== null ? withoutEmbeddedIn(item, way) : item;
    if (shown !== item) copy ??= value.slice(0, at);
    copy?.push(shown);
  }
  return copy ?? value;
}

function wayTo(way: Way, property: string): Way {
  const known = way.below.get(property);
  if (known !== undefined) return known;
  const made = makeWay();
  way.below.set(property, made);
  return made;
}
