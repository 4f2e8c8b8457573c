// Words as glyphs: HarfBuzz chooses and places them (ligatures, joined letters, marks, reordered vowels), in the order in which they stand from
// left to right. Words come again and again, so shapes are kept, some of them.
import { Buffer as ShapeBuffer, Direction, shape } from 'harfbuzzjs';
import { bidi } from './bidi.ts';
import type { PrintFont } from './fonts.ts';

/** A glyph with its place; all lengths in thousandths of the size of the font. `text`: what it says. */
export type PlacedGlyph = {
  readonly id: number;
  readonly advance: number;
  readonly right: number;
  readonly up: number;
  readonly text: string;
};

/** A word as glyphs from left to right. `isPlain`: each glyph shows one letter, in the order of the text. */
export type Shape = { readonly glyphs: readonly PlacedGlyph[]; readonly width: number; readonly isPlain: boolean };

const mostKept = 20_000;
const longestKept = 40;
let kept = new Map<string, Shape>();
let buffer: ShapeBuffer | undefined;

/** Shapes a text of one script, one font and one direction. */
export function shapeOf(text: string, font: PrintFont, isRightToLeft: boolean): Shape {
  const key = `${font.key} ${isRightToLeft ? 'r' : 'l'}${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = shaped(text, font, isRightToLeft);
  if (text.length <= longestKept) {
    // Cheaper than to know which are old: what is used is soon there again.
    if (kept.size >= mostKept) kept = new Map();
    kept.set(key, made);
  }
  return made;
}

function shaped(text: string, font: PrintFont, isRightToLeft: boolean): Shape {
  buffer ??= new ShapeBuffer();
  buffer.reset();
  buffer.addText(text);
  buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
  buffer.guessSegmentProperties();
  shape(font.shaper, buffer);
  const infos = buffer.getGlyphInfosAndPositions();
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
  const endOf = new Map(starts.map((start, index) => [start, starts[index + 1] ?? text.length]));
  const counts = new Map<number, number>();
  for (const { cluster } of infos) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  const texts = textsOf(infos, text, endOf, font);
  let width = 0;
  let isPlain = !isRightToLeft;
  const glyphs = infos.map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }, index): PlacedGlyph => {
    if (counts.get(cluster) !== 1) isPlain = false;
    width += xAdvance * font.scale;
    return {
      id: codepoint,
      advance: xAdvance * font.scale,
      right: xOffset * font.scale,
      up: yOffset * font.scale,
      text: texts[index] ?? '',
    };
  });
  return { glyphs, width, isPlain };
}

type Info = { readonly codepoint: number; readonly cluster: number; readonly xAdvance?: number };

/**
 * What each glyph says: all letters of its cluster where it is the only one; else each its own letter where it has one (a letter and its
 * points); else the widest says it all and the others nothing (a letter and its dots, a vowel that stands before its consonant).
 */
function textsOf(
  infos: readonly Info[],
  text: string,
  endOf: ReadonlyMap<number, number>,
  font: PrintFont,
): readonly string[] {
  const texts = infos.map(() => '');
  for (const [start, end] of endOf) {
    const letters = text.slice(start, end);
    const members = infos.flatMap((info, index) => (info.cluster === start ? [{ info, index }] : []));
    const own = members.map(
      ({ info }) =>
        [...letters].find((letter) => font.shaper.nominalGlyph(letter.codePointAt(0) ?? 0) === info.codepoint) ?? '',
    );
    const isComplete =
      [...letters].length === members.length && new Set(own).size === members.length && !own.includes('');
    const widest = members.reduce(
      (found, each) => ((each.info.xAdvance ?? 0) > (found?.info.xAdvance ?? -1) ? each : found),
      members[0],
    );
    for (const [place, { info, index }] of members.entries()) {
      const says = isComplete ? (own[place] ?? '') : index === widest?.index ? letters : '';
      // A bracket that is turned around is the other one to readers, who turn it back.
      const mirrored = bidi.getMirroredCharacter(says);
      const isTurned = mirrored !== null && font.shaper.nominalGlyph(mirrored.codePointAt(0) ?? 0) === info.codepoint;
      texts[index] = isTurned ? mirrored : says;
    }
  }
  return texts;
}
