// What counts as given: null, '' and {} are as good as absent (contract behaviour-records.md 1.2).
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/** Deeper objects are refused: only notes nest without a limit of their own. */
export const deepest = 200;

/** Whether anything is left of an object once null, '' and {} are taken out at every depth; lists always stay. */
export function hasContent(object: JsonObject, depth = 0): boolean {
  for (const key in object) {
    const value = object[key];
    if (value === null || value === undefined || value === '') continue;
    if (!isObject(value) || depth > deepest || hasContent(value, depth + 1)) return true;
  }
  return false;
}

/** Whether a value is given at all. */
export function isGiven(value: Json | undefined): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !isObject(value) || hasContent(value);
}
