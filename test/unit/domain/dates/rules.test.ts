// Dates of description and times of events.
import { describe, expect, test } from 'vitest';
import {
  compareDays,
  daysInMonth,
  endsBeforeBegin,
  hasStandardizedForm,
  parseDay,
  toUtcTime,
} from '#domain/dates/rules.ts';

describe('parseDay', () => {
  test.each([
    ['1900', { year: 1900, month: 1, day: 1 }],
    ['1900-05', { year: 1900, month: 5, day: 1 }],
    ['1900-5-3', { year: 1900, month: 5, day: 3 }],
    ['-0044-03-15', { year: -44, month: 3, day: 15 }],
    ['2000-02-29', { year: 2000, month: 2, day: 29 }],
    ['1900-02-29', null],
    ['1900-13', null],
    ['1900-00', null],
    ['abc', null],
    ['', null],
    ['circa 1900', null],
  ])('reads %s', (text, day) => {
    expect(parseDay(text)).toEqual(day);
  });

  test('pads to the first of January', () => {
    expect(compareDays(parseDay('1900') ?? fault(), parseDay('1900-01-01') ?? fault())).toBe(0);
  });
});

describe('endsBeforeBegin', () => {
  test.each([
    ['1900', '1800', true],
    ['1900', '1900', false],
    ['1900-05', '1900', false],
    ['1900-05-02', '1900-05-01', true],
    ['-0100', '-0200', true],
    ['-0200', '-0100', false],
    ['x', '1800', false],
  ])('begin %s, end %s: %s', (begin, end, expected) => {
    expect(endsBeforeBegin(begin, end)).toBe(expected);
  });
});

test.each([
  ['1', true],
  ['1900', true],
  ['1900-05', true],
  ['900-05-01', true],
  ['05-1900', true],
  ['1900/01', false],
  ['19000', false],
  ['1900-5', false],
  ['', false],
])('takes %s as a standardised date: %s', (text, expected) => {
  expect(hasStandardizedForm(text)).toBe(expected);
});

test.each([
  ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00Z'],
  ['2000-01-01', '2000-01-01T00:00:00Z'],
  ['2000-01-01 12:30', '2000-01-01T12:30:00Z'],
  ['2000-01-01T00:30:00+01:00', '1999-12-31T23:30:00Z'],
  ['2000-01-01T23:30:00-0130', '2000-01-02T01:00:00Z'],
  ['20000101T101112.5Z', '2000-01-01T10:11:12Z'],
  ['2020-05-04 10:00:00 UTC', '2020-05-04T10:00:00Z'],
  ['0079-08-24 13:00', '0079-08-24T13:00:00Z'],
  ['0099', null],
  ['9999-12-31T23:59:59-05:00', null],
  ['0000-01-01T00:00:00+05:00', null],
  ['xx', null],
  ['2000-02-30', null],
  ['2000-01-01T25:00:00Z', null],
])('reads the time %s', (text, expected) => {
  expect(toUtcTime(text)).toBe(expected);
});

test('knows the lengths of months', () => {
  expect(
    [
      [2023, 2],
      [2024, 2],
      [1900, 2],
      [2000, 2],
      [2023, 4],
      [2023, 12],
      [2023, 0],
      [2023, 13],
    ].map(([year, month]) => daysInMonth(year ?? 0, month ?? 0)),
  ).toEqual([28, 29, 28, 29, 30, 31, 0, 0]);
});

function fault(): never {
  throw new Error('the date must be read');
}
