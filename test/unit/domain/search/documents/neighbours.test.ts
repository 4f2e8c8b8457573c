// Common words that stand beside each other are lexemes of their own, in documents and in queries.
import { describe, expect, it } from 'vitest';
import { findByNeighbours, withNeighbours } from '#domain/search/documents/neighbours.ts';
import { lexemes, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import { any, word } from '#domain/search/query/tsquery.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';
import { packDocuments } from '#domain/search/documents/packed.ts';
import { buildVector } from '#domain/search/documents/vector.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { tsvectorText } from '#test/support/tsvector.ts';

const sequence = (...words: readonly string[]): LexemeQuery => ({ kind: 'sequence', parts: words.map(word) });
const neighboursIn = (...texts: readonly string[]): readonly string[] =>
  tsvectorText(
    buildVector({ parts: texts.map((text) => ({ text, weight: 'D', prefixes: ['t='] })), context: [], marks: [] }),
  ).match(/'n=[^']*'/g) ?? [];

describe('a document', () => {
  it('has those of its common words that stand beside each other, once and without a place', () => {
    expect(neighboursIn('Minutes of the board of the harbor, of the year')).toEqual([
      "'n=minutes of'",
      "'n=of the'",
      "'n=the year'",
    ]);
  });

  it('has none across two values, and none of words of the context', () => {
    expect(neighboursIn('records of', 'the harbor')).toEqual(["'n=records of'"]);
    expect(tsvectorText(buildVector({ parts: [], context: ['records of the year'], marks: [] }))).toBe(
      "'v=all' 'records' 'of' 'the' 'year'",
    );
  });

  it('has them inside of what is glued by punctuation, by every way of writing the words', () => {
    expect(neighboursIn('box/folder of')).toEqual(["'n=box folder'", "'n=folder of'"]);
    expect(neighboursIn("the state's papers")).toEqual([
      "'n=the states'",
      "'n=the state'",
      "'n=states papers'",
      "'n=state papers'",
    ]);
  });

  it('does not list them among the words of the index', () => {
    const { words } = packDocuments(
      toSearchDocuments('accession', { uri: '/repositories/2/accessions/1', title: 'of the' }),
      () => true,
    );
    expect(words.flatMap(([word]) => (/=/.test(word) ? [] : [word]))).toEqual(['of', 'the']);
  });
});

describe('a query', () => {
  it('asks for the neighbours in place of a phrase of two common words', () => {
    expect(withNeighbours(any([sequence('of', 'the'), word('k=ofthe')]))).toEqual(
      any([word('n=of the'), word('k=ofthe')]),
    );
  });

  it('asks for them beside a longer phrase, one in a field, one in notes', () => {
    expect(withNeighbours(sequence('minutes', 'of', 'the', 'harbor'))).toEqual({
      kind: 'every',
      parts: [word('n=minutes of'), word('n=of the'), sequence('minutes', 'of', 'the', 'harbor')],
    });
    expect(withNeighbours(sequence('t=of', 't=the'))).toEqual({
      kind: 'every',
      parts: [word('n=of the'), sequence('t=of', 't=the')],
    });
    const inNotes: LexemeQuery = {
      kind: 'sequence',
      parts: ['of', 'the'].map((text) => ({ kind: 'word', word: text, inNotes: true })),
    };
    expect(withNeighbours(inNotes)).toEqual({ kind: 'every', parts: [word('n=of the'), inNotes] });
  });

  it('stays as it is where words are rare, begin words, or stand some places apart', () => {
    const begins: LexemeQuery = {
      kind: 'sequence',
      parts: [word('of'), { kind: 'word', word: 'the', isPrefix: true }],
    };
    const apart: LexemeQuery = { kind: 'apart', left: word('of'), right: word('the'), places: 2 };
    for (const query of [sequence('of', 'wallabies'), begins, apart, word('of')])
      expect(withNeighbours(query)).toEqual(query);
  });

  it('is narrowed wherever in a predicate it stands', () => {
    const uri = { kind: 'equals', column: 'uri', value: '/subjects/1' } as const;
    expect(findByNeighbours(matchNot(matchEvery([uri, lexemes(sequence('of', 'the'))])))).toEqual(
      matchNot(matchEvery([uri, lexemes(word('n=of the'))])),
    );
  });
});
