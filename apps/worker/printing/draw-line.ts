// A line of glyphs as content of a page. Pieces are written in the order of reading, each at its place; glyphs of a piece stand from left to right,
// as readers of PDF expect them. What copying, searching and hearing give is what was written: each glyph says its letters, and words from left
// to right that do not read glyph by glyph (vowels before their consonants) carry their text.
import type { LinePiece, SetLine } from './lines.ts';
import type { PrintFont } from './fonts.ts';
import type { PlacedGlyph } from './shaping.ts';
import type { Inner } from './pdf-objects.ts';
import { decimal, pdfString } from './pdf-objects.ts';

/** Where a line stands: its left end and its baseline, in points from the upper left corner of the page. */
export type LinePlace = { readonly left: number; readonly baseline: number; readonly size: number };

/** Draws a part of a line, or all of it; `colour` is one of three parts from 0 to 1. */
export function drawPieces(
  document: Inner,
  pieces: SetLine['pieces'],
  { left, baseline, size }: LinePlace,
  colour = '0 0 0',
): void {
  let content = `BT ${colour} rg`;
  for (const group of groupsOf(pieces)) {
    const isPlain = group.every(readsByGlyphs);
    if (!isPlain) content += ` /Span <</ActualText ${pdfString(group.map(({ text }) => text).join(''))}>> BDC`;
    for (const piece of isPlain ? joined(group) : group.map((each) => [each]))
      content += shown(document, piece, left, baseline, size);
    if (!isPlain) content += ' EMC';
  }
  document.addContent(`${content} ET`);
}

/** Readers turn around what runs from right to left by the letters of its glyphs; a text beside them they would turn around once more. */
const readsByGlyphs = ({ shape, level, isMissing }: LinePiece): boolean =>
  !isMissing && (shape.isPlain || (level & 1) === 1);

/** Pieces that read the same way, one after the other. */
function groupsOf(pieces: readonly LinePiece[]): readonly (readonly LinePiece[])[] {
  const groups: LinePiece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1)?.at(-1);
    const isSame = last !== undefined && last.level === piece.level && readsByGlyphs(last) === readsByGlyphs(piece);
    if (isSame) groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

/** Pieces of one font that stand right behind each other, together. */
function joined(pieces: readonly LinePiece[]): readonly (readonly LinePiece[])[] {
  const runs: LinePiece[][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1)?.at(-1);
    if (last?.font === piece.font && Math.abs(last.x + last.width - piece.x) < 0.01) runs.at(-1)?.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

function shown(document: Inner, pieces: readonly LinePiece[], left: number, baseline: number, size: number): string {
  const [first] = pieces;
  if (first === undefined) return '';
  const font = embedded(document, first.font);
  document.page.fonts[font.id] ??= font.ref();
  let content = ` /${font.id} ${size} Tf 1 0 0 -1 ${decimal(left + first.x)} ${decimal(baseline)} Tm`;
  let run = '';
  let hex = '';
  let behind = 0;
  let rise = 0;
  const move = (by: number): void => {
    behind += by;
  };
  const flushHex = (): void => {
    if (hex !== '') run += `<${hex}>`;
    hex = '';
  };
  const flush = (): void => {
    flushHex();
    if (run !== '') content += ` [${run}] TJ`;
    run = '';
  };
  for (const { shape } of pieces) {
    for (const glyph of shape.glyphs) {
      const id = numberOf(font, glyph);
      const width = (font.widths[id] ??= font.font.getGlyph(glyph.id).advanceWidth * font.scale);
      if (Math.abs(glyph.up - rise) > 0.01) {
        flush();
        rise = glyph.up;
        content += ` ${decimal((rise * size) / 1000)} Ts`;
      }
      move(glyph.right);
      if (Math.abs(behind) >= 0.5) {
        flushHex();
        run += decimal(-behind);
        behind = 0;
      }
      hex += `0000${id.toString(16)}`.slice(-4);
      move(glyph.advance - glyph.right - width);
    }
  }
  flush();
  return rise === 0 ? content : `${content} 0 Ts`;
}

// A glyph has one number for each thing that it says: dotless letters of Arabic are those of several letters.
const numbers = new WeakMap<Inner['_font'], Map<string, number>>();

function numberOf(font: Inner['_font'], { id, text }: PlacedGlyph): number {
  let known = numbers.get(font);
  if (known === undefined) numbers.set(font, (known = new Map()));
  const key = `${id} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const number = font.subset.glyphs.push(id) - 1;
  font.unicode[number] = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  known.set(key, number);
  return number;
}

function embedded(document: Inner, font: PrintFont): Inner['_font'] {
  document.registerFont(font.key, font.bytes as never);
  document.font(font.key);
  return document._font;
}
