// Titles as somebody types: what was typed, what is looked for, which titles come first.
import { describe, expect, it } from 'vitest';
import type { AlikeWords, TitleCandidate } from '#domain/search/suggesting/typeahead.ts';
import {
  mostLookedAt,
  rankTitles,
  readTyped,
  toSuggestedTitle,
  toTitleSearch,
} from '#domain/search/suggesting/typeahead.ts';
import { every, toTsquery } from '#domain/search/query/tsquery.ts';

const words = (text: string): readonly string[] => readTyped(text).words.map(({ word }) => word);
const few: AlikeWords = {
  count: 3,
  documents: 40,
  frequent: [
    { word: 'mill', df: 20 },
    { word: 'mills', df: 20 },
  ],
};
const many: AlikeWords = {
  count: mostLookedAt.alike,
  documents: 900_000,
  frequent: [
    { word: 'and', df: 800_000 },
    { word: 'album', df: 50_000 },
    { word: 'a', df: 40_000 },
  ],
};

describe('what was typed', () => {
  it('is read as titles are, whatever the case, accents and punctuation', () => {
    expect(words('  Łódź, O’Ne MS-12 łódź ')).toEqual(['lodz', 'one', 'ms', '12']);
    expect(readTyped('<emph>Łódź</emph> Pap').start).toBe('lodz pap');
    expect(readTyped('図書館').words).toEqual([
      { word: '図書', isWhole: true },
      { word: '書館', isWhole: true },
    ]);
  });

  it('may be anything', () => {
    expect(readTyped(' \u0000\ud800<>&!()*:\\\'"%_- ')).toMatchObject({ words: [] });
    expect(words(`${'a'.repeat(100_000)} ${'b '.repeat(1000)}`).length).toBeLessThanOrEqual(mostLookedAt.words);
    expect(words('a b c d e f g h i j k')).toHaveLength(mostLookedAt.words);
    expect(toTitleSearch(readTyped('%_ -'), new Map())).toBeNull();
  });
});

describe('what is looked for', () => {
  const queryOf = (text: string, alike: readonly (readonly [string, AlikeWords])[]) => {
    const search = toTitleSearch(readTyped(text), new Map(alike));
    return (
      search && {
        query: toTsquery(every(search.query), new Map()),
        loose: search.loose && toTsquery(every(search.loose), new Map()),
        left: search.left,
      }
    );
  };

  it('is each word as a beginning', () => {
    expect(queryOf('old mil', [['mil', few]])).toEqual({ query: "('t=old':* & 't=mil':*)", loose: null, left: [] });
    expect(queryOf('図書', [])).toEqual({ query: "'t=図書'", loose: null, left: [] });
  });

  it('is, of a beginning that too many words have, the word and those that are in fewer documents than would take long', () => {
    expect(queryOf('a', [['a', many]])).toEqual({ query: "('t=a' | 't=album')", loose: null, left: ['a'] });
  });

  it('is the beginning up to as many words and documents as are looked at; of as many words as are counted there may be more', () => {
    const { alike, documents } = mostLookedAt;
    const isWide = (more: Partial<AlikeWords>): boolean =>
      queryOf('mil', [['mil', { ...few, ...more }]])?.left.length === 1;
    expect([alike - 1, alike].map((count) => isWide({ count }))).toEqual([false, true]);
    expect([documents, documents + 1].map((most) => isWide({ documents: most }))).toEqual([false, true]);
    const taken = (df: number): string | undefined =>
      queryOf('a', [
        [
          'a',
          {
            ...many,
            frequent: [
              { word: 'album', df },
              { word: 'an', df: documents - 10 },
            ],
          },
        ],
      ])?.query;
    expect(taken(10)).toBe("('t=a' | 't=album' | 't=an')");
    expect(taken(11)).toBe("('t=a' | 't=album')");
  });

  it('is what the other words find, with titles that have the widespread one picked out of that', () => {
    expect(
      queryOf('a mil', [
        ['a', many],
        ['mil', few],
      ]),
    ).toEqual({ query: "('t=mil':* & ('t=a' | 't=album'))", loose: "'t=mil':*", left: ['a'] });
  });

  it('is fewer words for each where several are widespread', () => {
    const alike: AlikeWords = {
      ...many,
      frequent: [
        { word: 'bound', df: 90_000 },
        { word: 'book', df: 60_000 },
      ],
    };
    expect(queryOf('b', [['b', alike]])?.query).toBe("('t=b' | 't=bound' | 't=book')");
    expect(
      queryOf('a b', [
        ['a', many],
        ['b', alike],
      ])?.query,
    ).toBe("(('t=a' | 't=album') & ('t=b' | 't=bound'))");
  });
});

describe('the best titles', () => {
  const candidates: readonly TitleCandidate[] = [
    { no: 1, title: 'account of the old mill and all that is in it', factor: 1 },
    { no: 2, title: 'old mill', factor: 1 },
    { no: 3, title: 'old millers of the town', factor: 1 },
    { no: 4, title: 'papers of the old mill', factor: 3 },
    { no: 2, title: 'old mill', factor: 1 },
    { no: 5, title: 'old millstones', factor: 3 },
  ];

  it('are those that begin so, then collections, then the short ones, each once', () => {
    expect(rankTitles(readTyped('old mill'), candidates, [], 10)).toEqual([2, 5, 3, 4, 1]);
    expect(rankTitles(readTyped('old mill'), candidates, [], 2)).toEqual([2, 5]);
  });

  it('have the words that were too widespread to be looked for', () => {
    expect(rankTitles(readTyped('mill p'), candidates, ['p'], 10)).toEqual([4]);
    expect(
      rankTitles(
        readTyped('box 12'),
        [
          { no: 1, title: 'box 0000000012', factor: 1 },
          { no: 2, title: 'box 0000000013', factor: 1 },
        ],
        ['12'],
        10,
      ),
    ).toEqual([1]);
  });
});

it('a suggestion names the words of the title that begin so, as they are written', () => {
  const document = {
    id: '/r/1#pui',
    uri: '/r/1',
    title: 'The <emph>Łódź</emph> mills at O’Neill’s',
    primary_type: 'archival_object',
    repository: '/repositories/2',
    json: '{}',
  };
  const { json: _json, ...shown } = document;
  expect(toSuggestedTitle(readTyped('lod one mil'), JSON.stringify(document))).toEqual({
    ...shown,
    words: ['Łódź', 'mills', 'O’Neill’s'],
  });
});
