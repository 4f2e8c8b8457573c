// JSON Merge Patch (RFC 7396): what a PATCH changes in a record. A null takes a property away, an object is merged, all else replaces.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/** The value with a patch applied; neither is changed. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  return mergeObject(isObject(target) ? target : {}, patch);
}

/** The same for a patch that is an object, as every patch of a record is. */
export function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: { [property: string]: Json | undefined } = { ...target };
  for (const [property, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete merged[property];
    // Own properties alone: "__proto__" is a name like any other, and must not reach a prototype.
    else
      Object.defineProperty(merged, property, {
        value: mergePatch(Object.hasOwn(target, property) ? target[property] : undefined, value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return merged;
}
