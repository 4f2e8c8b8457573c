// JSON values as the service handles them: what a client sent, what a body holds, what goes out.
// Accessors read a property of an unknown body without casts; they never throw.

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; a body, a sub-record or a ref. */
export type JsonObject = { readonly [property: string]: Json | undefined };

/** Whether a value is a JSON object (neither an array nor null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a property, or undefined where it is absent or not a string. */
export function textOf(object: JsonObject | undefined, property: string): string | undefined {
  const value = object?.[property];
  return typeof value === 'string' ? value : undefined;
}

/** The objects of an array property, in order; empty where it is absent. Elements that are no objects are left out. */
export function objectsOf(object: JsonObject | undefined, property: string): readonly JsonObject[] {
  return objectsIn(object?.[property]);
}

/** The objects of a value that should be an array of them, in order; empty where it is none. Elements that are no objects are left out. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return noObjects;
  // Most lists hold nothing else, and are given as they are: exports ask for some ten lists of each record.
  for (const item of value) if (!isObject(item)) return value.filter(isObject);
  return value;
}

const noObjects: readonly JsonObject[] = [];

/** The object of a property, or undefined. */
export function objectOf(object: JsonObject | undefined, property: string): JsonObject | undefined {
  const value = object?.[property];
  return isObject(value) ? value : undefined;
}

/** The strings of an array property, in order; empty where it is absent. */
export function textsOf(object: JsonObject | undefined, property: string): readonly string[] {
  const value = object?.[property];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
