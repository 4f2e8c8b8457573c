// The shelf space that the containers of a record take (contract trees-and-jobs 5.2), from the measures of their profiles.
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import { lengthOf, micrometresIn } from '../space/lengths.ts';

/** Containers of one profile; `profile` null: those without. `label` is the profile's display string. */
export type ProfiledContainers = { readonly profile: JsonObject | null; readonly label: string; readonly count: number };

/** The units that may be asked for. */
export const extentUnits: readonly string[] = ['inches', 'feet', 'centimeters', 'meters'];

/** The part of the reply that is calculated. */
export type ShelfExtent = {
  readonly total_extent: number;
  readonly container_count: number;
  readonly container_without_profile_count: number;
  readonly units: string | null;
  readonly volume: false;
  readonly containers: { readonly [profile: string]: { readonly count: number; readonly extent: number } };
};

/**
 * Adds up what containers measure on the side that counts. The unit is the one asked for, else that of the first profile. Total and groups
 * are rounded each by itself, to two decimals, half away from zero; a profile whose measure cannot be read adds nothing.
 */
export function shelfExtent(groups: readonly ProfiledContainers[], unit: string | null): ShelfExtent {
  const profiled = groups.filter((group) => group.profile !== null);
  const units = unit ?? profiled.map(({ profile }) => textOf(profile ?? undefined, 'dimension_units')).find((text) => text !== undefined) ?? null;
  const size = micrometresIn(units ?? 'inches') ?? 1;
  const measured = profiled.map(({ profile, label, count }) => ({ label, count, length: count * sideOf(profile ?? {}) }));
  const total = measured.reduce((sum, { length }) => sum + length, 0);
  return {
    total_extent: rounded(total / size),
    container_count: groups.reduce((sum, { count }) => sum + count, 0),
    container_without_profile_count: groups.reduce((sum, group) => sum + (group.profile === null ? group.count : 0), 0),
    units,
    volume: false,
    containers: Object.fromEntries(measured.map(({ label, count, length }) => [label, { count, extent: rounded(length / size) }])),
  };
}

function sideOf(profile: JsonObject): number {
  const side = textOf(profile, textOf(profile, 'extent_dimension') ?? 'width');
  const length = lengthOf(side, textOf(profile, 'dimension_units'));
  return Number.isFinite(length) ? length : 0;
}

// Lengths are whole micrometres, so a quotient that should end in 5 may fall short of it by the last bit of a float alone.
const rounded = (value: number): number => Math.round(value * 100 + 1e-9) / 100;
