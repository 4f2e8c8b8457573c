// The lexemes that a process or thread has met, each as one text: documents share most of theirs, and a text that is made anew for each must
// be put together, hashed and compared letter by letter wherever it is looked up. What is kept is bounded, and only saves time.
import { analyse } from '../../text/analyse.ts';
import type { Lexeme } from '../../text/analyse.ts';
import { isCommon } from './neighbours.ts';

/** A word as it is found in any field, and whether it makes neighbours (neighbours.ts). */
export type KnownWord = { readonly lexeme: string; readonly isCommon: boolean };

/** The words of a text in order, and how many places it takes (text/analyse.ts). */
export type Analysed = {
  readonly words: readonly { readonly word: KnownWord; readonly position: number }[];
  readonly length: number;
};

const mostWords = 50_000;
const mostTexts = 5000;
const longestText = 200;

const words = new Map<string, KnownWord>();
const texts = new Map<string, Analysed>();
/** Lexemes of words in fields, by prefix and word. */
const inFields = new Map<string, Map<string, string>>();

/** The words of a text that stands in one document, such as its notes. */
export function analyseOnce(text: string): Analysed {
  const { lexemes, length } = analyse(text);
  return { words: lexemes.map(toKnown), length };
}

/** The words of a text that many documents repeat: the title of a collection, the name of an agent, what a container is called. */
export function analyseShared(text: string): Analysed {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const analysed = analyseOnce(text);
  if (text.length <= longestText) {
    if (texts.size >= mostTexts) texts.clear();
    texts.set(apart(text), analysed);
  }
  return analysed;
}

/** The lexeme of a word in a field; of the bare word where the prefix is empty. */
export function lexemeIn(prefix: string, { lexeme }: KnownWord): string {
  if (prefix === '') return lexeme;
  const ofField = inFields.get(prefix) ?? new Map<string, string>();
  const known = ofField.get(lexeme);
  if (known !== undefined) return known;
  if (ofField.size >= mostWords) ofField.clear();
  const made = prefix + lexeme;
  inFields.set(prefix, ofField.set(lexeme, made));
  return made;
}

const toKnown = ({ word, position }: Lexeme): Analysed['words'][number] => ({ word: wordOf(word), position });

function wordOf(lexeme: string): KnownWord {
  const known = words.get(lexeme);
  if (known !== undefined) return known;
  if (words.size >= mostWords) words.clear();
  const own = apart(lexeme);
  const word = { lexeme: own, isCommon: isCommon(own) };
  words.set(own, word);
  return word;
}

// A piece of a text holds the whole text in memory (V8 does so from 13 characters on), which here would be kept with it. Words are letters, digits
// and marks, which stand in UTF-8 as they are; of texts that do not the copy is merely never met again.
const apart = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());
