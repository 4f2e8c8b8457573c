// What of a query can be told by the kind and the repository of a document.
import { describe, expect, it } from 'vitest';
import { indexedKinds } from '#domain/search/declared.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { findField } from '#domain/search/fields.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import type { AskedColumns } from '#domain/search/query/asked-columns.ts';
import { readAskedColumns } from '#domain/search/query/asked-columns.ts';
import { compileFilter } from '#domain/search/query/compile.ts';
import { lexemes, matchAny, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { inRepository } from '#domain/search/query/request.ts';
import { any, every, word } from '#domain/search/query/tsquery.ts';
import { harbourRecords, resolvedReplyOf } from '#test/support/harbour.ts';

const exact = (field: string, value: string): string => {
  const found = findField(field);
  if (found === undefined) throw new Error(field);
  return toExactLexeme(found, value);
};
const type = (value: string): Predicate => lexemes(word(exact('types', value)));
const components = type('archival_object');
const harbour = lexemes(word(exact('repository', '/repositories/2')));
const nothing: AskedColumns = { kinds: undefined, repositories: undefined };

it.each<[string, Predicate, Partial<AskedColumns>]>([
  ['a kind', components, { kinds: ['archival_object'] }],
  ['a choice of kinds', matchAny([components, type('resource')]), { kinds: ['archival_object', 'resource'] }],
  ['a repository', harbour, { repositories: [2] }],
  [
    'a repository and what is of none',
    compileFilter(inRepository('/repositories/2'), { now: 0 }) ?? matchEvery([]),
    { repositories: [2, null] },
  ],
  [
    'a kind in a repository, with a word, in a time',
    matchEvery([
      lexemes(word('t=harbour')),
      components,
      { kind: 'compare', column: 'user_mtime', field: 'user_mtime', from: { value: '2026', isIncluded: true } },
      harbour,
    ]),
    { kinds: ['archival_object'], repositories: [2] },
  ],
  ['a group, and a kind of it', matchEvery([type('agent'), type('agent_person')]), { kinds: ['agent_person'] }],
])('%s is told', (_, predicate, expected) => {
  expect(readAskedColumns(predicate)).toEqual({ ...nothing, ...expected });
});

it.each<[string, Predicate]>([
  ['everything', matchEvery([])],
  ['a word', lexemes(word('t=harbour'))],
  ['a group of kinds', type('agent')],
  ['what is for the public', type('pui')],
  ['a kind or a word', matchAny([components, lexemes(word('t=harbour'))])],
  ['a kind or a repository', lexemes(any([word(exact('types', 'resource')), word(exact('repository', 'global'))]))],
  ['a kind or a time', matchAny([components, { kind: 'equals', column: 'uri', value: '/subjects/1' }])],
  ['all but a kind', matchNot(components)],
  ['all but what is of a kind and a repository', matchNot(matchEvery([components, harbour]))],
  ['a beginning of types', lexemes({ kind: 'word', word: exact('types', 'resource'), isPrefix: true })],
  ['a type in notes', lexemes({ kind: 'word', word: exact('types', 'resource'), inNotes: true })],
  [
    'a choice in which one has a kind',
    lexemes(any([every([word(exact('types', 'resource')), word('t=a')]), word('t=b')])),
  ],
  ['no repository of ours', lexemes(word(exact('repository', '/repositories/x')))],
])('of %s nothing is', (_, predicate) => expect(readAskedColumns(predicate)).toEqual(nothing));

describe.each([...indexedKinds].filter((name) => harbourRecords.some(({ kind }) => kind.name === name)))(
  'a document of a %s',
  (name) => {
    const documents = harbourRecords
      .filter(({ kind }) => kind.name === name)
      .flatMap((record) => toSearchDocuments(name, resolvedReplyOf(record), { isRepositoryPublished: true }));

    it('has no other kind among its types, and the repository that its column says', () => {
      expect(documents.length).toBeGreaterThan(0);
      for (const { kind, repoId, vector } of documents) {
        const has = vector.lexemes.map(({ lexeme }) => lexeme);
        const kinds = has.flatMap((one) => readAskedColumns(lexemes(word(one))).kinds ?? []);
        expect(kinds).toEqual([kind]);
        const repositories = has.flatMap((one) => readAskedColumns(lexemes(word(one))).repositories ?? []);
        expect(repositories).toEqual([repoId]);
      }
    });
  },
);
