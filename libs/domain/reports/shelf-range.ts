// From one location to another: the places that agree with both down to where the two differ, and lie between them there.
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

/** What names a place, from the building down to the shelf. */
const levels = [
  'building',
  'floor',
  'room',
  'area',
  'coordinate_1_indicator',
  'coordinate_2_indicator',
  'coordinate_3_indicator',
] as const;

/** `same`: properties and their values (null: not stated). `between`: the property in which places differ, and its least and greatest value. */
export type ShelfRange = {
  readonly same: { readonly [property: string]: string | null };
  readonly between: {
    readonly property: string;
    readonly least: string;
    readonly greatest: string;
    readonly isNumber: boolean;
  } | null;
};

const digits = /^\d{1,15}$/;

/** The range of two locations, in either order. Numbers are compared as such where both ends are some. Null: one end does not say where it is. */
export function shelfRange(start: JsonObject, end: JsonObject): ShelfRange | null {
  const same: { [property: string]: string | null } = {};
  for (const property of levels) {
    const [a, b] = [textOf(start, property) ?? null, textOf(end, property) ?? null];
    if (a === b) {
      same[property] = a;
      continue;
    }
    if (a === null || b === null) return null;
    const isNumber = digits.test(a) && digits.test(b);
    const isAscending = isNumber ? Number(a) <= Number(b) : a <= b;
    return { same, between: { property, least: isAscending ? a : b, greatest: isAscending ? b : a, isNumber } };
  }
  return { same, between: null };
}
