// What is particular to terms.
import { expect, test } from 'vitest';
import { term } from '#domain/kinds/term.ts';
import { exampleOf, keys } from '#test/support/make/kind.ts';

test('has the key by which the store finds it when a subject names it', () => {
  expect(keys(term, exampleOf(term))).toEqual({ 'term.identity': [' ["/vocabularies/1","T1","topical"]'] });
});

test('has no operation but reading', () => {
  expect(term.may).toEqual({ read: 'public' });
});
