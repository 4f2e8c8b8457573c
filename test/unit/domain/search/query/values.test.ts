// The values in query text.
import { expect, it } from 'vitest';
import { Cursor } from '#domain/search/query/scanner.ts';
import { readBoost, readPhrase, readRange, readTerm } from '#domain/search/query/values.ts';

it('reads words, patterns, near spellings, and a star for whatever has the field', () => {
  const read = (text: string) => readTerm(new Cursor(text), 'title');
  expect(read('harbor rest')).toEqual({ kind: 'term', field: 'title', text: 'harbor' });
  expect(read('harb*')).toEqual({ kind: 'wildcard', field: 'title', pattern: 'harb*' });
  expect(read('harbor~1')).toEqual({ kind: 'fuzzy', field: 'title', text: 'harbor', distance: 1 });
  expect(read('*')).toEqual({ kind: 'exists', field: 'title' });
});

it('reads phrases with the room between their words', () => {
  expect(readPhrase(new Cursor('"old harbor"~3'), undefined)).toEqual({ kind: 'phrase', text: 'old harbor', slop: 3 });
});

it('reads ranges, open ones too, and refuses them without a field', () => {
  expect(readRange(new Cursor('[1900 TO *}'), 'years')).toEqual({
    kind: 'range',
    field: 'years',
    from: '1900',
    includesFrom: true,
    includesTo: false,
  });
  expect(() => readRange(new Cursor('[1 TO 2]'), undefined)).toThrow('a range needs a field');
});

it('reads a boost where one stands', () => {
  const word = { kind: 'term', text: 'a' } as const;
  expect(readBoost(new Cursor('^2.5'), word)).toEqual({ kind: 'boost', node: word, factor: 2.5, isConstant: false });
  expect(readBoost(new Cursor(' '), word)).toBe(word);
});
