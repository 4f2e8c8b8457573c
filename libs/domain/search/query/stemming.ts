// Stemming, an addition of Muniment: where a search names a language, its words are found in all their forms in it. Documents keep their words
// as written; a query's word becomes those words of the index that have its stem, so one index serves every language (docs/decisions/0016).

import { lightLanguages } from './endings.ts';
import type { LightLanguage } from './endings.ts';

/** The languages that PostgreSQL stems words in, by their ISO 639-1 codes, with the names of PostgreSQL's Snowball dictionaries. */
export const stemLanguages = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
} as const;

/** A language that words can be stemmed in: by PostgreSQL, or by endings (endings.ts). */
export type StemLanguage = keyof typeof stemLanguages | LightLanguage;

/** What may be asked for: a language, or `none` for words as they are written. */
export const stemChoices = ['none', ...[...Object.keys(stemLanguages), ...lightLanguages].sort()] as readonly (
  | 'none'
  | StemLanguage
)[];

/** One of the choices. */
export type StemChoice = (typeof stemChoices)[number];

/** Whether a text names a choice. */
export const isStemChoice = (text: string): text is StemChoice => stemChoices.some((choice) => choice === text);

/** Whether a lexeme is a word that may have other forms: letters alone. Numbers and what identifiers are made of have none. */
export const hasForms = (lexeme: string): boolean => /^[\p{L}\p{M}]+$/u.test(lexeme);

const mostVariants = 4;

/**
 * A folded word of German as others write it: `mueller` as `muller`, which is how the index has Müller, and `muller` as `mueller`; at most four, itself left out.
 * Other languages have none.
 */
export function variantsOf(word: string, language: StemLanguage): readonly string[] {
  if (language !== 'de') return [];
  const spelt = [...word.matchAll(/[aou](?!e)/gu)].map(
    ({ index }) => `${word.slice(0, index + 1)}e${word.slice(index + 1)}`,
  );
  return [...new Set([withUmlauts(word), ...spelt])].filter((one) => one !== word).slice(0, mostVariants);
}

/** A word as it is found where it was written with umlauts, if it may have been typed without: `mueller` as `muller`, `paeaeskylae` as `paaskyla`. */
export const withUmlauts = (word: string): string => word.replace(/(?<=[^aeq]|^|ae|oe)([aou])e/gu, '$1');
