// Folding: the one form under which words are compared. Case, accents, vowel points, ligatures and invisible characters go.
// Used by the analyser (analyse.ts) and by the sort keys (sort-key.ts).

// Marks that are dropped: Latin and Greek accents, Hebrew points, Arabic vowels and tatweel, zero-width characters, soft hyphen.
// Vowel signs of Indic scripts and the voicing marks of kana are letters in effect and stay.
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0640\u00ad\u200b-\u200f\u2060\ufeff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;

const letters: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ĸ: 'k',
  ŧ: 't',
  ƒ: 'f',
  ſ: 's',
  ς: 'σ',
  ё: 'е',
  ى: 'ي',
  ة: 'ه',
};

/** The folded form of a text: `Łódź` gives `lodz`, `מֹשֶׁה` gives `משה`. й stays apart from и; ё becomes е. */
export function fold(text: string): string {
  if (isAscii(text)) {
    return text.toLowerCase();
  }
  // The breve of й is kept through the dropping of marks.
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll('и\u0306', '\ue000')
    .replace(marks, '')
    .replaceAll('\ue000', 'и\u0306')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıħŋĸŧƒſςёىة]/g, (letter) => letters[letter] ?? letter);
}

/** A text with its ASCII letters in lower case: what keys that ignore case are stored as, since databases agree on these letters alone. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a text has ASCII characters only, for which everything is simpler. */
export function isAscii(text: string): boolean {
  // eslint-style control ranges are meant: the whole of ASCII.
  return /^[\u0000-\u007f]*$/.test(text);
}

/** The key of an identifier: folded, letters and digits only. `MS.2011-04/7` and `ms 2011 04 7` give `ms2011047`. */
export function squeeze(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
