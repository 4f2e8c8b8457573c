// Labels of locations, profiles and containers; the first of each are recorded answers of the incumbent.
import { expect, test } from 'vitest';
import {
  containerProfileLabel,
  locationProfileLabel,
  locationTitle,
  topContainerLabel,
} from '#domain/labels/places.ts';

test.each([
  [{ building: 'B', floor: '1', room: '2', area: '3', barcode: 'bc' }, 'B, 1, 2, 3 [bc]'],
  [
    {
      building: 'Bat',
      coordinate_1_label: 'Shelf',
      coordinate_1_indicator: '1',
      coordinate_2_label: 'Bay',
      coordinate_2_indicator: 'a',
    },
    'Bat [Shelf: 1, Bay: a]',
  ],
  [
    { building: 'B', barcode: 'b', classification: 'c', coordinate_3_label: 'X', coordinate_3_indicator: '9' },
    'B [b, c, X: 9]',
  ],
  [
    { building: 'B', barcode: 'b', coordinate_1_indicator: '9', coordinate_2_label: 'Bay', coordinate_3_label: 'X' },
    'B [b, Bay: , X: ]',
  ],
  [{ building: 'B' }, 'B []'],
])('titles the location %o', (body, expected) => {
  expect(locationTitle(body)).toBe(expected);
});

test('labels a container profile with raw codes', () => {
  expect(
    containerProfileLabel({
      name: 'CP1',
      extent_dimension: 'width',
      height: '10',
      width: '5',
      depth: '12',
      dimension_units: 'inches',
    }),
  ).toBe('CP1 [12d, 10h, 5w inches] extent measured by width');
});

test.each([
  [{ name: 'LP', depth: '1', height: '3', width: '2', dimension_units: 'inches' }, 'LP [1d, 3h, 2w Inches]'],
  [{ name: 'LP', depth: '1', height: '3', width: '2' }, 'LP [1d, 3h, 2w]'],
  [{ name: 'LP', depth: '1', height: '3', dimension_units: 'inches' }, 'LP'],
])('labels the location profile %o', (body, expected) => {
  expect(locationProfileLabel(body)).toBe(expected);
});

test.each([
  [{ type: 'box', indicator: '1', barcode: 'tb1' }, '', 'Box 1: [Barcode: tb1]'],
  [{ type: 'box', indicator: '1' }, '', 'Box 1'],
  [{ indicator: '1' }, '', ' 1'],
  [{ type: 'box', indicator: '1', barcode: 'x' }, 'Series A', 'Box 1: Series A [Barcode: x]'],
  [{ type: 'box', indicator: '1' }, 'Series A', 'Box 1: Series A'],
])('labels the container %o in "%s"', (body, series, expected) => {
  expect(topContainerLabel(body, series)).toBe(expected);
});

test('units of a location profile stand in words, others as they are', () => {
  const label = (unit: string): string =>
    locationProfileLabel({
      name: 'P',
      depth: '1',
      height: '2',
      width: '3',
      ...(unit === '' ? {} : { dimension_units: unit }),
    });
  expect(['inches', 'feet', 'yards', 'millimeters', 'centimeters', 'meters', 'cubits', ''].map(label)).toEqual([
    'P [1d, 2h, 3w Inches]',
    'P [1d, 2h, 3w Feet]',
    'P [1d, 2h, 3w Yards]',
    'P [1d, 2h, 3w Millimeters]',
    'P [1d, 2h, 3w Centimeters]',
    'P [1d, 2h, 3w Meters]',
    'P [1d, 2h, 3w cubits]',
    'P [1d, 2h, 3w]',
  ]);
});
