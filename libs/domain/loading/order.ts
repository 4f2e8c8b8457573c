// The order of properties: generation puts what it makes at the end, whatever a body had before, and a loaded record is to be the source's to
// the byte.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/**
 * A body with its properties in the order in which the record as read has them, those that it lacks last. Below the top the same is done where
 * generation has changed something; `before` is the body without it. Where `jsonmodel_type` comes first in a body it stays so, and
 * nowhere else it comes to be: by that replies find where audit fields belong (decision 0004).
 */
export function inOrderOf(read: JsonObject, body: JsonObject, before: JsonObject): JsonObject {
  const changed: { [property: string]: Json | undefined } = {};
  for (const property in body) {
    const value = body[property];
    const like = read[property];
    changed[property] = value === before[property] || like === undefined ? value : deep(like, value);
  }
  return ordered(read, changed);
}

function deep(read: Json, value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const items: readonly Json[] = Array.isArray(read) ? read : [];
    return value.map((item: Json, index) => deep(items[index] ?? null, item) ?? null);
  }
  if (!isObject(value) || !isObject(read)) return value;
  const made: { [property: string]: Json | undefined } = {};
  for (const property in value) made[property] = deep(read[property] ?? null, value[property]);
  return ordered(read, made);
}

function ordered(read: JsonObject, body: JsonObject): JsonObject {
  const names = Object.keys(body);
  const [first] = names;
  const isTyped = first === 'jsonmodel_type';
  const made: { [property: string]: Json | undefined } = {};
  if (isTyped) made[first] = body[first];
  let isEmpty = !isTyped;
  for (const name in read) {
    if (!(name in body)) continue;
    if (isEmpty && name === 'jsonmodel_type') continue;
    made[name] = body[name];
    isEmpty = false;
  }
  for (const name of names) if (!(name in made)) made[name] = body[name];
  return made;
}
