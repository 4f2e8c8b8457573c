// What a document is found by, taken from its tsvector literal: words by field, neighbours for phrases, words of notes, of titles.
// The vector is the one that PostgreSQL searches, so both indexes agree on every word and every place.
import { beginningsOf, keyBeginnings, lexemeField, noteFields, pairOf, partsOf, toToken } from './token.ts';

/** A place of a word in a document and its weight. */
type Place = { readonly at: number; readonly weight: string };

const entry = /'((?:[^'\\]|''|\\\\)*)'(?::([\dABCD,]+))?/g;

/** The lexemes of a tsvector literal with their places; without any where the vector has none. */
export function readVector(tsv: string): ReadonlyMap<string, readonly Place[]> {
  const lexemes = new Map<string, readonly Place[]>();
  for (const [, quoted = '', places] of tsv.matchAll(entry)) {
    lexemes.set(quoted.replace(/''|\\\\/g, (two) => two.slice(1)), places === undefined ? [] : places.split(',').map(toPlace));
  }
  return lexemes;
}

function toPlace(text: string): Place {
  const weight = /[ABC]$/.exec(text)?.[0] ?? 'D';
  return { at: Number.parseInt(text, 10), weight };
}

/** The array fields of a document: tokens by field, each once. */
export function toLexemeFields(tsv: string): { readonly [field: string]: readonly string[] } {
  const vector = readVector(tsv);
  const fields = new Map<string, Set<string>>();
  const add = (field: string, text: string): void => void (fields.get(field) ?? fields.set(field, new Set()).get(field))?.add(toToken(text));
  const byPrefix = new Map<string, Map<number, { readonly rest: string; readonly weight: string }[]>>();
  for (const [lexeme, places] of vector) {
    const { prefix, rest } = partsOf(lexeme);
    add(lexemeField(prefix, 'word'), rest);
    if (prefix === 'k=') for (const beginning of beginningsOf(rest)) add(keyBeginnings, beginning);
    if (prefix === '') for (const { weight } of places) addByWeight(weight, rest, add);
    const here = byPrefix.get(prefix) ?? new Map<number, { rest: string; weight: string }[]>();
    for (const { at, weight } of places) here.set(at, [...(here.get(at) ?? []), { rest, weight }]);
    byPrefix.set(prefix, here);
  }
  for (const [prefix, placed] of byPrefix) addPairs(prefix, placed, add);
  return Object.fromEntries([...fields].map(([field, tokens]) => [field, [...tokens]]));
}

/** The words of identifiers and titles, those of all short fields, and those of notes: what ranking and `notes:` ask for. */
function addByWeight(weight: string, word: string, add: (field: string, text: string) => void): void {
  if (weight === 'D') add(noteFields.word, word);
  else add('w_short', word);
  if (weight === 'A' || weight === 'B') add('w_title', word);
}

function addPairs(prefix: string, placed: ReadonlyMap<number, readonly { readonly rest: string; readonly weight: string }[]>, add: (field: string, text: string) => void): void {
  for (const [at, lefts] of placed) {
    for (const right of placed.get(at + 1) ?? []) {
      for (const left of lefts) {
        add(lexemeField(prefix, 'pair'), pairOf(left.rest, right.rest));
        if (prefix === '' && left.weight === 'D' && right.weight === 'D') add(noteFields.pair, pairOf(left.rest, right.rest));
      }
    }
  }
}
