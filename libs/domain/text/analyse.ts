// The analysis of text into lexemes: one function for documents, queries and highlighting, so that they cannot disagree.
// No stemming, no stop words: as the interface's clients know it, and one index serves every language. Forms of words are found by the query
// (../search/query/stemming.ts).
import { fold, isAscii } from './fold.ts';

const longestWord = 200;
const longestJoin = 64;
const mostJoinedParts = 6;

/**
 * A run: letters and digits glued by inner punctuation (`MS.2011-04/7`, `O'Neill’s`), or a stretch of a script without
 * blanks. `parts` take one position each; the first variant of a part is how it was written, the others are found as well.
 * `joined` is the run written together, at the first position. In a run of `isPairs` a part is a character, then the pair
 * that begins with it. `start` and `end` are UTF-16 offsets in the analysed text.
 */
export type Run = {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly (readonly string[])[];
  readonly joined?: string;
  readonly isPairs: boolean;
};

/** A word of the index and its place, counted from 0. */
export type Lexeme = { readonly word: string; readonly position: number };

const asciiRun = /[a-z0-9]+(?:['.\-/:@&+,#_][a-z0-9]+)*/gi;
const plainWord = /^[a-z0-9]+$/i;
const cjk =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
// Combining marks and invisible joiners stay inside the word; fold drops those that do not matter.
const letter = `[[\\p{L}\\p{N}\\p{M}\\u200b-\\u200f\\u00ad\\u2060\\ufeff]--[${cjk}\\u02bb\\u02bc]]`;
const anyRun = new RegExp(`[${cjk}]+|${letter}+(?:['’‘ʻʼ.\\-‐‑–\\/:@&+,#·_⁄]${letter}+)*`, 'gv');
const cjkStart = new RegExp(`^[${cjk}]`, 'v');
const glue = /[.\-‐‑–/:@&+,#·_⁄\s]/u;
const apostrophe = /['’‘ʻʼ]/u;

/** The runs of a text without markup (see mixed-content.ts), in order. Never throws. */
export function analyseRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const found of text.matchAll(isAscii(text) ? asciiRun : anyRun)) {
    const [written] = found;
    // Most words are plain ones: this shortcut halves the time.
    if (plainWord.test(written)) {
      runs.push({
        start: found.index,
        end: found.index + written.length,
        parts: [[cut(written.toLowerCase())]],
        isPairs: false,
      });
      continue;
    }
    const parts = cjkStart.test(written) ? toPairs(written) : toParts(written);
    if (parts.length === 0) {
      continue;
    }
    const isPairs = cjkStart.test(written);
    const joined = isPairs ? undefined : join(parts);
    runs.push({
      start: found.index,
      end: found.index + written.length,
      parts,
      isPairs,
      ...(joined === undefined ? {} : { joined }),
    });
  }
  return runs;
}

/** The lexemes that a document holds for a text, with positions from 0, and the number of positions it takes. */
export function analyse(text: string): { readonly lexemes: readonly Lexeme[]; readonly length: number } {
  return isAscii(text) ? analyseAscii(text) : analyseAny(text);
}

function analyseAny(text: string): ReturnType<typeof analyse> {
  const lexemes: Lexeme[] = [];
  let position = 0;
  for (const { joined, parts } of analyseRuns(text)) position = addParts(lexemes, parts, joined, position);
  return { lexemes, length: position };
}

/** The same without a run, an array or a match for each plain word, which nearly all words of most texts are: documents are made of a hundred of them. */
function analyseAscii(text: string): ReturnType<typeof analyse> {
  const lexemes: Lexeme[] = [];
  const lower = text.toLowerCase();
  let position = 0;
  for (let at = 0; at < lower.length;) {
    const start = at;
    while (isAsciiLetter(lower.charCodeAt(at))) at += 1;
    if (at === start) {
      at += 1;
      continue;
    }
    const plainEnd = at;
    while (isAsciiGlue(lower.charCodeAt(at)) && isAsciiLetter(lower.charCodeAt(at + 1))) {
      at += 1;
      while (isAsciiLetter(lower.charCodeAt(at))) at += 1;
    }
    if (at === plainEnd) {
      lexemes.push({ word: cut(lower.slice(start, at)), position });
      position += 1;
    } else {
      const parts = toParts(lower.slice(start, at));
      position = addParts(lexemes, parts, join(parts), position);
    }
  }
  return { lexemes, length: position };
}

/** Adds the lexemes of a run that begins at a position. Gives the position behind it. */
function addParts(lexemes: Lexeme[], parts: Run['parts'], joined: string | undefined, from: number): number {
  if (joined !== undefined) lexemes.push({ word: joined, position: from });
  let position = from;
  for (const variants of parts) {
    for (const word of variants) lexemes.push({ word, position });
    position += 1;
  }
  return position;
}

// As `asciiRun` has them. What is behind the end of a text has the code NaN, which is neither.
const isAsciiLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
const glueCodes: ReadonlySet<number> = new Set([...`'.-/:@&+,#_`].map((sign) => sign.charCodeAt(0)));
const isAsciiGlue = (code: number): boolean => glueCodes.has(code);

function toParts(written: string): readonly (readonly string[])[] {
  return fold(written)
    .split(glue)
    .map(toVariants)
    .filter((variants) => variants.length > 0);
}

// `o'neill's` is oneills, without the final s oneill, and neill; one letter alone is no word of its own.
function toVariants(part: string): readonly string[] {
  const pieces = part
    .split(apostrophe)
    .map((piece) => piece.replace(/[^\p{L}\p{N}\p{M}]/gu, ''))
    .filter((piece) => piece !== '');
  if (pieces.length < 2) {
    return pieces.map(cut);
  }
  const variants = [pieces.join('')];
  if (pieces.at(-1) === 's') {
    variants.push(pieces.slice(0, -1).join(''));
  }
  variants.push(...pieces.filter((piece) => piece.length > 1));
  return [...new Set(variants.map(cut))];
}

function join(parts: readonly (readonly string[])[]): string | undefined {
  if (parts.length < 2 || parts.length > mostJoinedParts) {
    return undefined;
  }
  const joined = parts.map(([first]) => first ?? '').join('');
  return joined.length <= longestJoin ? joined : undefined;
}

function toPairs(written: string): readonly (readonly string[])[] {
  const characters = [...fold(written)];
  return characters.map((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

// Cut between characters, never inside a surrogate pair.
function cut(word: string): string {
  return word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');
}
