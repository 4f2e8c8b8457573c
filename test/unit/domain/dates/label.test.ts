// Dates in display strings.
import { expect, test } from 'vitest';
import { dateText, datesText } from '#domain/dates/label.ts';

test.each([
  [{ expression: 'about 1900', begin: '1899', end: '1901' }, 'about 1900'],
  [{ begin: '1900', end: '1950' }, '1900 - 1950'],
  [{ begin: '1900' }, '1900'],
  [{ date_type: 'bulk', begin: '1900', end: '1950' }, 'bulk: 1900 - 1950'],
  [{ date_type: 'bulk', expression: 'x' }, 'bulk: x'],
  [{ date_type: 'bulk' }, ''],
])('shows %o', (date, expected) => {
  expect(dateText(date)).toBe(expected);
});

test('joins dates', () => {
  expect(datesText({ dates: [{ begin: '1900' }, {}, { expression: 'later' }] })).toBe('1900, later');
});
