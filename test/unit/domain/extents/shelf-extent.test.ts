// Shelf space from profiles: units, lengths and volumes, rounding, equal names, containers without a profile.
import { describe, expect, it, test } from 'vitest';
import type { ExtentForm, ProfiledContainers } from '#domain/extents/shelf-extent.ts';
import { shelfExtent } from '#domain/extents/shelf-extent.ts';

const shipped: ExtentForm = { unit: null, decimals: 2, isVolume: false };
const profile = (width: string, dimension_units: string) => ({
  width,
  height: '1',
  depth: '1',
  dimension_units,
  extent_dimension: 'width',
});
const box = (
  name: string,
  [width, height, depth]: readonly [string, string, string],
  dimension_units: string,
  count = 1,
): ProfiledContainers => ({
  profile: { name, width, height, depth, dimension_units, extent_dimension: 'width' },
  label: `${name} [${dimension_units}]`,
  count,
});

test('adds up in the unit of the first profile and counts containers without one', () => {
  expect(
    shelfExtent(
      [
        { profile: null, label: '', count: 2 },
        { profile: profile('5', 'inches'), label: 'A', count: 1 },
        { profile: profile('2.54', 'centimeters'), label: 'B', count: 3 },
      ],
      shipped,
    ),
  ).toEqual({
    total_extent: 8,
    container_count: 6,
    container_without_profile_count: 2,
    units: 'inches',
    volume: false,
    containers: { A: { count: 1, extent: 5 }, B: { count: 3, extent: 3 } },
  });
});

test.each([
  ['inches', 5],
  ['feet', 0.42],
  ['centimeters', 12.7],
  ['meters', 0.13],
])('converts to %s', (unit, total) => {
  expect(shelfExtent([{ profile: profile('5', 'inches'), label: 'A', count: 1 }], { ...shipped, unit })).toMatchObject({
    total_extent: total,
    units: unit,
  });
});

test('has no unit where there is no profile, but the one that is wanted', () => {
  const bare = [{ profile: null, label: '', count: 1 }];
  expect(shelfExtent(bare, shipped)).toEqual({
    total_extent: 0,
    container_count: 1,
    container_without_profile_count: 1,
    units: null,
    volume: false,
    containers: {},
  });
  expect(shelfExtent(bare, { unit: 'feet', decimals: 2, isVolume: true })).toEqual({
    total_extent: 0,
    container_count: 1,
    container_without_profile_count: 1,
    units: 'feet',
    volume: true,
    containers: {},
  });
});

test('adds up profiles of one display string', () => {
  const groups = [
    { profile: profile('5', 'inches'), label: 'A', count: 1 },
    { profile: profile('1', 'inches'), label: 'B', count: 1 },
    { profile: profile('1', 'feet'), label: 'A', count: 2 },
  ];
  expect(shelfExtent(groups, shipped)).toMatchObject({
    total_extent: 30,
    containers: { A: { count: 3, extent: 29 }, B: { count: 1, extent: 1 } },
  });
});

test('adds nothing for a measure that cannot be read, and takes the unit of one that can', () => {
  const groups = [
    box('Odd', ['3', '3', '3'], 'furlongs'),
    box('Blank', ['', '3', '3'], 'inches', 2),
    box('Wide', ['99999999999999999999', '3', '3'], 'inches'),
    box('Box', ['3', '', '3'], 'feet'),
  ];
  expect(shelfExtent(groups, shipped)).toMatchObject({
    total_extent: 36,
    units: 'inches',
    container_count: 5,
    containers: {
      'Odd [furlongs]': { count: 1, extent: 0 },
      'Blank [inches]': { count: 2, extent: 0 },
      'Box [feet]': { count: 1, extent: 36 },
    },
  });
  expect(shelfExtent(groups, { ...shipped, isVolume: true })).toMatchObject({
    total_extent: 0,
    containers: { Box: { count: 1, extent: 0 } },
  });
});

describe('decimals', () => {
  it.each([
    [0, '2.5', 3],
    [0, '2.49', 2],
    [0, '0.49', 0],
    [1, '0.25', 0.3],
    [2, '1.01', 1.01],
    [4, '1.01', 1.01],
  ])('%i of %s', (decimals, width, total) => {
    expect(
      shelfExtent([{ profile: profile(width, 'inches'), label: 'A', count: 1 }], { ...shipped, decimals }),
    ).toMatchObject({ total_extent: total, containers: { A: { extent: total } } });
  });

  it.each([
    [0, 0, 0],
    [2, 0.42, 0.42],
    [4, 0.4167, 0.4167],
    [6, 0.416667, 0.416667],
  ])('rounds five inches in feet to %i', (decimals, total, extent) => {
    expect(
      shelfExtent([{ profile: profile('5', 'inches'), label: 'A', count: 1 }], {
        unit: 'feet',
        decimals,
        isVolume: false,
      }),
    ).toMatchObject({ total_extent: total, containers: { A: { extent } } });
  });

  it('rounds the total from what was measured, not from its rounded groups', () => {
    const groups = ['A', 'B', 'C'].map((label) => ({ profile: profile('0.5', 'inches'), label, count: 1 }));
    expect(shelfExtent(groups, { ...shipped, decimals: 0 })).toMatchObject({
      total_extent: 2,
      containers: { A: { extent: 1 }, B: { extent: 1 }, C: { extent: 1 } },
    });
    expect(shelfExtent(groups, { ...shipped, unit: 'feet', decimals: 4 })).toMatchObject({
      total_extent: 0.125,
      containers: { A: { extent: 0.0417 }, C: { extent: 0.0417 } },
    });
  });

  it('rounds a half that a float would fall short of away from zero', () => {
    // A hundred times 1.005 is 100.49999999999999 in floats.
    expect(
      shelfExtent([{ profile: profile('100.5', 'centimeters'), label: 'A', count: 1 }], { ...shipped, unit: 'meters' }),
    ).toMatchObject({ total_extent: 1.01 });
  });
});

describe('volumes', () => {
  const volume = { ...shipped, isVolume: true };

  it('multiplies the sides, whichever counts, and names groups by the names of profiles', () => {
    expect(
      shelfExtent([box('Box', ['5', '10', '12'], 'inches', 2), { profile: null, label: '', count: 1 }], volume),
    ).toEqual({
      total_extent: 1200,
      container_count: 3,
      container_without_profile_count: 1,
      units: 'inches',
      volume: true,
      containers: { Box: { count: 2, extent: 1200 } },
    });
  });

  it.each([
    // A foot is 12 inches, 30.48 cm and 0.3048 m: their cubes.
    ['feet', 1, 1],
    ['inches', 1728, 1728],
    ['centimeters', 28_316.85, 28_316.8466],
    ['meters', 0.03, 0.0283],
  ])('converts by the cube of the factor to %s', (unit, two, four) => {
    const groups = [box('Cube', ['12', '12', '12'], 'inches')];
    expect(shelfExtent(groups, { unit, decimals: 2, isVolume: true })).toMatchObject({
      total_extent: two,
      units: unit,
    });
    expect(shelfExtent(groups, { unit, decimals: 4, isVolume: true })).toMatchObject({
      total_extent: four,
      units: unit,
    });
  });

  it('adds up different units in that of the first profile', () => {
    expect(
      shelfExtent(
        [
          box('Foot', ['1', '1', '1'], 'feet'),
          box('Inches', ['12', '6', '12'], 'inches'),
          box('Yard', ['1', '1', '1'], 'yards'),
        ],
        volume,
      ),
    ).toMatchObject({
      total_extent: 28.5,
      units: 'feet',
      containers: { Foot: { extent: 1 }, Inches: { extent: 0.5 }, Yard: { extent: 27 } },
    });
  });

  it('adds up profiles of one name, whatever their measures, where they stood first', () => {
    const { total_extent, containers } = shelfExtent(
      [
        box('Box', ['1', '1', '1'], 'feet', 2),
        box('Tube', ['1', '1', '2'], 'feet'),
        box('Box', ['6', '12', '12'], 'inches', 3),
      ],
      volume,
    );
    expect([total_extent, Object.entries(containers)]).toEqual([
      5.5,
      [
        ['Box', { count: 5, extent: 3.5 }],
        ['Tube', { count: 1, extent: 2 }],
      ],
    ]);
  });

  it('is exact for crates whose cubic micrometres no float counts', () => {
    // 1.25 x 1.11 x 0.97 m: 1.345875 m³ each, 1,345,875,000,000,000,000 cubic micrometres; ten million and one of them.
    const groups = [box('Crate', ['125', '111', '97'], 'centimeters', 10_000_001)];
    expect(shelfExtent(groups, { unit: 'meters', decimals: 6, isVolume: true })).toMatchObject({
      total_extent: 13_458_751.345875,
    });
    expect(shelfExtent(groups, { unit: 'centimeters', decimals: 0, isVolume: true })).toMatchObject({
      total_extent: 13_458_751_345_875,
    });
    // A thousand cubic micrometres less than half a cubic meter.
    expect(
      shelfExtent([box('Sheet', ['0.01', '0.01', '0.01'], 'millimeters', 499_999_999_999_999)], {
        unit: 'meters',
        decimals: 0,
        isVolume: true,
      }),
    ).toMatchObject({ total_extent: 0 });
  });
});
