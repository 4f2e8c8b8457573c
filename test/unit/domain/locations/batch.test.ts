// Many locations from one body, and one body over many (contract 6.9).
import { expect, test } from 'vitest';
import { locationsOf, updatedLocation } from '#domain/locations/batch.ts';

const range = (label: string, start: string, end: string, more: object = {}) => ({ label, start, end, ...more });
const places = (batch: object): readonly string[] =>
  locationsOf({ building: 'B', ...batch }).map((made) =>
    [1, 2, 3].flatMap((n) => made[`coordinate_${n}_indicator`] ?? []).join(' '),
  );

test('crosses the ranges, the first moving slowest', () => {
  expect(
    places({
      coordinate_1_range: range('Shelf', '1', '2'),
      coordinate_2_range: range('Bay', 'a', 'b'),
      coordinate_3_range: range('Box', '7', '7'),
    }),
  ).toEqual(['1 a 7', '1 b 7', '2 a 7', '2 b 7']);
});

test('counts a third range inside a second alone', () => {
  expect(places({ coordinate_1_range: range('Shelf', '1', '2'), coordinate_3_range: range('Box', '7', '8') })).toEqual([
    '1',
    '2',
  ]);
});

test('puts prefix and suffix around each step, and keeps what the locations share', () => {
  const [first] = locationsOf({
    jsonmodel_type: 'location_batch',
    building: 'B',
    floor: '2',
    locations: [],
    coordinate_1_range: range('Shelf', '1', '1', { prefix: 'A-', suffix: '!' }),
  });
  expect(first).toEqual({ building: 'B', floor: '2', coordinate_1_label: 'Shelf', coordinate_1_indicator: 'A-1!' });
});

test('makes none where an end is before its start', () => {
  expect(places({ coordinate_1_range: range('Shelf', '1', '3'), coordinate_2_range: range('Bay', 'b', 'a') })).toEqual(
    [],
  );
});

test('refuses more than can be made at once', () => {
  const long = range('x', '1', '1000');
  expect(() => places({ coordinate_1_range: long, coordinate_2_range: long })).toThrow('1000000 locations');
});

test('lays fields over a stored location and adds to its lists', () => {
  const stored = {
    jsonmodel_type: 'location',
    building: 'B',
    floor: '1',
    functions: [{ location_function_type: 'arrivals' }],
  };
  const update = {
    jsonmodel_type: 'location_batch_update',
    record_uris: ['/locations/1'],
    building: 'C',
    functions: [{ location_function_type: 'shared' }],
  };
  expect(updatedLocation(stored, update)).toEqual({
    jsonmodel_type: 'location',
    building: 'C',
    floor: '1',
    functions: [{ location_function_type: 'arrivals' }, { location_function_type: 'shared' }],
  });
});
