// Vectors of search documents in the order of their words, to be read and kept: what stands where, under which fields, with which weight.
import type { Vector } from '#domain/search/documents/vector.ts';

const weights = ['D', 'C', 'B', 'A'];

/** The words of each text of a document as a line, with its weight and the position of the first; words that stand at one place are parted by slashes. Then what has no place. */
export function readVector({ lexemes, length, isCut }: Vector) {
  const places = new Map<number, { weight: string; words: string[] }>();
  const marks: string[] = [];
  for (const { lexeme, places: own } of lexemes) {
    if (own.length === 0) marks.push(lexeme);
    for (const place of own) {
      const at = places.get(place & 0x3fff) ?? { weight: weights[place >> 14] ?? '', words: [] };
      at.words.push(lexeme);
      places.set(place & 0x3fff, at);
    }
  }
  const lines: string[] = [];
  let before = -1;
  for (const [position, { weight, words }] of [...places].sort(([a], [b]) => a - b)) {
    const text = words.join('/');
    // Texts are parted by gaps (vector.ts); words that are parted by punctuation may leave a place out.
    if (before < 0 || position - before > 10) lines.push(`${weight} ${position}: ${text}`);
    else lines.push(`${lines.pop() ?? ''} ${text}`);
    before = position;
  }
  return { lines, marks, length, isCut };
}
