// Patterns of values that are compared whole.
import { describe, expect, it } from 'vitest';
import { findField } from '#domain/search/fields.ts';
import { compileWholePattern } from '#domain/search/query/whole-pattern.ts';
import { expansionsOf, toTsquery } from '#domain/search/query/tsquery.ts';

const compile = (field: string, pattern: string) =>
  compileWholePattern(pattern, findField(field) ?? expect.fail(field));
const asText = (field: string, pattern: string): string => {
  const predicate = compile(field, pattern);
  return predicate.kind === 'lexemes' ? toTsquery(predicate.query, new Map()) : predicate.kind;
};

describe('a beginning', () => {
  it.each([
    ['level', 's*', "'x=level=s':*"],
    ['publish', 'T*', "'x=publish=t':*"],
    ['repo_sort', 'Té*', "'x=repo_sort=te':*"],
    ['assessment_id', '1*', "'x=assessment_id=1':*"],
    ['assessment_survey_begin', '2020-0*', "'x=assessment_survey_begin=2020-0':*"],
    ['years', '1905*', "('y=1905' | 'y=19+' | 'y=190+')"],
    ['years', '19*', "('y=0019' | 'y=00+' | 'y=001+' | 'y=019x' | 'y=01+' | 'y=19xx')"],
    ['identifier', 'F*', "('k=f':* & 'i=f':*)"],
  ])('of %s: %s', (field, pattern, expected) => {
    expect(asText(field, pattern)).toBe(expected);
  });

  it('of a number in a sort key goes on', () => {
    expect(asText('year_sort', '190*')).toBe(
      "('x=year_sort=0000000190':* | 'x=year_sort=000000190':* | 'x=year_sort=00000190':* | 'x=year_sort=0000190':* | 'x=year_sort=000190':* | 'x=year_sort=00190':* | 'x=year_sort=0190':* | 'x=year_sort=190':*)",
    );
  });

  it('of titles is an interval of their keys', () => {
    const compared = { kind: 'compare', column: 'title_sort', field: 'title_sort' };
    expect(compile('title_sort', 'Har-b*')).toEqual({
      ...compared,
      from: { value: 'har b', isIncluded: true },
      to: { value: 'har b\u{10ffff}', isIncluded: false },
    });
    expect(compile('title_sort', 'box 12345678*')).toMatchObject({
      kind: 'any',
      parts: ['box 0012345678', 'box 012345678', 'box 12345678'].map((value) => ({ from: { value } })),
    });
  });

  it.each([
    ['2026*', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-*', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-02*', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2026-02-03T*', '2026-02-03T00:00:00.000Z', '2026-02-03T23:59:59.999Z'],
  ])('of moments is a year, month or day: %s', (pattern, from, to) => {
    expect(compile('create_time', pattern)).toMatchObject({ from: { value: from }, to: { value: to } });
  });

  it.each([
    ['create_time', '20*'],
    ['create_time', '2026-1*'],
    ['create_time', '2026-13*'],
    ['create_time', 'NOW*'],
    ['years', 'x*'],
    ['years', '19051*'],
    ['assessment_id', 'a*'],
    ['title_sort', '-*'],
  ])('that no value of %s has is refused: %s', (field, pattern) => {
    expect(() => compile(field, pattern)).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  });
});

describe('any other pattern', () => {
  it('is left to the word list, for identifiers to that of their words', () => {
    const like = (field: string, pattern: string) => {
      const predicate = compile(field, pattern);
      return predicate.kind === 'lexemes' ? expansionsOf(predicate.query) : [];
    };
    expect(like('first_term_type', '*op?')).toEqual([
      { kind: 'pattern', prefix: 'x=first_term_type=', like: 'x=first\\_term\\_type=%op_' },
    ]);
    expect(like('identifier', 'MS-?009')).toEqual([{ kind: 'pattern', prefix: 'i=', like: 'i=ms_009' }]);
  });

  it.each(['title_sort', 'create_time', 'years', 'uri', 'ref_id', 'resource'])(
    'is refused where that does not have the values: %s',
    (field) => {
      expect(() => compile(field, '*20?')).toThrow(`'${field}' takes a star at the end only`);
    },
  );

  it('needs two letters', () => {
    expect(() => compile('level', '*s')).toThrow('needs at least two letters or digits');
  });
});
