// Buildings with floors, rooms and areas, in both releases' forms.
import { expect, test } from 'vitest';
import { buildingsOf } from '#domain/locations/buildings.ts';

const places = [
  { building: 'Annex', floor: null, room: null, area: null },
  { building: 'Main', floor: '1', room: '101', area: 'North' },
  { building: 'Main', floor: '1', room: '101', area: 'South' },
  { building: 'Main', floor: '2', room: null, area: 'East' },
];

test('names what is not stated', () => {
  expect(buildingsOf(places, true)).toEqual({
    Annex: { '[no floor]': { '[no room]': [] } },
    Main: { 1: { 101: ['North', 'South'] }, 2: { '[no room]': ['East'] } },
  });
});

test('ends at the first level that is not stated, in the earlier release', () => {
  expect(buildingsOf(places, false)).toEqual({ Annex: {}, Main: { 1: { 101: ['North', 'South'] }, 2: {} } });
});
