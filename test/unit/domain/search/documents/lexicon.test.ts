// Words that are kept: what is found by them is the same whether they were met before or not.
import { expect, it } from 'vitest';
import { analyseOnce, analyseShared, lexemeIn } from '#domain/search/documents/lexicon.ts';
import { analyse } from '#domain/text/analyse.ts';

const texts = [
  'Papers of the Harbour Authority, 1901-1950',
  "D'Arcy, Étienne",
  'internationalization of MS.2011-04/7',
  '東京大学',
  '',
  '\ud800 lone',
  `${'a long heading '.repeat(30)}end`,
];

const shown = ({ words, length }: ReturnType<typeof analyseOnce>) => ({
  lexemes: words.map(({ word, position }) => ({ word: word.lexeme, position })),
  length,
});

it('gives the words of a text, the first time and again', () => {
  for (const text of [...texts, ...texts]) {
    expect(shown(analyseShared(text))).toEqual(analyse(text));
    expect(shown(analyseOnce(text))).toEqual(analyse(text));
  }
});

it('gives the same when more was met than it keeps', () => {
  const many = Array.from({ length: 60_000 }, (_, n) => `unrepeatable${n}`);
  const { words } = analyseOnce(many.join(' '));
  expect(words.map(({ word }) => lexemeIn('t=', word)).join(' ')).toBe(many.map((word) => `t=${word}`).join(' '));
  expect(many.slice(0, 6000).filter((text) => analyseShared(text).words[0]?.word.lexeme !== text)).toEqual([]);
  for (const text of texts) expect(shown(analyseShared(text))).toEqual(analyse(text));
});

it('knows which words make neighbours, and words by field', () => {
  const [letters, harbour] = analyseOnce('letters harbour').words.map(({ word }) => word);
  expect([letters?.isCommon, harbour?.isCommon]).toEqual([true, false]);
  if (letters === undefined) throw new Error('no word');
  expect([lexemeIn('', letters), lexemeIn('t=', letters), lexemeIn('f3=', letters), lexemeIn('t=', letters)]).toEqual([
    'letters',
    't=letters',
    'f3=letters',
    't=letters',
  ]);
});
