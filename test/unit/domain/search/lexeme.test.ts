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

it('covers any span of years by exactly the years in it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2100 }),
      fc.integer({ min: 0, max: 2100 }),
      fc.integer({ min: 0, max: 2100 }),
      (from, to, year) => {
        const cover = toYearCover(from, to);
        expect(toYearLexemes(year).some((lexeme) => cover.includes(lexeme))).toBe(from <= year && year <= to);
        expect(cover.length).toBeLessThanOrEqual(60);
      },
    ),
  );
});
