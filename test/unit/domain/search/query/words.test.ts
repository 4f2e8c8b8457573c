// Patterns as LIKE texts; the queries of words are tested through compile.test.ts.
import { expect, it } from 'vitest';
import { escapeLike, findWords, requireLiterals, toLike, trailingStar } from '#domain/search/query/words.ts';

it('makes LIKE patterns with what is literal escaped', () => {
  expect(toLike('a_b*c?\\*', (literal) => literal)).toBe('a\\_b%c_*');
  expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
});

it('knows a single star at the end from other patterns', () => {
  expect([
    trailingStar('map*'),
    trailingStar('a\\*b*'),
    trailingStar('m*p*'),
    trailingStar('*'),
    trailingStar('map'),
  ]).toEqual(['map', 'a*b', undefined, undefined, undefined]);
});

it('wants two literal characters', () => {
  expect(() => requireLiterals('a%', 'a*')).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  expect(() => requireLiterals('\\%\\_%', 'x')).not.toThrow();
});

it('finds no words in punctuation', () => {
  expect(findWords('-- !', { prefix: '', inNotes: false })).toBeUndefined();
});
