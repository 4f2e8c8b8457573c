// Predicates melt what one index condition can say.
import { expect, it } from 'vitest';
import { lexemeQueriesOf, lexemes, matchAny, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { any, every, word } from '#domain/search/query/tsquery.ts';

const uri: Predicate = { kind: 'equals', column: 'uri', value: '/agents/people/1' };

it('melts lexeme parts and leaves the others beside', () => {
  expect(matchEvery([lexemes(word('a')), lexemes(word('b'))])).toEqual(lexemes(every([word('a'), word('b')])));
  expect(matchAny([lexemes(word('a')), uri, lexemes(word('b'))])).toEqual({
    kind: 'any',
    parts: [lexemes(any([word('a'), word('b')])), uri],
  });
  expect(matchEvery([uri])).toEqual(uri);
});

it('negates inside lexemes where it can', () => {
  expect(matchNot(lexemes(word('a')))).toEqual(lexemes({ kind: 'not', part: word('a') }));
  expect(matchNot(uri)).toEqual({ kind: 'not', part: uri });
  expect(lexemeQueriesOf(matchNot(matchEvery([uri, lexemes(word('a'))])))).toEqual([word('a')]);
});
