// The span of dates: what years and months begin and end with, and what cannot be read.
import { expect, test } from 'vitest';
import { dateSpan, dateSpanOf } from '#domain/dates/span.ts';

const span = (...dates: readonly (readonly [string | null, string | null])[]) =>
  Object.values(dateSpan(dates.map(([begin, end]) => ({ begin, end }))));

test.each([
  [
    [
      ['1839', null],
      ['1850-02', '1903'],
    ],
    ['1839-01-01', '1839', '1903-12-31', '1903'],
  ],
  [[['1900-02', null]], ['1900-02-01', '1900-02', '1900-02-28', '1900-02']],
  [
    [
      ['1904-2', '1904-2-3'],
      ['1904-02', '1904-02-03'],
    ],
    ['1904-02-01', '1904-2', '1904-02-03', '1904-2-3'],
  ],
  [[[null, '1950']], [null, null, '1950-12-31', '1950']],
  [
    [
      ['about 1900', null],
      ['1900-13', null],
    ],
    [null, null, null, null],
  ],
  [
    [
      ['-0044-03-15', null],
      ['0014', null],
    ],
    ['-0044-03-15', '-0044-03-15', '0014-12-31', '0014'],
  ],
  [[], [null, null, null, null]],
] as const)('%j covers %j', (dates, expected) => {
  expect(span(...dates)).toEqual(expected);
});

test('dates that the database lists as text cover the same', () => {
  const dates = [
    { begin: '1900', end: '1910-02' },
    { begin: null, end: '1920' },
    { begin: '1890-05', end: null },
  ];
  const text = JSON.stringify(dates.map(({ begin, end }) => [begin, end]));
  expect(dateSpanOf(text)).toEqual(dateSpan(dates));
  expect(dateSpanOf('[]').min_begin).toBeNull();
});
