// Which queries are answered by counts of scopes.
import { expect, it } from 'vitest';
import { lexemes, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { forPublic } from '#domain/search/documents/public-copy.ts';
import { asksScopesOnly } from '#domain/search/query/scope.ts';
import { any, word } from '#domain/search/query/tsquery.ts';

const type = lexemes(word('x=types=pui'));

it.each<[string, Predicate]>([
  ['everything', matchEvery([])],
  ['types, for staff', type],
  ['types, for the public', forPublic(type)],
  [
    'all but a type of a repository',
    matchEvery([matchNot(type), lexemes(any([word('x=repository=/repositories/2'), word('v=all')]))]),
  ],
  ['nothing', lexemes(word('z='))],
])('%s is asked of scopes', (_, predicate) => expect(asksScopesOnly(predicate)).toBe(true));

it.each<[string, Predicate]>([
  ['a word', lexemes(word('maps'))],
  ['another field', matchEvery([type, lexemes(word('x=level=file'))])],
  ['a beginning of a type', lexemes({ kind: 'word', word: 'x=types=', isPrefix: true })],
  ['a phrase', lexemes({ kind: 'sequence', parts: [word('v=all'), word('v=all')] })],
  ['a column', matchEvery([type, { kind: 'equals', column: 'uri', value: '/subjects/1' }])],
])('%s is asked of documents', (_, predicate) => expect(asksScopesOnly(predicate)).toBe(false));
