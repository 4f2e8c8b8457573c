// Builds the vector of a document: its words with positions and weights, its keys and exact values, as a PostgreSQL tsvector
// made here and not in the database, which would take `MC.319` for a host name.
import type { PlacedLexeme } from '../../batch-import/copy-binary.ts';
import { everyDocument } from '../lexeme.ts';
import { analyseOnce, analyseShared, lexemeIn } from './lexicon.ts';
import { NeighbourFinder } from './neighbours.ts';

/** The weight of a word: A identifiers, B titles, C other short fields, D notes. */
type Weight = 'A' | 'B' | 'C' | 'D';

/**
 * A text without markup, its weight, and the field prefixes under which its words are stored beside the bare words. `isRepeated`: the
 * document has the text elsewhere already, so that only its field finds it. `isShared`: many documents have this very text.
 */
export type VectorPart = {
  readonly text: string;
  readonly weight: Weight;
  readonly prefixes: readonly string[];
  readonly isRepeated?: boolean;
  readonly isShared?: boolean;
};

/** What a document is found by. `context` words are found but have no place; `marks` are finished lexemes without a place. */
export type VectorInput = {
  readonly parts: readonly VectorPart[];
  readonly context: readonly string[];
  readonly marks: readonly string[];
};

/**
 * A finished vector. `lexemes` has everything; `isHeadPlace` tells which places are of weights A to C, which alone the first round of ranking
 * reads. `length` is the number of the document's own words; `isCut` says that the document was too long and its last words were left out.
 */
export type Vector = { readonly lexemes: readonly PlacedLexeme[]; readonly length: number; readonly isCut: boolean };

/** Whether a place is of weight A, B or C. */
export const isHeadPlace = (place: number): boolean => place > lastPosition;

// A tsvector's own limits: positions up to 16,383, at most 255 of them for a lexeme, and just under 1 MB altogether.
const lastPosition = 16_383;
const mostPositions = 255;
const mostBytes = 1_000_000;
const gap = 20;
const bitsOfPosition = 14;
const weightBits: { readonly [weight in Weight]: number } = {
  A: 3 << bitsOfPosition,
  B: 2 << bitsOfPosition,
  C: 1 << bitsOfPosition,
  D: 0,
};

type Entry = { readonly lexeme: string; places: number[]; isSorted: boolean };

/** Builds the vector of a document. Marks come first and are never cut off; then the parts in the order given. */
export function buildVector(input: VectorInput): Vector {
  const builder = new VectorBuilder();
  for (const mark of [everyDocument, ...input.marks]) {
    builder.add(mark);
  }
  let position = 1;
  let length = 0;
  for (const part of input.parts) {
    const { words, length: taken } = part.isShared === true ? analyseShared(part.text) : analyseOnce(part.text);
    const neighbours = new NeighbourFinder();
    for (const { word, position: place } of words) {
      if (word.isCommon) for (const pair of neighbours.find(word.lexeme, place)) builder.add(pair);
      if (part.isRepeated !== true) builder.add(word.lexeme, position + place, part.weight);
      for (const prefix of part.prefixes) builder.add(lexemeIn(prefix, word), position + place, part.weight);
    }
    length += part.isRepeated === true ? 0 : taken;
    // No phrase spans two values.
    position += taken === 0 ? 0 : taken + gap;
  }
  for (const text of input.context) {
    for (const { word } of analyseShared(text).words) builder.add(word.lexeme);
  }
  return builder.finish(length);
}

class VectorBuilder {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #isCut = false;

  add(lexeme: string, position = 0, weight: Weight = 'D'): void {
    const entry = this.#entries.get(lexeme) ?? this.#open(lexeme);
    if (entry === undefined || position === 0 || position > lastPosition || entry.places.length >= mostPositions) {
      return;
    }
    if (this.#bytes + 2 > mostBytes) {
      this.#isCut = true;
      return;
    }
    this.#bytes += 2;
    const last = entry.places.at(-1) ?? 0;
    entry.isSorted &&= position > (last & lastPosition);
    entry.places.push(position | weightBits[weight]);
  }

  finish(length: number): Vector {
    const lexemes = [...this.#entries.values()];
    for (const entry of lexemes) if (!entry.isSorted) entry.places = inOrder(entry.places);
    return { lexemes, length, isCut: this.#isCut };
  }

  #open(lexeme: string): Entry | undefined {
    // Four bytes for the entry, up to two for its alignment.
    const size = utf8Length(lexeme) + 6;
    if (this.#bytes + size > mostBytes) {
      this.#isCut = true;
      return undefined;
    }
    this.#bytes += size;
    const entry: Entry = { lexeme, places: [], isSorted: true };
    this.#entries.set(lexeme, entry);
    return entry;
  }
}

/** Places by position; of several at one position the weightiest. */
function inOrder(places: readonly number[]): number[] {
  const byPosition = new Map<number, number>();
  for (const place of places)
    byPosition.set(place & lastPosition, Math.max(place, byPosition.get(place & lastPosition) ?? 0));
  return [...byPosition].sort(([a], [b]) => a - b).map(([, place]) => place);
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // The two halves of a surrogate pair are two units and four bytes.
    length += code < 0x80 ? 0 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return length;
}
