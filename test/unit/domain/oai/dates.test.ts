import { expect, it } from 'vitest';
import { parsePeriod } from '#domain/oai/dates.ts';

it('takes days to their end and times as they are', () => {
  expect(parsePeriod('2020-02-29', '2020-02-29')).toEqual({
    from: '2020-02-29T00:00:00Z',
    until: '2020-02-29T23:59:59Z',
  });
  expect(parsePeriod(undefined, '2020-01-01T01:02:03Z')).toEqual({ from: null, until: '2020-01-01T01:02:03Z' });
});

it.each([
  ['2021-02-29', undefined],
  ['2020-01-01T24:00:00Z', undefined],
  ['2020-01', undefined],
  ['0000-01-01', undefined],
  ['2020-01-01', '2020-01-01T00:00:00Z'],
  ['2020-01-02', '2020-01-01'],
])('refuses from %s until %s', (from, until) => {
  expect(parsePeriod(from, until)).toMatchObject({ code: 'badArgument' });
});
