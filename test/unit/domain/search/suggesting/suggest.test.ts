// Which words may be misspelt, and what they may stand for.
import { describe, expect, it } from 'vitest';
import { printQuery } from '#domain/search/query/ast.ts';
import { parseQuery } from '#domain/search/query/lucene.ts';
import { isField } from '#domain/search/fields.ts';
import {
  correct,
  rankCandidates,
  toAttempts,
  toCommonStart,
  toDistance,
  toNearSpellings,
  wordsToCheck,
} from '#domain/search/suggesting/suggest.ts';

const read = (q: string) => parseQuery(q, { isField }).node;

describe('the words of a query', () => {
  it.each<[string, readonly string[]]>([
    ['harbr maps', ['harbr', 'maps']],
    ['title:harbr -maps', ['harbr']],
    ['"old harbr" OR (vews^2)', ['old', 'harbr', 'vews']],
    ['MS-001 1914 a an', []],
    ['map* harbr~1 years:[1 TO 2] level:fil', []],
    ['"old harbr"~20', []],
    ['harbr harbr Hárbr', ['harbr']],
    ['one two three four five', ['one', 'two', 'three', 'four']],
  ])('of %s are %j', (q, words) => {
    expect(wordsToCheck(read(q))).toEqual(words);
  });

  it('are replaced where they stand, but not where they are refused', () => {
    expect(
      printQuery(correct(read('title:Harbr "the old harbr" -harbr harbr-1'), new Map([['harbr', 'harbor']]))),
    ).toBe('title:harbor "the old harbor" -harbr harbr-1');
  });
});

describe('near spellings', () => {
  it.each<[string, string, number]>([
    ['harbr', 'harbor', 1],
    ['hrabor', 'harbor', 1],
    ['harbour', 'harbor', 1],
    ['herbar', 'harbor', 2],
    ['same', 'same', 0],
    ['maps', 'diaries', 3],
    ['éire', 'eire', 1],
    ['ab', 'ba', 1],
  ])('%s and %s are %i apart', (a, b, distance) => {
    expect(toDistance(a, b, 2)).toBe(distance);
    expect(toDistance(b, a, 2)).toBe(distance);
  });

  it('hold every word one mistake away and nothing else', () => {
    const near = toNearSpellings('maps');
    expect(near).toEqual(expect.arrayContaining(['map', 'amps', 'mapss', 'mops', 'masp']));
    expect(near.every((word) => toDistance('maps', word, 2) === 1)).toBe(true);
    expect(near.length).toBeLessThan(250);
    expect(toNearSpellings('дневник').every((word) => toDistance('дневник', word, 2) === 1)).toBe(true);
  });

  it('rank by mistakes, then by documents, and allow short words one mistake', () => {
    const known = [
      { word: 'harbor', df: 5 },
      { word: 'harbors', df: 90 },
      { word: 'arbor', df: 70 },
      { word: 'harbr', df: 1 },
      { word: 'diary', df: 500 },
    ];
    expect(rankCandidates('harbr', known)).toEqual(['harbor', 'harbors', 'arbor']);
    expect(
      rankCandidates('mapp', [
        { word: 'mops', df: 9 },
        { word: 'maps', df: 1 },
      ]),
    ).toEqual(['maps']);
    expect([toCommonStart('harbour'), toCommonStart('maps')]).toEqual(['har', 'ma']);
  });
});

describe('attempts', () => {
  it('try the best of every word first, then one other at a time', () => {
    const attempts = toAttempts(
      new Map([
        ['harbr', ['harbor', 'arbor']],
        ['mpas', ['maps', 'mps']],
        ['unknown', []],
      ]),
    );
    expect(attempts.map((corrections) => Object.fromEntries(corrections))).toEqual([
      { harbr: 'harbor', mpas: 'maps' },
      { harbr: 'arbor', mpas: 'maps' },
      { harbr: 'harbor', mpas: 'mps' },
    ]);
    expect(toAttempts(new Map([['unknown', []]]))).toEqual([]);
  });
});
