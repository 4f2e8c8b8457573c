// Paragraphs as lines: broken where the text allows it (UAX #14) in the order of reading, then each line put in the order of seeing (UAX #9).
import LineBreaker from 'linebreak';
import { bidi } from './bidi.ts';
import type { FontChoice, PrintFont, Weight } from './fonts.ts';
import { scriptOf } from './fonts.ts';
import type { Shape } from './shaping.ts';
import { shapeOf } from './shaping.ts';

/** A part of a line in one font and one direction. `x` counts from the left end of the line, in points; `from` is its place in the paragraph. */
export type LinePiece = {
  readonly text: string;
  readonly from: number;
  readonly font: PrintFont;
  readonly shape: Shape;
  readonly level: number;
  readonly isMissing: boolean;
  readonly x: number;
  readonly width: number;
};

/** A line: its pieces in the order of reading, and how wide it is in points. */
export type SetLine = { readonly pieces: readonly LinePiece[]; readonly width: number };

/** A paragraph in lines. `text` is what they show, without what only steers direction; whether it runs from right to left. */
export type SetParagraph = { readonly lines: readonly SetLine[]; readonly isRightToLeft: boolean };

/** How a paragraph is set: `size` and `width` in points. */
export type Setting = { readonly weight: Weight; readonly size: number; readonly width: number };

type Piece = Omit<LinePiece, 'x'> & { readonly isSpace: boolean };

// Direction marks and what has no shape at all; joiners are no part of it, since they change shapes.
const shapeless = /^[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/;
const dependent = /^[\p{M}\u200c\u200d]/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
// Stands for what no font has; readers of the text still get what is meant.
const box = '□';

/** The text as it is set: composed, without control characters, runs of white space as one blank. */
export const settable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\u0085]+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();

/** Whether a text runs from right to left: its first strong character decides. */
export const runsRightToLeft = (text: string): boolean =>
  ((bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) & 1) === 1;

/** Sets a text (see `settable`) in lines. One that is empty has none. */
export function setParagraph(text: string, fonts: FontChoice, setting: Setting): SetParagraph {
  if (text === '') return { lines: [], isRightToLeft: false };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const baseLevel = paragraphs[0]?.level ?? 0;
  const pieces = piecesOf(text, levels, fonts, setting);
  const breaks = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let at = breaker.nextBreak(); at !== null; at = breaker.nextBreak()) breaks.add(at.position);
  const lines: SetLine[] = [];
  let line: Piece[] = [];
  let lineWidth = 0;
  let word: Piece[] = [];
  const endLine = (): void => {
    while (line.at(-1)?.isSpace === true) line.pop();
    if (line.length > 0) lines.push(arranged(line, baseLevel));
    line = [];
    lineWidth = 0;
  };
  const add = (piece: Piece): void => {
    line.push(piece);
    lineWidth += piece.width;
  };
  const endWord = (): void => {
    const visible = word.reduce((sum, { isSpace, width }) => (isSpace ? sum : sum + width), 0);
    if (lineWidth > 0 && lineWidth + visible > setting.width) endLine();
    if (visible <= setting.width) word.forEach(add);
    else
      for (const piece of word.flatMap((each) => parted(each, setting))) {
        if (lineWidth > 0 && lineWidth + piece.width > setting.width) endLine();
        add(piece);
      }
    word = [];
  };
  const cut = splitAt(pieces, breaks, setting);
  for (const [index, piece] of cut.entries()) {
    // White space at the beginning of a line is what a break left over.
    if (piece.isSpace && line.length + word.length === 0) continue;
    word.push(piece);
    // Characters without a shape may stand between a piece and the place to break.
    const next = cut[index + 1]?.from ?? text.length;
    for (let at = piece.from + piece.text.length; at <= next; at++) {
      if (!breaks.has(at)) continue;
      endWord();
      break;
    }
  }
  endWord();
  endLine();
  return { lines, isRightToLeft: (baseLevel & 1) === 1 };
}

/** Cuts the text where font, script or direction change, and around blanks. */
function piecesOf(text: string, levels: Uint8Array, fonts: FontChoice, setting: Setting): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let run = '';
  let font: PrintFont | null = null;
  let script: string | null = null;
  let level = 0;
  const flush = (): void => {
    if (run !== '' && font !== null) pieces.push(piece(run, from, font, level, setting.size, false));
    run = '';
  };
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    const here = levels[at] ?? 0;
    const start = at;
    at += character.length;
    if (shapeless.test(character)) {
      flush();
      continue;
    }
    if (run !== '' && here === level && dependent.test(character) && isShown(font, code)) {
      run += character;
      continue;
    }
    const chosen = fonts.choose(code, setting.weight, font);
    const own = scriptOf(code);
    if (chosen === null) {
      flush();
      pieces.push(...boxFor(character, start, here, fonts, setting));
      continue;
    }
    const changes: boolean = chosen !== font || here !== level || differ(own, script) || character === ' ';
    if (changes) flush();
    if (run === '') from = start;
    if (changes || own !== null) script = own ?? (changes ? null : script);
    font = chosen;
    level = here;
    run += character;
    if (character === ' ') flush();
  }
  flush();
  return pieces;
}

const differ = (own: string | null, script: string | null): boolean =>
  own !== null && script !== null && own !== script;

/** What stands for a character without a font. */
function boxFor(character: string, from: number, level: number, fonts: FontChoice, setting: Setting): readonly Piece[] {
  fonts.missing(character.codePointAt(0) ?? 0);
  const font = fonts.choose(box.codePointAt(0) ?? 0, setting.weight, null);
  return font === null ? [] : [{ ...piece(box, from, font, level, setting.size, true), text: character }];
}

const isShown = (font: PrintFont | null, code: number): boolean =>
  code === 0x200c || code === 0x200d || font?.characters.has(code) === true;

function piece(text: string, from: number, font: PrintFont, level: number, size: number, isMissing: boolean): Piece {
  const shape = shapeOf(text, font, (level & 1) === 1);
  const width = (shape.width * size) / 1000;
  return { text, from, font, shape, level, isMissing, width, isSpace: text === ' ' };
}

/** Pieces cut at the places where a line may end. */
function splitAt(pieces: readonly Piece[], breaks: ReadonlySet<number>, { size }: Setting): readonly Piece[] {
  return pieces.flatMap((each) => {
    const cuts: number[] = [];
    for (let at = 1; at < each.text.length; at++) if (breaks.has(each.from + at)) cuts.push(at);
    if (cuts.length === 0) return [each];
    return [0, ...cuts].map((start, index) =>
      piece(each.text.slice(start, cuts[index]), each.from + start, each.font, each.level, size, false),
    );
  });
}

/** A word that is longer than a line, in letters. */
function parted(each: Piece, { size, width }: Setting): readonly Piece[] {
  if (each.width <= width || each.isMissing) return [each];
  return [...graphemes.segment(each.text)].map(({ segment, index }) =>
    piece(segment, each.from + index, each.font, each.level, size, false),
  );
}

/** Gives each piece its place: from the highest level down, what is as high or higher is turned around (UAX #9, L2). */
function arranged(line: readonly Piece[], baseLevel: number): SetLine {
  const seen = [...line];
  const highest = Math.max(baseLevel, ...line.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < seen.length; start++) {
      if ((seen[start]?.level ?? 0) < level) continue;
      let end = start;
      while ((seen[end + 1]?.level ?? -1) >= level) end += 1;
      seen.splice(start, end - start + 1, ...seen.slice(start, end + 1).toReversed());
      start = end;
    }
  }
  const places = new Map<Piece, number>();
  let width = 0;
  for (const each of seen) {
    places.set(each, width);
    width += each.width;
  }
  return { pieces: line.map((each) => ({ ...each, x: places.get(each) ?? 0 })), width };
}
