// Shelf space from profiles: units, rounding, containers without a profile.
import { expect, test } from 'vitest';
import { shelfExtent } from '#domain/calculators/shelf-extent.ts';

const profile = (width: string, dimension_units: string) => ({ width, height: '1', depth: '1', dimension_units, extent_dimension: 'width' });

test('adds up in the unit of the first profile and counts containers without one', () => {
  expect(shelfExtent([{ profile: null, label: '', count: 2 }, { profile: profile('5', 'inches'), label: 'A', count: 1 }, { profile: profile('2.54', 'centimeters'), label: 'B', count: 3 }], null)).toEqual({
    total_extent: 8, container_count: 6, container_without_profile_count: 2, units: 'inches', volume: false, containers: { A: { count: 1, extent: 5 }, B: { count: 3, extent: 3 } },
  });
});

test.each([['inches', 5], ['feet', 0.42], ['centimeters', 12.7], ['meters', 0.13]])('converts to %s', (unit, total) => {
  expect(shelfExtent([{ profile: profile('5', 'inches'), label: 'A', count: 1 }], unit)).toMatchObject({ total_extent: total, units: unit });
});

test('has no unit where there is no profile', () => {
  expect(shelfExtent([{ profile: null, label: '', count: 1 }], null)).toEqual({ total_extent: 0, container_count: 1, container_without_profile_count: 1, units: null, volume: false, containers: {} });
});
