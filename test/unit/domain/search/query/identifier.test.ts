// How identifiers are found.
import { expect, it } from 'vitest';
import { compileIdentifier, compileIdentifierStart } from '#domain/search/query/identifier.ts';

it('finds an identifier by its key or its words in sequence, and nothing for a dash', () => {
  expect(JSON.stringify(compileIdentifier('MC.319'))).toContain('"k=mc319"');
  expect(compileIdentifier('-')).toBeUndefined();
});

it('asks for the words as well where many random keys begin alike', () => {
  expect(compileIdentifierStart('mss')).toEqual({
    kind: 'lexemes',
    query: { kind: 'word', word: 'k=mss', isPrefix: true },
  });
  expect(JSON.stringify(compileIdentifierStart('1a'))).toMatch(/"k=1a".*"i=1a"/);
});
