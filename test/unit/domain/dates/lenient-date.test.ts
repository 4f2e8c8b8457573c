// Dates in many notations.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDate, readDateTime } from '#domain/dates/lenient-date.ts';

describe('readDate', () => {
  it.each([
    ['2012-05-03', '2012-05-03'],
    ['2012-5-3', '2012-05-03'],
    ['2012/5/3', '2012-05-03'],
    ['20120503', '2012-05-03'],
    ['2012-05', '2012-05-01'],
    ['2012-05-03T10:00:00Z', '2012-05-03'],
    ['2012-05-03 10:00:00 UTC', '2012-05-03'],
    ['May 3 2012', '2012-05-03'],
    ['May 3rd, 2012', '2012-05-03'],
    ['3 May 2012', '2012-05-03'],
    ['Thu, 3 May 2012', '2012-05-03'],
    ['3-May-2012', '2012-05-03'],
    ['Sept 2012', '2012-09-01'],
    ['3/5/2012', '2012-05-03'],
    ['3.5.2012', '2012-05-03'],
    ['-0044-03-15', '-0044-03-15'],
    [' 2012-02-29 ', '2012-02-29'],
  ])('reads %s', (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it('reads every month by its name and by three letters of it, in any case, and by nothing longer', () => {
    const months = Array.from({ length: 12 }, (_, month) =>
      new Date(Date.UTC(2012, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
    );
    for (const [index, name] of months.entries()) {
      const date = `2012-${String(index + 1).padStart(2, '0')}-03`;
      for (const written of [name, name.slice(0, 3)]) {
        expect([written, readDate(`3 ${written} 2012`)]).toEqual([written, date]);
        expect([written, readDate(`${written.toUpperCase()} 3, 2012`)]).toEqual([written, date]);
      }
      expect([name, readDate(`3 ${name}s 2012`)]).toEqual([name, null]);
    }
  });

  it.each([
    '',
    'soon',
    '2012',
    '2011-02-29',
    '2012-13-01',
    '2012-00-01',
    '2012-05-32',
    'Mayor 3 2012',
    '12',
    'May 2012 or so',
    '1900-1950',
  ])('refuses %j', (text) => {
    expect(readDate(text)).toBeNull();
  });

  it('gives what it gave when read again', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString().slice(0, 10);
          expect(readDate(text)).toBe(text);
          expect(readDate(date.toUTCString().slice(0, 16))).toBe(text);
        },
      ),
    );
  });
});

describe('readDateTime', () => {
  it.each([
    ['2012-5-3', '2012-05-03'],
    ['2012-05-03T10:20:30Z', '2012-05-03T10:20:30Z'],
    ['2012-05-03 10:20:30 UTC', '2012-05-03T10:20:30Z'],
    ['2012-05-03T01:20:30.123+02:00', '2012-05-02T23:20:30Z'],
    ['2012-05-03T10:20-0530', '2012-05-03T15:50:00Z'],
    ['2012-05-03T25:00:00Z', '2012-05-03'],
    ['soon', null],
  ])('reads %s as %s, and what it gave as the same', (text, moment) => {
    expect(readDateTime(text)).toBe(moment);
    if (moment !== null) expect(readDateTime(moment)).toBe(moment);
  });
});
