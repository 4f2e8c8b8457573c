// Dates and date math of queries.
import { expect, it } from 'vitest';
import { parseMoment, step, toIsoText } from '#domain/search/query/moments.ts';

const now = Date.UTC(2026, 0, 15, 12, 30);

it.each([
  ['2020', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
  ['0079-08-24', '0079-08-24T00:00:00.000Z', '0079-08-24T23:59:59.999Z'],
  ['0001', '0001-01-01T00:00:00.000Z', '0001-12-31T23:59:59.999Z'],
  ['9999', '9999-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ['2020-02', '2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
  ['2020-02-03', '2020-02-03T00:00:00.000Z', '2020-02-03T23:59:59.999Z'],
  ['2020-02-03T04:05:06Z', '2020-02-03T04:05:06.000Z', '2020-02-03T04:05:06.000Z'],
  ['2020-02-03T04:05:06+01:30', '2020-02-03T02:35:06.000Z', '2020-02-03T02:35:06.000Z'],
  ['2020-02-03T04:05-0500', '2020-02-03T09:05:00.000Z', '2020-02-03T09:05:00.000Z'],
  ['2020-01-01T00:00:00+02:00+1DAY', '2020-01-01T22:00:00.000Z', '2020-01-01T22:00:00.000Z'],
  ['NOW', '2026-01-15T12:30:00.000Z', '2026-01-15T12:30:00.000Z'],
  ['NOW-7DAYS', '2026-01-08T12:30:00.000Z', '2026-01-08T12:30:00.000Z'],
  ['NOW/DAY', '2026-01-15T00:00:00.000Z', '2026-01-15T00:00:00.000Z'],
  ['NOW/MONTH-1YEAR', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  ['2020-01-01T00:00:00Z+1MONTH', '2020-02-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z'],
])('reads %s', (text, start, end) => {
  const span = parseMoment(text, now);
  expect([toIsoText(span.start), toIsoText(span.end)]).toEqual([start, end]);
});

// Of the last two a part would be within.
it.each(['yesterday', '20', 'NOW+', 'NOW-1FORTNIGHT', 'NOW+999999YEARS', '2020-01-01 10:00', '9999+1DAY', '0001-1DAY'])(
  'refuses %s',
  (text) => {
    expect(() => parseMoment(text, now)).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  },
);

it.each([
  '2020-13-45',
  '2020-13',
  '2020-00',
  '2020-01-00',
  '2020-04-31',
  '2023-02-29',
  '2020-01-01T24:00:00Z',
  '2020-01-01T10:60:00Z',
  '2020-01-01T10:00:61Z',
  '2020-01-01T10:00:00+24:00',
  '2020-01-01T10:00:00+01:60',
  '2020-13-45+1MONTH',
])('names %s, which there is not', (text) => {
  expect(() => parseMoment(text, now)).toThrow(`'${text}' is not a date`);
});

it('steps by the calendar', () => {
  expect(toIsoText(step(Date.UTC(2024, 1, 29), 1, 'YEAR'))).toBe('2025-03-01T00:00:00.000Z');
});
