// Vectors become tokens without losing a word, a place or a script.
import { describe, expect, it } from 'vitest';
import { buildVectors } from '#domain/search/vector.ts';
import { readVector, toLexemeFields } from '#store/search/typesense/lexemes.ts';
import { pairOf, toToken } from '#store/search/typesense/token.ts';
import { tokensOf } from '#test/support/typesense/collection.ts';

describe('a vector', () => {
  it('is read with its quotes, backslashes, places and weights', () => {
    const vector = readVector(String.raw`'a''b':1A,3 'c\\d' 'e':2B`);
    expect([...vector]).toEqual([["a'b", [{ at: 1, weight: 'A' }, { at: 3, weight: 'D' }]], ['c\\d', []], ['e', [{ at: 2, weight: 'B' }]]]);
  });

  it('gives words by field, neighbours, and the words of titles, short fields and notes', () => {
    const { tsv } = buildVectors({
      parts: [{ text: 'Harbor maps', weight: 'B', prefixes: ['t='] }, { text: 'of paper', weight: 'D', prefixes: [] }], context: ['Menagerie'], marks: ['k=mc319', 'x=level=File'],
    });
    const fields = toLexemeFields(tsv);
    expect(fields).toMatchObject({ l_all: ['harbor', 'maps', 'of', 'paper', 'menagerie'], l_t: ['harbor', 'maps'], w_title: ['harbor', 'maps'], l_notes: ['of', 'paper'] });
    expect(fields['p_all']).toEqual([toToken(pairOf('harbor', 'maps')), toToken(pairOf('of', 'paper'))]);
    expect(fields['p_notes']).toEqual([toToken(pairOf('of', 'paper'))]);
    expect(fields['k_begins']).toEqual(['mc', 'mc3', 'mc31', 'mc319']);
    expect(fields['l_x']).toEqual([toToken('level=File')]);
  });
});

describe('a token', () => {
  it.each(['harbor', 'zz4', 'x=y', '京大', 'шум', "o'neill", 'a b', 'a'.repeat(300), 'MiXed', ''])('of %s is one word that the server keeps as it is', (text) => {
    expect(tokensOf(toToken(text))).toEqual([toToken(text)]);
  });

  it('tells apart what differs', () => {
    const texts = ['harbor', 'Harbor', 'har bor', 'har-bor', 'hárbor', 'zzharbor'];
    expect(new Set(texts.map(toToken)).size).toBe(texts.length);
  });
});
