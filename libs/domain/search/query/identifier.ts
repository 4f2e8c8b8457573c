// How identifiers are found: by the key that documents have of them, and by their words.
import { noDocument, toKeyLexeme } from '../lexeme.ts';
import { lexemes, matchAny, matchEvery } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { word } from './tsquery.ts';
import { findPattern, findPhrase } from './words.ts';

/** What finds an identifier: its key, however it is punctuated, or its words in sequence. Undefined for a text without a word. */
export function compileIdentifier(text: string): Predicate | undefined {
  const key = toKeyLexeme(text);
  const phrase = findPhrase(text, 0, { prefix: 'i=', inNotes: false });
  return key === undefined || phrase === undefined ? undefined : matchAny([lexemes(word(key)), phrase]);
}

/**
 * What finds identifiers that begin so: their keys. Keys are also those of barcodes and of ref ids, which are random hexadecimal digits: what is
 * so short that many of these begin alike must be among the words of the identifier too.
 */
export function compileIdentifierStart(stem: string): Predicate {
  const key = toKeyLexeme(stem);
  if (key === undefined) return lexemes(word(noDocument));
  const start = lexemes({ kind: 'word', word: key, isPrefix: true });
  if (!/^k=[0-9a-f]{1,3}$/.test(key)) return start;
  const apart = stem.replace(/(\p{N})(?=\p{L})|(\p{L})(?=\p{N})/gu, '$& ');
  const scope = { prefix: 'i=', inNotes: false };
  return matchEvery([
    start,
    matchAny(
      [...new Set([stem, apart])].map((text) => lexemes(findPattern(`${text.replace(/[*?\\]/g, '\\$&')}*`, scope))),
    ),
  ]);
}
