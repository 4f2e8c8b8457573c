// The text of lexeme queries.
import { expect, it } from 'vitest';
import { any, every, expansionKey, expansionsOf, toTsquery, word, wordsOf } from '#domain/search/query/tsquery.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';

const pattern = { kind: 'pattern' as const, prefix: '', like: '%x' };
const none = new Map();

it('subtracts negations from something', () => {
  expect(toTsquery({ kind: 'not', part: word('a') }, none)).toBe("('v=all' & !'a')");
  expect(toTsquery(every([word('a'), { kind: 'not', part: word('b') }]), none)).toBe("('a' & !'b')");
  expect(toTsquery(every([]), none)).toBe("'v=all'");
  expect(toTsquery(any([]), none)).toBe("'z='");
});

it('fills in the words found, and finds nothing where there are none', () => {
  const query: LexemeQuery = { kind: 'expand', expansion: pattern };
  expect(toTsquery(query, new Map([[expansionKey(pattern), ['ax', "b'x"]]]))).toBe("('ax' | 'b''x')");
  expect(toTsquery(query, none)).toBe("'z='");
  expect(expansionsOf(every([query, { kind: 'not', part: query }]))).toEqual([pattern, pattern]);
});

it('lists the words outside of negations', () => {
  expect(
    wordsOf(every([word('a'), { kind: 'not', part: word('b') }, { kind: 'word', word: 'c', isPrefix: true }]), none),
  ).toEqual(['a']);
});
