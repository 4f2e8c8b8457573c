// Builds the vectors of a document: its words with positions and weights, its keys and exact values, as PostgreSQL tsvector
// literals made here and not in the database, which would take `MC.319` for a host name (design: search.md sections 1 and 2).
import { analyse } from '../text/analyse.ts';
import { everyDocument } from './lexeme.ts';
import { isNeighbours, NeighbourFinder } from './neighbours.ts';

/** The weight of a word: A identifiers, B titles, C other short fields, D notes. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/**
 * A text without markup, its weight, and the field prefixes under which its words are stored beside the bare words. `isRepeated`: the
 * document has the text elsewhere already, so that only its field finds it.
 */
export type VectorPart = { readonly text: string; readonly weight: Weight; readonly prefixes: readonly string[]; readonly isRepeated?: boolean };

/** What a document is found by. `context` words are found but have no place; `marks` are finished lexemes without a place. */
export type VectorInput = { readonly parts: readonly VectorPart[]; readonly context: readonly string[]; readonly marks: readonly string[] };

/**
 * Finished vectors. `tsv` holds everything, `head` the words of weights A to C alone, for the first round of ranking.
 * `length` is the number of the document's own words; `lexemes` lists what the index's word list counts (all but keys and neighbours);
 * `isCut` says that the document was too long and its last words were left out.
 */
export type Vectors = {
  readonly tsv: string;
  readonly head: string;
  readonly length: number;
  readonly lexemes: readonly string[];
  readonly isCut: boolean;
};

// A tsvector's own limits: positions up to 16,383, at most 255 of them for a lexeme, and just under 1 MB altogether.
const lastPosition = 16_383;
const mostPositions = 255;
const mostBytes = 1_000_000;
const gap = 20;
const special = /['\\]/;

type Entry = { positions: string; count: number; headPositions: string };

/** Builds the vectors of a document. Marks come first and are never cut off; then the parts in the order given. */
export function buildVectors(input: VectorInput): Vectors {
  const builder = new VectorBuilder();
  for (const mark of [everyDocument, ...input.marks]) {
    builder.add(mark);
  }
  let position = 1;
  let length = 0;
  for (const part of input.parts) {
    const { lexemes, length: taken } = analyse(part.text);
    const neighbours = new NeighbourFinder();
    for (const lexeme of lexemes) {
      for (const pair of neighbours.find(lexeme.word, lexeme.position)) builder.add(pair);
      if (part.isRepeated !== true) builder.add(lexeme.word, position + lexeme.position, part.weight);
      for (const prefix of part.prefixes) {
        builder.add(prefix + lexeme.word, position + lexeme.position, part.weight);
      }
    }
    length += part.isRepeated === true ? 0 : taken;
    // No phrase spans two values.
    position += taken === 0 ? 0 : taken + gap;
  }
  for (const text of input.context) {
    for (const { word } of analyse(text).lexemes) {
      builder.add(word);
    }
  }
  return builder.finish(length);
}

class VectorBuilder {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #isCut = false;

  add(lexeme: string, position = 0, weight: Weight = 'D'): void {
    const entry = this.#entries.get(lexeme) ?? this.#open(lexeme);
    if (entry === undefined || position === 0 || position > lastPosition || entry.count >= mostPositions) {
      return;
    }
    if (this.#bytes + 2 > mostBytes) {
      this.#isCut = true;
      return;
    }
    this.#bytes += 2;
    entry.count += 1;
    const place = `${entry.positions === '' ? '' : ','}${position}${weight === 'D' ? '' : weight}`;
    entry.positions += place;
    if (weight !== 'D') {
      entry.headPositions += `${entry.headPositions === '' ? '' : ','}${position}${weight}`;
    }
  }

  finish(length: number): Vectors {
    const tsv: string[] = [];
    const head: string[] = [];
    const lexemes: string[] = [];
    for (const [lexeme, { positions, headPositions }] of this.#entries) {
      const quoted = special.test(lexeme) ? `'${lexeme.replace(/['\\]/g, '$&$&')}'` : `'${lexeme}'`;
      tsv.push(positions === '' ? quoted : `${quoted}:${positions}`);
      if (headPositions !== '') {
        head.push(`${quoted}:${headPositions}`);
      }
      if (!lexeme.startsWith('k=') && !isNeighbours(lexeme)) {
        lexemes.push(lexeme);
      }
    }
    return { tsv: tsv.join(' '), head: head.join(' '), length, lexemes, isCut: this.#isCut };
  }

  #open(lexeme: string): Entry | undefined {
    // Four bytes for the entry, up to two for its alignment.
    const size = utf8Length(lexeme) + 6;
    if (this.#bytes + size > mostBytes) {
      this.#isCut = true;
      return undefined;
    }
    this.#bytes += size;
    const entry: Entry = { positions: '', count: 0, headPositions: '' };
    this.#entries.set(lexeme, entry);
    return entry;
  }
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
