// What a document is found by, taken from its tsvector literal: words by field, neighbours for phrases, words of notes, of titles.
// The vector is the one that PostgreSQL searches, so both indexes agree on every word and every place.
import { isNeighbours } from '#domain/search/documents/neighbours.ts';
import { beginningsOf, keyBeginnings, lexemeField, noteFields, partsOf, toPairToken, toToken } from './token.ts';

/** A place of a word in a document and its weight. */
type Place = { readonly at: number; readonly weight: string };

const entry = /'((?:[^'\\]|''|\\\\)*)'(?::([\dABCD,]+))?/g;

/** The lexemes of a tsvector literal with their places; without any where the vector has none. */
export function readVector(tsv: string): ReadonlyMap<string, readonly Place[]> {
  const lexemes = new Map<string, readonly Place[]>();
  for (const [, quoted = '', places] of tsv.matchAll(entry)) {
    lexemes.set(
      quoted.replace(/''|\\\\/g, (two) => two.slice(1)),
      places === undefined ? [] : places.split(',').map(toPlace),
    );
  }
  return lexemes;
}

function toPlace(text: string): Place {
  const weight = /[ABC]$/.exec(text)?.[0] ?? 'D';
  return { at: Number.parseInt(text, 10), weight };
}

type Placed = { readonly rest: string; readonly weight: string };

/** Gathers tokens by field, each once. */
class TokenFields {
  readonly #fields = new Map<string, Set<string>>();

  add(field: string, token: string): void {
    const tokens = this.#fields.get(field);
    if (tokens === undefined) this.#fields.set(field, new Set([token]));
    else tokens.add(token);
  }

  finish(): { readonly [field: string]: readonly string[] } {
    return Object.fromEntries([...this.#fields].map(([field, tokens]) => [field, [...tokens]]));
  }
}

/** The array fields of a document: tokens by field, each once. */
export function toLexemeFields(tsv: string): { readonly [field: string]: readonly string[] } {
  const fields = new TokenFields();
  const byPrefix = new Map<string, Map<number, Placed[]>>();
  for (const [lexeme, places] of readVector(tsv)) {
    // All neighbours are made here, from their places.
    if (isNeighbours(lexeme)) continue;
    const { prefix, rest } = partsOf(lexeme);
    const token = toToken(rest);
    fields.add(lexemeField(prefix, 'word'), token);
    if (prefix === 'k=') for (const beginning of beginningsOf(rest)) fields.add(keyBeginnings, toToken(beginning));
    if (prefix === '') for (const { weight } of places) addByWeight(fields, weight, token);
    const placed = byPrefix.get(prefix) ?? new Map<number, Placed[]>();
    for (const { at, weight } of places) {
      const here = placed.get(at);
      if (here === undefined) placed.set(at, [{ rest, weight }]);
      else here.push({ rest, weight });
    }
    byPrefix.set(prefix, placed);
  }
  for (const [prefix, placed] of byPrefix) addPairs(fields, prefix, placed);
  return fields.finish();
}

/** The words of identifiers and titles, those of all short fields, and those of notes: what ranking and `notes:` ask for. */
function addByWeight(fields: TokenFields, weight: string, token: string): void {
  fields.add(weight === 'D' ? noteFields.word : 'w_short', token);
  if (weight === 'A' || weight === 'B') fields.add('w_title', token);
}

function addPairs(fields: TokenFields, prefix: string, placed: ReadonlyMap<number, readonly Placed[]>): void {
  const field = lexemeField(prefix, 'pair');
  for (const [at, lefts] of placed) {
    for (const right of placed.get(at + 1) ?? []) {
      for (const left of lefts) {
        const pair = toPairToken(left.rest, right.rest);
        fields.add(field, pair);
        if (prefix === '' && left.weight === 'D' && right.weight === 'D') fields.add(noteFields.pair, pair);
      }
    }
  }
}
