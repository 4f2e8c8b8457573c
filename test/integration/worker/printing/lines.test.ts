// From a paragraph to glyphs in their places, and the parts of a file that they become.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#test/support/service.ts';
import { bidi } from '../../../../apps/worker/printing/bidi.ts';
import { createEntries } from '../../../../apps/worker/printing/contents.ts';
import { drawPieces } from '../../../../apps/worker/printing/draw-line.ts';
import type { PrintFont } from '../../../../apps/worker/printing/fonts.ts';
import { createFontChoice, scriptOf } from '../../../../apps/worker/printing/fonts.ts';
import { runsRightToLeft, setParagraph, settable } from '../../../../apps/worker/printing/lines.ts';
import { drawLogo } from '../../../../apps/worker/printing/logo.ts';
import { createPages, leftOf, romanFigures } from '../../../../apps/worker/printing/pages.ts';
import { Raw, decimal, pdfString, reference } from '../../../../apps/worker/printing/pdf-objects.ts';
import { shapeOf } from '../../../../apps/worker/printing/shaping.ts';
import type { Tags } from '../../../../apps/worker/printing/tags.ts';

const fonts = createFontChoice('en');
const setting = { weight: 'regular', size: 10, width: 200 } as const;

function fontFor(character: string): PrintFont {
  const font = fonts.choose(character.codePointAt(0) ?? 0, 'regular', null);
  if (font === null) throw new Error(`no font for ${character}`);
  return font;
}

describe('fonts', () => {
  test('follow the script; what scripts share stays in the font before it', () => {
    expect(['a', 'ж', 'א', 'ب', 'क', '東'].map((letter) => scriptOf(letter.codePointAt(0) ?? 0))).toEqual([
      'Latin',
      'Cyrillic',
      'Hebrew',
      'Arabic',
      'Devanagari',
      'Han',
    ]);
    expect(scriptOf(0x2e)).toBeNull();
    const hebrew = fontFor('א');
    expect(fonts.choose(0x2e, 'regular', hebrew)?.key).toBe(hebrew.key);
    expect(fonts.choose(0x61, 'regular', hebrew)?.key).toBe(fontFor('b').key);
    expect(fonts.choose(0x4e00, 'regular', null) === null).toBe(true);
  });

  test.each([
    ...['א Hebrew', 'ب Arabic', 'ক Bengali', 'ક Gujarati', 'ਕ Gurmukhi', 'ಕ Kannada', 'ക Malayalam', 'କ Oriya'],
    ...['க Tamil', 'క Telugu', 'ක Sinhala', 'ա Armenian', 'ა Georgian', 'አ Ethiopic', 'ก Thai', 'ກ Lao', 'ក Khmer'],
    ...['က Myanmar', 'あ JP', 'カ JP', 'ㄅ SC', '한 KR'],
  ])('of a script are in a package of their own, which is named where it is not installed: %s', (both) => {
    const [letter = '', name = ''] = both.split(' ');
    const character = letter.codePointAt(0) ?? 0;
    const of = `@expo-google-fonts/noto-sans-${name.toLowerCase()}`;
    const choice = createFontChoice('en');
    choice.missing(character);
    expect(choice.lacking()).toEqual([{ script: scriptOf(character), characters: 1, package: of }]);
    const isInstalled = existsSync(join(projectRoot, 'node_modules', of));
    const keys = isInstalled ? [`NotoSans${name}_400Regular`, `NotoSans${name}_700Bold`] : [undefined, undefined];
    expect((['regular', 'bold'] as const).map((weight) => choice.choose(character, weight, null)?.key)).toEqual(keys);
  });

  test('of scripts that no package has are not promised', () => {
    const choice = createFontChoice('en');
    choice.missing('Ꭰ'.codePointAt(0) ?? 0);
    expect(choice.lacking()).toEqual([{ script: 'Cherokee', characters: 1 }]);
  });

  test('of Chinese characters are those of the language of the document', () => {
    const packages = ['zh', 'ja', 'ko'].map((language) => {
      const choice = createFontChoice(language);
      choice.missing(0x6771);
      return choice.lacking()[0]?.package;
    });
    expect(packages.map((name) => name?.slice(-2))).toEqual(['sc', 'jp', 'kr']);
  });
});

test('letters of Arabic are joined: the same one has other forms at the beginning, in the middle, at the end, alone', () => {
  const font = fontFor('ب');
  const forms = shapeOf('ععع', font, true).glyphs.map(({ id }) => id);
  expect(new Set([...forms, ...shapeOf('ع', font, true).glyphs.map(({ id }) => id)]).size).toBe(4);
});

test('a vowel of Devanagari stands before its consonant, and the syllable says itself once', () => {
  const { glyphs, isPlain } = shapeOf('कि', fontFor('क'), false);
  expect(isPlain).toBe(false);
  expect(glyphs.map(({ text }) => text).join('')).toBe('कि');
});

test('brackets are turned around from right to left, and marks stand over their letters without room of their own', () => {
  const font = fontFor('א');
  const [turned] = shapeOf('(', font, true).glyphs;
  expect([turned?.id, turned?.text]).toEqual([font.shaper.nominalGlyph(0x29), bidi.getMirroredCharacter('(')]);
  expect(
    shapeOf('שָׁ'.normalize('NFC'), font, true).glyphs.filter(({ advance }) => advance === 0).length,
  ).toBeGreaterThan(0);
});

describe('lines', () => {
  test('are no wider than asked for, and hold every word once in the order of reading', () => {
    const text = 'one two שלוש ארבע five https://example.org/a/very/long/path/to/somewhere/else '.repeat(6).trim();
    const { lines, isRightToLeft } = setParagraph(text, fonts, setting);
    expect(isRightToLeft).toBe(false);
    expect(lines.length).toBeGreaterThan(5);
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(setting.width);
    const read = lines.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join('');
    expect(read.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  test('have no blanks at their ends; direction marks steer and are not seen', () => {
    const { lines } = setParagraph('a\u200f b\u200e', fonts, setting);
    expect(lines.map(({ pieces }) => pieces.map(({ text }) => text))).toEqual([['a', ' ', 'b']]);
    expect(setParagraph('', fonts, setting).lines).toEqual([]);
    expect(settable(' a\n\tb\u0001 e\u0301\ud800 ')).toBe('a b é\ufffd');
    expect(['(א', '1 a א', '12'].map(runsRightToLeft)).toEqual([true, false, false]);
  });

  test('stand at their side', () => {
    const line = { pieces: [], width: 50 };
    const place = { left: 10, width: 100 };
    expect((['left', 'right', 'center'] as const).map((side) => leftOf(line, place, side))).toEqual([10, 60, 35]);
  });
});

test('entries of the contents stay in bounds: the deepest go first', () => {
  const entries = createEntries(4);
  const on = { id: 1, data: {}, end: () => undefined };
  for (const depth of [0, 1, 2, 3, 3, 1, 2, 1, 1]) entries.add({ text: '', depth, page: 1, top: 0, on });
  expect(entries.all.map(({ depth }) => depth)).toEqual([0, 1, 1, 1]);
});

test('figures, numbers and strings are as PDF has them', () => {
  expect([1, 4, 9, 14, 99, 240].map(romanFigures)).toEqual(['i', 'iv', 'ix', 'xiv', 'xcix', 'ccxl']);
  expect([decimal(1 / 3), decimal(-0.001), pdfString('ž'), String(reference(7)), new Raw('/X').toString()]).toEqual([
    '0.33',
    '0',
    '<feff017e>',
    '7 0 R',
    '/X',
  ]);
});

test('elements that are set later stand where their place was kept', async () => {
  const pages = createPages({ title: 'T', language: 'en', compress: false }, fonts);
  pages.add(null);
  pages.tags.open('H1');
  pages.tags.close();
  const place: ReturnType<Tags['place']> = pages.tags.place();
  pages.tags.open('P');
  const [line] = setParagraph('text', fonts, setting).lines;
  pages.tags.content(() => drawPieces(pages.inner, line?.pieces ?? [], { left: 10, baseline: 10, size: 10 }));
  pages.tags.close();
  pages.tags.openAt(place, 'TOC');
  pages.tags.close();
  expect(() => pages.tags.close()).toThrow('no element is open');
  expect(drawLogo(pages, Buffer.from('none'))).toBe(false);
  await pages.end();
  const file = Buffer.from(pages.take()).toString('latin1');
  const kids = /\/S \/Document\n\/P \d+ 0 R\n\/K \[(\d+) 0 R (\d+) 0 R (\d+) 0 R\]/.exec(file)?.slice(1) ?? [];
  const types = kids.map((id) => new RegExp(`\\n${id} 0 obj\\n<<\\n/S /(\\w+)`).exec(file)?.[1]);
  expect(types).toEqual(['H1', 'TOC', 'P']);
});
