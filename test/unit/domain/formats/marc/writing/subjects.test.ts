import { expect, it } from 'vitest';
import { marcXml } from '#domain/formats/marc/writing/fields.ts';
import { sourceIndicator, subjectFields } from '#domain/formats/marc/writing/subjects.ts';
import { marcLines, subjectRef } from '#test/support/make/export-context.ts';

const tagOf = (term_type: string) =>
  subjectFields({ subjects: [subjectRef({ terms: [{ term: 'T', term_type }] })] })[0]?.tag;

it('chooses the field by the first term', () => {
  const types = [
    'uniform_title',
    'temporal',
    'topical',
    'geographic',
    'cultural_context',
    'genre_form',
    'style_period',
    'occupation',
    'function',
    'technique',
  ];
  expect(types.map(tagOf)).toEqual(['630', '648', '650', '651', '651', '655', '655', '656', '656', '650']);
});

it('writes later terms as subdivisions, and $2 beside the indicator 7 alone', () => {
  const terms = ['topical', 'genre_form', 'temporal', 'geographic', 'uniform_title', 'function'].map((term_type) => ({
    term: term_type,
    term_type,
  }));
  expect(
    marcLines(
      marcXml({
        leader: '',
        control: [],
        fields: subjectFields({ subjects: [subjectRef({ source: 'aat', authority_id: 'i', terms })] }),
      }),
    ),
  ).toEqual(['650 _7 $a topical $v genre_form $y temporal $z geographic $t uniform_title $x function $2 aat $0 i']);
});

it('tells the thesaurus in the indicator', () => {
  expect(
    ['naf', 'lcsh', 'lcnaf', 'lcshac', 'mesh', 'nal', 'cash', 'rvm', 'local', undefined]
      .map((source) => sourceIndicator(source)[0])
      .join(''),
  ).toBe('0001235674');
});
