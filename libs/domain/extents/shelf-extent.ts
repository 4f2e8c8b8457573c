// The shelf space that the containers of a record take (contract trees-and-jobs 5.2), from the measures of their profiles: the length of
// the side that counts or, where the installation wants it so, the volume. Amounts are whole micrometres, or whole cubic ones, as bigint:
// a box of half a meter is 1.25e17 of these, and a double counts exactly to 9e15 only. So sums are exact, and a half is a half.
import type { Json, JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import { lengthOf, micrometresIn } from '../locations/lengths.ts';

/** Containers of one profile; `profile` null: those without. `label` is the profile's display string. */
export type ProfiledContainers = {
  readonly profile: JsonObject | null;
  readonly label: string;
  readonly count: number;
};

/** The units that may be asked for. */
export const extentUnits: readonly string[] = ['inches', 'feet', 'centimeters', 'meters'];

/** How an extent is reported: in which unit (one of `extentUnits`; null: that of the first profile), with how many decimals, and as a volume or a length. */
export type ExtentForm = { readonly unit: string | null; readonly decimals: number; readonly isVolume: boolean };

/** The part of the reply that is calculated. A volume is in cubes of `units`. */
export type ShelfExtent = {
  readonly total_extent: number;
  readonly container_count: number;
  readonly container_without_profile_count: number;
  readonly units: string | null;
  readonly volume: boolean;
  readonly containers: { readonly [profile: string]: { readonly count: number; readonly extent: number } };
};

/**
 * Adds up what containers measure. Groups go by the display strings of profiles, for volumes by their names; profiles that share theirs are
 * one group. Total and groups are rounded each by itself, half away from zero; a profile whose measure cannot be read adds nothing.
 */
export function shelfExtent(
  groups: readonly ProfiledContainers[],
  { unit, decimals, isVolume }: ExtentForm,
): ShelfExtent {
  const profiled = groups.flatMap(({ profile, label, count }) => (profile === null ? [] : [{ profile, label, count }]));
  const units =
    unit ??
    profiled
      .map(({ profile }) => textOf(profile, 'dimension_units'))
      .find((text) => text !== undefined && micrometresIn(text) !== undefined) ??
    null;
  const side = BigInt(micrometresIn(units ?? 'inches') ?? 1);
  const rounded = (amount: bigint): number => roundedQuotient(amount, isVolume ? side ** 3n : side, decimals);
  const measured = profiled.map(({ profile, label, count }) => ({
    name: (isVolume ? textOf(profile, 'name') : undefined) ?? label,
    count,
    amount: BigInt(count) * amountOf(profile, isVolume),
  }));
  const byName = [...Map.groupBy(measured, ({ name }) => name)];
  return {
    total_extent: rounded(sumOf(measured)),
    container_count: countOf(groups),
    container_without_profile_count: countOf(groups) - countOf(profiled),
    units,
    volume: isVolume,
    containers: Object.fromEntries(
      byName.map(([name, each]) => [name, { count: countOf(each), extent: rounded(sumOf(each)) }]),
    ),
  };
}

const countOf = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);
const sumOf = (measured: readonly { readonly amount: bigint }[]): bigint =>
  measured.reduce((sum, { amount }) => sum + amount, 0n);

function amountOf(profile: JsonObject, isVolume: boolean): bigint {
  const sides = isVolume ? ['width', 'height', 'depth'] : [textOf(profile, 'extent_dimension') ?? 'width'];
  const lengths = sides.map((side) => lengthOf(textOf(profile, side), textOf(profile, 'dimension_units')));
  // More than 2^53 micrometres, nine million kilometres, would not be exact, and are no measure of a box.
  return lengths.every((length) => Number.isSafeInteger(length))
    ? lengths.reduce((product, length) => product * BigInt(length), 1n)
    : 0n;
}

/** `amount` in units of `one`. Measures have no sign, so that half up is half away from zero. */
function roundedQuotient(amount: bigint, one: bigint, decimals: number): number {
  const quotient = (2n * amount * 10n ** BigInt(decimals) + one) / (2n * one);
  // By its text, which is rounded to a double once; a division by a power of ten would round it a second time.
  return Number(`${quotient}e-${decimals}`);
}

/**
 * A reply that holds a ShelfExtent, as JSON text. Extents have a decimal point, also whole ones (`5.0`, recorded): typed clients take them for
 * decimals by it. Where no container has a profile, the total is a plain 0 (contract trees-and-jobs 5.2).
 */
export function writeExtentReply(reply: Json): string {
  const text = JSON.stringify(reply);
  // Quotes within texts are escaped, so these are properties.
  if (text.includes('"containers":{}')) return text;
  return text.replace(/"(?:total_)?extent":\d+(?=[,}])/g, '$&.0');
}
