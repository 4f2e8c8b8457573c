// Lexemes of keys, values and years.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findField } from '#domain/search/fields.ts';
import { toExactLexeme, toKeyLexeme, toPresenceLexeme, toYearCover, toYearLexemes } from '#domain/search/lexeme.ts';

const subjects = findField('subjects') ?? expect.fail('subjects');

it('makes keys and presence', () => {
  expect([toKeyLexeme('MS.1'), toKeyLexeme('--'), toPresenceLexeme(subjects)]).toEqual([
    'k=ms1',
    undefined,
    'h=subjects',
  ]);
});

it('has copies of a field where the field is, and texts of all everywhere', () => {
  const presence = [
    'title_ws',
    'title',
    'identifier_ws',
    'subjects_text',
    'agents_text',
    'creators_text',
    'fullrecord',
    'four_part_id',
  ].map((name) => toPresenceLexeme(findField(name) ?? expect.fail(name)));
  expect(presence).toEqual([
    'h=title',
    'h=title',
    'h=identifier',
    'h=subjects',
    'h=agents',
    'h=creators',
    'v=all',
    'h=four_part_id',
  ]);
});

it('tells long values apart by a hash', () => {
  const [one, two] = ['a', 'b'].map((end) => toExactLexeme(subjects, 'x'.repeat(300) + end));
  expect(one).not.toBe(two);
  expect(one?.length).toBeLessThan(220);
});

const year = fc.integer({ min: -50, max: 10_050 });
const near = fc.integer({ min: 1790, max: 2030 });
const span = fc
  .tuple(near, fc.nat({ max: 130 }))
  .map(([from, more]) => Array.from({ length: more }, (_, n) => from + n));
/** As releases before wrote them: each year, its decade and its century. */
const eachYear = (years: readonly number[]): readonly string[] =>
  years.flatMap((one) => {
    const digits = String(one).padStart(4, '0');
    return [`y=${digits}`, `y=${digits.slice(0, 3)}x`, `y=${digits.slice(0, 2)}xx`];
  });

it('finds documents by any span of years that has one of theirs, and no others, also those that an earlier release wrote', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(year, { maxLength: 5 }),
        fc.array(span, { maxLength: 3 }).map((spans) => spans.flat()),
      ),
      fc.oneof(year, near),
      fc.oneof(year, near),
      (years, from, to) => {
        const cover = toYearCover(from, to);
        const isIn = years.some((one) => Math.max(from, 0) <= one && one <= Math.min(to, 9999));
        expect(toYearLexemes(years).some((lexeme) => cover.includes(lexeme))).toBe(isIn);
        const before = eachYear(years.filter((one) => one >= 0 && one <= 9999));
        expect(before.some((lexeme) => cover.includes(lexeme))).toBe(isIn);
        expect(cover.length).toBeLessThanOrEqual(140);
      },
    ),
    { numRuns: 1000 },
  );
});

it('says of a whole decade or century that it is whole', () => {
  const years = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, n) => from + n);
  expect(toYearLexemes([1905, 1905])).toEqual(['y=19xx', 'y=190x', 'y=1905']);
  expect(toYearLexemes(years(1898, 1910))).toEqual([
    ...['y=18xx', 'y=189x', 'y=1898', 'y=1899', 'y=19xx', 'y=190x', 'y=190+', 'y=191x', 'y=1910'],
  ]);
  expect(toYearLexemes(years(1800, 2000))).toEqual([
    'y=18xx',
    'y=18+',
    'y=19xx',
    'y=19+',
    'y=20xx',
    'y=200x',
    'y=2000',
  ]);
});
