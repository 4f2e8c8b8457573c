// What relevance is reckoned from: the rarity of terms, the words that patterns are ranked by, the words that are looked for in titles (decisions
// 0016, 0039).
import { describe, expect, it } from 'vitest';
import type { ScoreTerm } from '#domain/search/query/compile.ts';
import { any, every, expansionKey, word } from '#domain/search/query/tsquery.ts';
import type { Expansion, ExpandedWords, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { countedWords, spreadOf, toRankedWords, toScore, toTitleWords, weigh } from '#store/search/postgres/ranking.ts';
import type { WordCounts } from '#store/search/postgres/ranking.ts';

const pattern = (like: string): Expansion => ({ kind: 'pattern', prefix: '', like });
const expand = (like: string): LexemeQuery => ({ kind: 'expand', expansion: pattern(like) });
const term = (query: LexemeQuery, more: Partial<ScoreTerm> = {}): ScoreTerm => ({
  query,
  boost: 1,
  isConstant: false,
  ...more,
});
const wordsOf = (count: number, name = 'w'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);
const expandedTo = (...found: readonly (readonly [like: string, words: readonly string[]])[]): ExpandedWords =>
  new Map(found.map(([like, words]) => [expansionKey(pattern(like)), words]));
const nothing: ExpandedWords = new Map();

describe('the words of an expansion that are ranked by', () => {
  it('are its first, as many as a round can bear, which several expansions share', () => {
    const one = expandedTo(['a%', wordsOf(400)]);
    expect((['bounded', 'head', 'tsv'] as const).map((round) => [...toRankedWords(one, round).values()][0])).toEqual([
      wordsOf(6),
      wordsOf(48),
      wordsOf(320),
    ]);
    const two = expandedTo(['a%', wordsOf(400)], ['b%', wordsOf(3, 'b')]);
    expect([...toRankedWords(two, 'head').values()]).toEqual([wordsOf(24), wordsOf(3, 'b')]);
  });

  it('are two at least, however many expansions share', () => {
    const many = expandedTo(...wordsOf(7, 'p').map((like) => [like, wordsOf(9)] as const));
    expect([...toRankedWords(many, 'bounded').values()]).toEqual(wordsOf(7).map(() => wordsOf(2)));
    expect(toRankedWords(nothing, 'head').size).toBe(0);
  });
});

describe('the words looked for in titles', () => {
  it('are those of the terms without their fields, each once, six at most', () => {
    expect(toTitleWords([term(word('harbour')), term(word('t=harbour')), term(word('board'))], nothing)).toBe(
      "('t=harbour' | 't=board')",
    );
    expect(
      toTitleWords(
        wordsOf(8).map((text) => term(word(text))),
        nothing,
      ),
    ).toBe(
      `(${wordsOf(6)
        .map((text) => `'t=${text}'`)
        .join(' | ')})`,
    );
  });

  it('are the first of an expansion, and none of what is no word', () => {
    expect(toTitleWords([term(expand('a%'))], expandedTo(['a%', ['ab', 'ac']]))).toBe("('t=ab' | 't=ac')");
    expect(toTitleWords([term(word('k=ms1'))], nothing)).toBeNull();
    expect(toTitleWords([], nothing)).toBeNull();
  });
});

describe('rarity', () => {
  const counted: WordCounts = {
    total: 100,
    counts: new Map([
      ['rare', 1],
      ['common', 50],
      ['ab', 3],
      ['ac', 4],
    ]),
  };
  const documentsOf = (query: LexemeQuery): number | undefined =>
    weigh([term(query)], counted, expandedTo(['a%', ['ab', 'ac', 'ad']]))[0]?.documents;

  it('counts the documents of a word in whatever field, and of what words are combined to', () => {
    expect(documentsOf(word('common'))).toBe(50);
    expect(documentsOf(word('t=common'))).toBe(50);
    expect(documentsOf(word('unknown'))).toBe(0);
    expect(documentsOf({ kind: 'word', word: 'com', isPrefix: true })).toBe(2);
    expect(documentsOf(expand('a%'))).toBe(7);
    expect(documentsOf(expand('b%'))).toBe(0);
    expect(documentsOf(any([word('rare'), word('common')]))).toBe(51);
    expect(documentsOf(every([word('rare'), word('common')]))).toBe(1);
    expect(documentsOf({ kind: 'sequence', parts: [word('common'), word('ab')] })).toBe(3);
    expect(documentsOf(every([]))).toBe(100);
    expect(documentsOf({ kind: 'apart', left: word('common'), right: word('ac'), places: 3 })).toBe(4);
    expect(documentsOf({ kind: 'not', part: word('rare') })).toBe(100);
  });

  it('takes the rarest first, sixteen terms at most, and what no document has for as rare as what one has', () => {
    const [first, second, third] = weigh(
      [term(word('common')), term(word('rare')), term(word('none'))],
      counted,
      nothing,
    );
    expect([first, second, third].map((each) => each?.term.query)).toEqual(['rare', 'none', 'common'].map(word));
    expect([first, second, third].map((each) => each?.rarity)).toEqual([Math.log(101), Math.log(101), Math.log(3)]);
    expect(
      weigh(
        wordsOf(17).map((text) => term(word(text))),
        counted,
        nothing,
      ),
    ).toHaveLength(16);
  });

  it('needs the counts of all words without their fields', () => {
    expect(countedWords([term(word('t=harbour')), term(expand('a%'))], expandedTo(['a%', ['ab']]))).toEqual([
      'harbour',
      'ab',
    ]);
  });
});

describe('the spread of a term', () => {
  it('is how many words its parts stand for on average, and 1 for what is no choice', () => {
    const expanded = expandedTo(['a%', wordsOf(5)]);
    expect(spreadOf(word('a'), expanded)).toBe(1);
    expect(spreadOf(every([word('a'), word('b')]), expanded)).toBe(1);
    expect(spreadOf(expand('a%'), expanded)).toBe(5);
    expect(spreadOf(expand('b%'), expanded)).toBe(1);
    expect(spreadOf(any([expand('a%'), word('b')]), expanded)).toBe(3);
    expect(spreadOf({ kind: 'any', parts: [] }, expanded)).toBe(0);
  });
});

describe('a score', () => {
  it('of nothing asked is the weight of the kind', () => {
    expect(toScore([], 'head', { counts: new Map(), total: 0 }, nothing).sql).toBe('d.factor::float8');
  });

  it('adds up the terms, of which a constant one has its boost alone, and weighs kind and length', () => {
    const { sql, values } = toScore(
      [term(word('a'), { boost: 3, isConstant: true }), term(word('b'), { boost: 2 })],
      'tsv',
      { total: 9, counts: new Map([['b', 3]]) },
      nothing,
    );
    expect(sql.replace(/\$\w+/g, '?')).toBe(
      `(CASE WHEN d."tsv" @@ ?::tsquery THEN ?::float8 ELSE 0 END + ?::float8 * least(1, ?::float8 * ts_rank('{0.1,0.3,0.6,1}', d."tsv", ?::tsquery))) * d.factor / (0.6 + 0.4 * ln(1 + d.len) / ln(31))`,
    );
    expect(values).toEqual(["'a'", 3, 2 * Math.log(4), 1, "'b'"]);
  });
});
