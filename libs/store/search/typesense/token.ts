// Lexemes as Typesense keeps them: one word of lower-case ASCII letters and digits each. Typesense takes every text apart by rules of its own
// (it drops symbols, folds case, writes other scripts in Latin); such a word comes out of that as it went in, so both indexes match the same.
import { createHash } from 'node:crypto';

const plain = /^[a-z0-9]{1,40}$/;
// No word of a document that is kept as it is begins with this.
const mark = 'zz';

/** The word for a lexeme or any other text: plain short words as they are, everything else as a digest. */
export function toToken(text: string): string {
  return isPlain(text) ? text : digest(text);
}

/** The word for two neighbours. The length of the first tells where the second begins; a digest for each pair would take most of the time. */
export function toPairToken(left: string, right: string): string {
  return isPlain(left) && isPlain(right) ? `${left.length}x${left}${right}` : digest(`${left} ${right}`);
}

const isPlain = (text: string): boolean => plain.test(text) && !text.startsWith(mark);

const digest = (text: string): string => `${mark}${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;

/** The field that holds lexemes of a prefix (`t=`; empty: bare words). `kind`: single words, or two neighbours. */
export function lexemeField(prefix: string, kind: 'word' | 'pair'): string {
  return `${kind === 'word' ? 'l' : 'p'}_${prefix === '' ? 'all' : prefix.slice(0, -1)}`;
}

/** A lexeme taken apart: its prefix with the sign (`x=`), or empty, and what stands behind. Bare words hold no `=`. */
export function partsOf(lexeme: string): { readonly prefix: string; readonly rest: string } {
  const end = lexeme.indexOf('=') + 1;
  return { prefix: lexeme.slice(0, end), rest: lexeme.slice(end) };
}

/** The fields of words in notes and of neighbours there. */
export const noteFields = { word: 'l_notes', pair: 'p_notes' } as const;

/** The field of the beginnings of identifiers, for patterns with a star at the end. */
export const keyBeginnings = 'k_begins';

/** The longest beginning of an identifier that is indexed. */
export const longestBeginning = 40;

/** The beginnings of a key that a pattern may ask for. */
export function beginningsOf(key: string): readonly string[] {
  const letters = [...key].slice(0, longestBeginning);
  return letters.map((_, index) => letters.slice(0, index + 1).join(''));
}
