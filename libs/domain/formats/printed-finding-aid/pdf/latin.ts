// Texts in the letters that the standard fonts of PDF have: those of Western European languages (WinAnsi).

/** A text as the fonts can show it, and how many of its characters they lack. */
export type LatinText = { readonly text: string; readonly lost: number };

/** What stands for a character that the fonts lack. */
export const lacking = '?';

// What WinAnsi has beside Latin-1.
const beyondLatin1: ReadonlySet<string> = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
// Letters that are no letter with a mark, and signs with a usual spelling. Not lost: the text stays readable.
const spellings: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ħ', 'h'],
  ['Ħ', 'H'],
  ['ı', 'i'],
  ['ŋ', 'ng'],
  ['Ŋ', 'Ng'],
  ['ŧ', 't'],
  ['Ŧ', 'T'],
  ['ẞ', 'SS'],
  ['ſ', 's'],
  ['‐', '-'],
  ['‑', '-'],
  ['‒', '–'],
  ['―', '—'],
  ['−', '-'],
  ['′', '’'],
  ['″', '”'],
  ['ʹ', '’'],
  ['ʺ', '”'],
  ['ʻ', '‘'],
  ['ʼ', '’'],
  ['ʾ', '’'],
  ['ʿ', '‘'],
  ['→', '->'],
  ['←', '<-'],
  ['≤', '<='],
  ['≥', '>='],
]);

const isLatin = (character: string): boolean =>
  (character >= ' ' && character <= '~') ||
  (character >= '\u00a0' && character <= '\u00ff') ||
  beyondLatin1.has(character);

/**
 * The text with what the fonts have; a letter with a mark that they lack loses the mark (`ő` becomes `o`), what has no Latin letter
 * becomes `lacking`. White space of any kind is a blank; formatting characters without a shape are dropped.
 */
export function latinText(given: string): LatinText {
  let text = '';
  let lost = 0;
  for (const character of given
    .normalize('NFC')
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')) {
    const found = isLatin(character) ? character : (spellings.get(character) ?? spelled(character));
    if (found === undefined) lost += 1;
    text += found ?? lacking;
  }
  return { text, lost };
}

/** The base letters of a character, undefined where they are no Latin ones. */
function spelled(character: string): string | undefined {
  const bare = character
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\u2044/g, '/');
  const letters = [...bare].map((letter) => (isLatin(letter) ? letter : spellings.get(letter)));
  // A mark that stands alone has no shape to lose.
  return letters.includes(undefined) ? undefined : letters.join('');
}
