// Sizes of containers and shelves in whole micrometres, so that arithmetic on them is exact: 0.01 inch is 254 of them.
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

/** The sizes of a box or a shelf, in micrometres. */
export type Size = { readonly width: number; readonly height: number; readonly depth: number };

const micrometres: { readonly [unit: string]: number } = {
  millimeters: 1_000,
  centimeters: 10_000,
  meters: 1_000_000,
  inches: 25_400,
  feet: 304_800,
  yards: 914_400,
};

/** The micrometres of a unit of the list dimension_units; undefined for others. */
export const micrometresIn = (unit: string): number | undefined =>
  Object.hasOwn(micrometres, unit) ? micrometres[unit] : undefined;

/** A length from the text of a measure and its unit (none: inches), in micrometres; NaN where either is missing or cannot be read. */
export function lengthOf(measure: string | undefined, unit: string | undefined): number {
  const text = measure?.trim() ?? '';
  return text === '' ? Number.NaN : Math.round(Number(text) * (micrometresIn(unit ?? 'inches') ?? Number.NaN));
}

/** The size that a profile states; null where a side or its unit is missing or cannot be read. A profile without a unit is in inches. */
export function sizeOf(profile: JsonObject): Size | null {
  const [width, height, depth] = ['width', 'height', 'depth'].map((side) =>
    lengthOf(textOf(profile, side), textOf(profile, 'dimension_units')),
  );
  if (width === undefined || height === undefined || depth === undefined) return null;
  return Number.isFinite(width + height + depth) ? { width, height, depth } : null;
}

/** Whether a box exceeds a shelf on any side, standing as it does. */
export const isLarger = (box: Size, shelf: Size): boolean =>
  box.width > shelf.width || box.height > shelf.height || box.depth > shelf.depth;
