// Vectors become tokens without losing a word, a place or a script.
import { describe, expect, it } from 'vitest';
import { buildVector } from '#domain/search/documents/vector.ts';
import { readVector, toLexemeFields } from '#store/search/typesense/lexemes.ts';
import { toPairToken, toToken } from '#store/search/typesense/token.ts';
import { tsvectorText } from '#test/support/tsvector.ts';
import { tokensOf } from '#test/support/typesense/collection.ts';

describe('a vector', () => {
  it('is read with its quotes, backslashes, places and weights', () => {
    const vector = readVector(String.raw`'a''b':1A,3 'c\\d' 'e':2B`);
    expect([...vector]).toEqual([
      [
        "a'b",
        [
          { at: 1, weight: 'A' },
          { at: 3, weight: 'D' },
        ],
      ],
      ['c\\d', []],
      ['e', [{ at: 2, weight: 'B' }]],
    ]);
  });

  it('gives words by field, neighbours, and the words of titles, short fields and notes', () => {
    const vector = buildVector({
      parts: [
        { text: 'Harbor maps', weight: 'B', prefixes: ['t='] },
        { text: 'of paper', weight: 'D', prefixes: [] },
      ],
      context: ['Menagerie'],
      marks: ['k=mc319', 'x=level=File'],
    });
    const fields = toLexemeFields(tsvectorText(vector));
    expect(fields).toMatchObject({
      l_all: ['harbor', 'maps', 'of', 'paper', 'menagerie'],
      l_t: ['harbor', 'maps'],
      w_title: ['harbor', 'maps'],
      l_notes: ['of', 'paper'],
    });
    expect(fields['p_all']).toEqual(['6xharbormaps', '2xofpaper']);
    expect(fields['p_notes']).toEqual(['2xofpaper']);
    expect(fields['k_begins']).toEqual(['m', 'mc', 'mc3', 'mc31', 'mc319']);
    expect(fields['l_x']).toEqual([toToken('level=File')]);
  });
});

describe('a token', () => {
  it.each(['harbor', 'zz4', 'x=y', '京大', 'шум', "o'neill", 'a b', 'a'.repeat(300), 'MiXed', ''])(
    'of %s is one word that the server keeps as it is',
    (text) => {
      expect(tokensOf(toToken(text))).toEqual([toToken(text)]);
    },
  );

  it('is the text itself where that is a short plain word, and begins as no such word else', () => {
    const plain = ['harbor', '2026', 'a', 'a'.repeat(40), 'buzz', 'azz'];
    expect(plain.map(toToken)).toEqual(plain);
    for (const text of ['zz4', 'zz', 'Harbor', 'a b', '', 'x=y', 'a'.repeat(41)])
      expect(toToken(text)).toMatch(/^zz[0-9a-f]{24}$/);
    expect([toPairToken('ab', 'c'), toPairToken('buzz', 'azz')]).toEqual(['2xabc', '4xbuzzazz']);
    for (const token of [
      toPairToken('zz4', 'a'),
      toPairToken('a', 'zz4'),
      toPairToken('A', 'b'),
      toPairToken('a', 'b c'),
    ])
      expect(token).toMatch(/^zz[0-9a-f]{24}$/);
  });

  it('tells apart what differs', () => {
    const texts = ['harbor', 'Harbor', 'har bor', 'har-bor', 'hárbor', 'zzharbor'];
    expect(new Set(texts.map(toToken)).size).toBe(texts.length);
    const pairs = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['1x', 'a'],
      ['1', 'xa'],
      ['京', 'a'],
      ['京 a', 'b'],
      ['x'.repeat(12), 'y'],
      ['zza', 'b'],
    ] as const;
    expect(new Set(pairs.map(([left, right]) => toPairToken(left, right))).size).toBe(pairs.length);
    for (const [left, right] of pairs) expect(tokensOf(toPairToken(left, right))).toEqual([toPairToken(left, right)]);
  });
});
