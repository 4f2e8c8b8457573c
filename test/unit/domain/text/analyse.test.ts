// How texts are taken apart into words, as a table, and what holds for any text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse, analyseRuns } from '#domain/text/analyse.ts';
import { withoutMarkup } from '#domain/text/mixed-content.ts';

const lexemes = (text: string) =>
  analyse(withoutMarkup(text))
    .lexemes.map(({ word, position }) => `${word}(${position + 1})`)
    .join(' ');

describe('words of a text', () => {
  it.each([
    ['MS.2011-04/7', 'ms2011047(1) ms(1) 2011(2) 04(3) 7(4)'],
    ['RG 13-A', 'rg(1) 13a(2) 13(2) a(3)'],
    ['MC.319', 'mc319(1) mc(1) 319(2)'],
    ['RG.21.3.1', 'rg2131(1) rg(1) 21(2) 3(3) 1(4)'],
    ['/agents/people/12', 'agentspeople12(1) agents(1) people(2) 12(3)'],
    ['co-operation', 'cooperation(1) co(1) operation(2)'],
    ["O'Neill’s", 'oneills(1) oneill(1) neill(1)'],
    ["d'Arcy", 'darcy(1) arcy(1)'],
    ['1914-1918', '19141918(1) 1914(1) 1918(2)'],
    ['1,200.50', '120050(1) 1(1) 200(2) 50(3)'],
    ['A.I.R.', 'air(1) a(1) i(2) r(3)'],
    ['AT&amp;T', 'att(1) at(1) t(2)'],
    ['Łódź Æther Straße', 'lodz(1) aether(2) strasse(3)'],
    ['32044012345678', '32044012345678(1)'],
    ['שָׁלוֹם', 'שלום(1)'],
    ['مُحَمَّد', 'محمد(1)'],
    ['東京大学', '東(1) 東京(1) 京(2) 京大(2) 大(3) 大学(3) 学(4)'],
    ['한국어 문서', '한국어(1) 문서(2)'],
    ['FA_MSS_133_ER_245', 'famss133er245(1) fa(1) mss(2) 133(3) er(4) 245(5)'],
    ['Йод ёлка', 'йод(1) елка(2)'],
    ['हिन्दी', 'हिन्दी(1)'],
    ['soft\u00adhyphen zero\u200bwidth', 'softhyphen(1) zerowidth(2)'],
    ['<emph render="bold">W</emph>ord<lb/>two', 'word(1) two(2)'],
    ['a-b-c-d-e-f-g', 'a(1) b(2) c(3) d(4) e(5) f(6) g(7)'],
    ['- ... !', ''],
    ['', ''],
  ])('takes %j apart', (text, expected) => {
    expect(lexemes(text)).toBe(expected);
  });

  it('cuts a word at 200 characters', () => {
    expect(analyse('x'.repeat(500)).lexemes).toEqual([{ word: 'x'.repeat(200), position: 0 }]);
  });
});

describe('properties of the analysis', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 80 }),
  );

  it('finds in plain text what the runs of it are', () => {
    const sign = fc.constantFrom(...`aBsZ09'.-/:@&+,#_ "=*(\n`);
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 60 }), (text) => {
        const parts = analyseRuns(text).flatMap((run) =>
          run.parts.map((variants, at) =>
            at === 0 && run.joined !== undefined ? [run.joined, ...variants] : variants,
          ),
        );
        expect(analyse(text)).toEqual({
          lexemes: parts.flatMap((variants, position) => variants.map((word) => ({ word, position }))),
          length: parts.length,
        });
      }),
    );
  });

  it('gives lexemes without blanks, quotes or the sign of prefixes, at rising positions', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { lexemes: found, length } = analyse(text);
        expect(found.every(({ word, position }) => /^[^\s'"=\\]+$/u.test(word) && position < length)).toBe(true);
        expect(found.map(({ position }) => position)).toEqual(
          found.map(({ position }) => position).sort((a, b) => a - b),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('gives runs that do not overlap and lie in the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const run of analyseRuns(text)) {
          expect(run.start).toBeGreaterThanOrEqual(end);
          expect(run.end).toBeGreaterThan(run.start);
          end = run.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        expect(analyse(text.toUpperCase())).toEqual(analyse(text.toLowerCase()));
      }),
    );
  });
});
