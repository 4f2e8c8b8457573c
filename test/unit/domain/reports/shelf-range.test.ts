// The range from one location to another.
import { expect, test } from 'vitest';
import { shelfRange } from '#domain/reports/shelf-range.ts';

const place = (building: string, floor?: string, shelf?: string) => ({
  building,
  ...(floor === undefined ? {} : { floor }),
  ...(shelf === undefined ? {} : { coordinate_1_indicator: shelf }),
});
const unstated = { room: null, area: null };

test('keeps what both share, and lies between them where they first differ', () => {
  expect(shelfRange(place('Main', '1', '9'), place('Main', '1', '10'))).toEqual({
    same: { building: 'Main', floor: '1', ...unstated },
    between: { property: 'coordinate_1_indicator', least: '9', greatest: '10', isNumber: true },
  });
  expect(shelfRange(place('Main', '2'), place('Annex', '1'))).toEqual({
    same: {},
    between: { property: 'building', least: 'Annex', greatest: 'Main', isNumber: false },
  });
});

test('is the same in either order', () => {
  expect(shelfRange(place('Main', '1', '10'), place('Main', '1', '9'))).toEqual(
    shelfRange(place('Main', '1', '9'), place('Main', '1', '10')),
  );
});

test('of two places alike has no end, and there is none where one does not say', () => {
  expect(shelfRange(place('Main', '1'), place('Main', '1'))?.between).toBeNull();
  expect(shelfRange(place('Main', '1'), place('Main'))).toBeNull();
});
