// The printer's details; that it prints back to equal trees is tested with the parser (lucene.test.ts).
import { expect, it } from 'vitest';
import { escapeTerm, printQuery, withField } from '#domain/search/query/ast.ts';

it.each([
  ['a"b(c)', 'a\\"b\\(c\\)'],
  ['-a-b', '\\-a-b'],
  ['a&&b', 'a\\&&b'],
  ['AT&T', 'AT&T'],
  ['OR', '\\OR'],
  ['two words', 'two\\ words'],
])('escapes %s', (text, escaped) => {
  expect(escapeTerm(text)).toBe(escaped);
});

it('joins optional clauses by OR and puts groups in parentheses', () => {
  const term = (text: string) => ({ kind: 'term' as const, text });
  const inner = { kind: 'group' as const, clauses: [{ occur: 'not' as const, node: term('c') }] };
  expect(
    printQuery({
      kind: 'group',
      clauses: [
        { occur: 'should', node: term('a') },
        { occur: 'should', node: inner },
        { occur: 'not', node: term('d') },
      ],
    }),
  ).toBe('a OR (-c) -d');
});

it('keeps a field that a node has', () => {
  expect(withField({ kind: 'term', field: 'notes', text: 'a' }, 'title')).toEqual({
    kind: 'term',
    field: 'notes',
    text: 'a',
  });
  expect(withField({ kind: 'all' }, 'title')).toEqual({ kind: 'exists', field: 'title' });
});
