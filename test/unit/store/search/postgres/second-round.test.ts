// Which words of a query are looked for in titles when the best documents are weighed once more (decision 0039).
import { expect, it } from 'vitest';
import type { ScoreTerm } from '#domain/search/query/compile.ts';
import { any, expansionKey, word } from '#domain/search/query/tsquery.ts';
import type { Expansion, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { toSecondRound } from '#store/search/postgres/second-round.ts';

const counted = {
  total: 9,
  counts: new Map([
    ['harbour', 2],
    ['board', 2],
  ]),
};
const starts: Expansion = { kind: 'pattern', prefix: '', like: 'har%' };
const expanded = new Map([[expansionKey(starts), ['harbour', 'harvest']]]);
const term = (query: LexemeQuery, more: Partial<ScoreTerm> = {}): ScoreTerm => ({
  query,
  boost: 1,
  isConstant: false,
  ...more,
});

/** The queries by which the share of a document's title is reckoned, each with its part of the whole; `all` where any title has all. */
function inTitles(...scores: readonly ScoreTerm[]): unknown {
  const { joins } = toSecondRound({ scores }, counted, expanded);
  const [, share = ''] = /^CROSS JOIN LATERAL \(SELECT (.*?) AS share OFFSET 0\)/.exec(joins.sql) ?? [];
  if (share === '1::float8') return 'all';
  const places = [...share.matchAll(/\$(?:slonik_)?(\d+)/g)].map(([, place]) => Number(place));
  return places.map((place) => joins.values[place - 1]);
}

it('are words of all fields and of titles, each by its rarity', () => {
  expect(inTitles(term(word('harbour')))).toEqual(["'t=harbour'", 1]);
  expect(inTitles(term(word('t=harbour')))).toEqual(["'t=harbour'", 1]);
  expect(inTitles(term(word('harbour')), term(word('board')))).toEqual(["'t=harbour'", 0.5, "'t=board'", 0.5]);
});

it('are none of other fields', () => {
  expect(inTitles(term(word('c=harbour')))).toBe('all');
  expect(inTitles(term(word('c=harbour')), term(word('board')))).toEqual(["'t=board'", 1]);
  expect(inTitles(term(any([word('k=ms1'), word('harbour')])))).toBe('all');
});

it('are the words of patterns, of choices and of what stands apart', () => {
  expect(inTitles(term({ kind: 'expand', expansion: starts }))).toEqual(["('t=harbour' | 't=harvest')", 1]);
  expect(inTitles(term(any([word('harbour'), word('board')])))).toEqual(["('t=harbour' | 't=board')", 1]);
  expect(inTitles(term({ kind: 'apart', left: word('harbour'), right: word('board'), places: 2 }))).toEqual([
    "('t=harbour' <2> 't=board')",
    1,
  ]);
});

it('are not what is scored by a constant, nor as typed beside all forms', () => {
  expect(inTitles(term(word('harbour'), { isConstant: true }))).toBe('all');
  expect(inTitles(term(word('harbour'), { isAsTyped: true }))).toBe('all');
});
