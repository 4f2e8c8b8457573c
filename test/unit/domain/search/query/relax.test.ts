// Queries that go on with most of their words: what is taken apart, and what is asked of documents.
import { describe, expect, it } from 'vitest';
import { isField } from '#domain/search/fields.ts';
import { parseLucene } from '#domain/search/query/lucene.ts';
import { citedTitles, leastOf, mostOf, toRelaxable } from '#domain/search/query/relax.ts';
import { withUmlauts } from '#domain/search/query/stemming.ts';
import { toTsquery, word } from '#domain/search/query/tsquery.ts';

const take = (text: string) => toRelaxable(parseLucene(text, { isField }));
const textOf = (words: readonly string[]): string => toTsquery(mostOf(words.map(word)), new Map());

describe('the words of a query', () => {
  it('are its plain ones, those in parentheses too', () => {
    expect(take('harbor (dr. and mrs.) maps')?.words.map(({ text }) => text)).toEqual([
      'harbor',
      'dr.',
      'and',
      'mrs.',
      'maps',
    ]);
    expect(take('harbor')?.words).toHaveLength(1);
  });

  it('leave what has syntax as it is required', () => {
    const parts = take('harbor maps title:views -printed "old town" wom*');
    expect(parts?.words.map(({ text }) => text)).toEqual(['harbor', 'maps']);
    const rest = parts?.rest?.kind === 'group' ? parts.rest.clauses : [];
    expect(rest.map(({ occur, node }) => [occur, node.kind])).toEqual([
      ['must', 'term'],
      ['not', 'term'],
      ['must', 'phrase'],
      ['must', 'wildcard'],
    ]);
  });

  it.each(['title:views', '"old town"', 'wom*', 'harbor OR maps', '*:*'])('are none in %s', (text) => {
    expect(take(text)).toBeUndefined();
  });
});

describe('most of some words', () => {
  it('is half of them, and two of three', () => {
    expect([1, 2, 3, 4, 5, 6, 8, 20].map(leastOf)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('is all combinations of so many', () => {
    expect(textOf(['a'])).toBe("'a'");
    expect(textOf(['a', 'b'])).toBe("('a' | 'b')");
    expect(textOf(['a', 'b', 'c'])).toBe("(('a' & ('b' | 'c')) | ('b' & 'c'))");
    // Each of the seventy fours of eight fits, and no three do.
    const eight = [...'abcdefgh'];
    const query = mostOf(eight.map(word));
    const fits = (own: ReadonlySet<string>, part = query): boolean =>
      part.kind === 'word'
        ? own.has(part.word)
        : part.kind === 'every'
          ? part.parts.every((one) => fits(own, one))
          : part.kind === 'any' && part.parts.some((one) => fits(own, one));
    for (let set = 0; set < 256; set += 1) {
      const own = new Set(eight.filter((_, place) => (set >> place) % 2 === 1));
      expect(fits(own)).toBe(own.size >= 4);
    }
  });
});

it.each([
  ['mueller', 'muller'],
  ['fruehstueck', 'fruhstuck'],
  ['laehteenmaeki', 'lahteenmaki'],
  ['paeaeskylae', 'paaskyla'],
  ['queen', 'queen'],
  ['harbor', 'harbor'],
])('finds %s as %s', (typed, written) => {
  expect(withUmlauts(typed)).toBe(written);
});

describe('the titles that a citation may quote', () => {
  const cited = (text: string): readonly string[] => citedTitles(take(text)?.words ?? []);

  it('are what stands between its marks, and several such parts together', () => {
    expect(cited('Vane, Harriet, 1931, Shrewsbury Papers')).toEqual([
      'vane harriet',
      'vane harriet 0000001931',
      'vane harriet 0000001931 shrewsbury papers',
      'harriet 0000001931',
      'harriet 0000001931 shrewsbury papers',
      '0000001931 shrewsbury papers',
      'shrewsbury papers',
    ]);
  });

  it('are none of words without marks, and few of very many', () => {
    expect(cited('harbor maps and views')).toEqual([]);
    expect(cited('one two, '.repeat(30)).length).toBeLessThanOrEqual(24);
  });
});
