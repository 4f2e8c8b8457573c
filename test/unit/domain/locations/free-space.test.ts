// The arithmetic of the space calculator.
import { expect, test } from 'vitest';
import type { Box } from '#domain/locations/free-space.ts';
import { freeSpace } from '#domain/locations/free-space.ts';
import { sizeOf } from '#domain/locations/lengths.ts';

const size = (width: string, height: string, depth: string, dimension_units = 'inches') =>
  sizeOf({ width, height, depth, dimension_units });
const box = (
  profileId: number,
  width: string,
  height: string,
  depth: string,
  stackingLimit: number | null = null,
): Box => ({ profileId, size: size(width, height, depth) ?? expect.fail('no size'), stackingLimit });

const shelf = size('36', '20', '12');
const small = box(1, '5', '10', '12');

test('counts rows along the width, towers in the height and one behind the other', () => {
  expect(freeSpace(small, { size: shelf, standing: [] })).toEqual({ kind: 'space', count: 14, ofType: 0 });
  expect(freeSpace(box(1, '5', '10', '6'), { size: shelf, standing: [] })).toMatchObject({ count: 28 });
});

test('keeps to the stacking limit', () => {
  expect(freeSpace(box(1, '5', '5', '12', 2), { size: shelf, standing: [] })).toMatchObject({ count: 14 });
});

test('fills the row that was begun, then what is left of the width', () => {
  expect(freeSpace(small, { size: shelf, standing: [{ box: small, count: 3 }] })).toEqual({
    kind: 'space',
    count: 11,
    ofType: 3,
  });
});

test('gives every kind of container rows of its own', () => {
  const wide = box(2, '10', '20', '12');
  expect(freeSpace(small, { size: shelf, standing: [{ box: wide, count: 2 }] })).toEqual({
    kind: 'space',
    count: 6,
    ofType: 0,
  });
});

test.each([
  [
    'the shelf has no profile',
    { size: undefined, standing: [] },
    { kind: 'unknown', reason: 'location_lacks_a_profile', ofType: 0 },
  ],
  [
    'its profile lacks a size',
    { size: size('1', '', '2'), standing: [] },
    { kind: 'unknown', reason: 'location_lacks_dimension_data', ofType: 0 },
  ],
  [
    'the container is larger',
    { size: size('36', '9', '12'), standing: [] },
    { kind: 'no_space', reason: 'container_is_bigger', ofType: 0 },
  ],
  [
    'somebody stands there without a profile',
    { size: shelf, standing: [{ box: null, count: 1 }] },
    { kind: 'unknown', reason: 'container_at_location_lacks_profile', ofType: 0 },
  ],
  [
    'what stands there does not fit',
    { size: shelf, standing: [{ box: small, count: 15 }] },
    { kind: 'unknown', reason: 'containers_at_location_dont_fit', ofType: 15 },
  ],
  [
    'it is full',
    { size: shelf, standing: [{ box: small, count: 14 }] },
    { kind: 'no_space', reason: 'location_cannot_fit_container', ofType: 14 },
  ],
])('tells that %s', (_, standing, answer) => expect(freeSpace(small, standing)).toEqual(answer));

test('measures exactly across units', () => {
  expect(freeSpace(box(1, '0.1', '0.1', '0.1'), { size: size('0.3', '0.1', '0.1'), standing: [] })).toMatchObject({
    count: 3,
  });
  expect(size('1', '1', '1', 'feet')).toEqual(size('12', '12', '12', 'inches'));
  expect(size('2.54', '2.54', '2.54', 'centimeters')).toEqual(size('1', '1', '1'));
  expect(size('1', '1', '1', 'cubits')).toBeNull();
});
