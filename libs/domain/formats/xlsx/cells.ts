// Addresses and values of cells (ECMA-376): letters of columns, and days as the numbers that spreadsheets keep.

/** The letters of a column counted from 0: A … Z, AA … */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** The number of a column from 0 in an address such as `AB12`; -1 where there are no letters. */
export function columnIndex(address: string): number {
  let index = 0;
  for (const letter of /^[A-Z]+/.exec(address)?.[0] ?? '') index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

const dayMs = 86_400_000;
// Day 60 is a 29 February 1900 that never was, so counting from 1899-12-30 is right from March 1900 on, and a day short before.
const firstDay1900 = Date.UTC(1899, 11, 30);
const firstDay1904 = Date.UTC(1904, 0, 1);

/** The number of a day given as YYYY-MM-DD, or null where spreadsheets have none for it (before March 1900) or the text is no day. */
export function dayNumber(isoDate: string): number | null {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(isoDate) ? Date.parse(`${isoDate}T00:00:00Z`) : Number.NaN;
  const number = (time - firstDay1900) / dayMs;
  return Number.isInteger(number) && number > 60 ? number : null;
}

// 31 December 9999, the last day that spreadsheets know.
const lastDay = 2_958_465;

/** The day of a number as YYYY-MM-DD, or null where it is none; fractions of days are cut off. */
export function dayOf(number: number, counts1904: boolean): string | null {
  if (!(number >= 0 && number < lastDay + 1)) return null;
  const day = Math.floor(number);
  const shift = !counts1904 && day > 0 && day < 60 ? 1 : 0;
  return new Date((counts1904 ? firstDay1904 : firstDay1900) + (day + shift) * dayMs).toISOString().slice(0, 10);
}

/** The most characters that a cell of a spreadsheet program holds. */
export const longestCell = 32_767;

/** A text as workbooks have it (ECMA-376, ST_Xstring): what looks like the code of a character is told from one. */
export const escapeCodes = (text: string): string => text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/**
 * Gives back the control characters that workbooks have as `_x000D_`, and the `_` of what looked like a code; but U+0000, which nothing stores.
 * No program writes the code of another character, and not all tell a text that looks like one from it.
 */
export const withoutCodes = (text: string): string =>
  text.replaceAll(/_x(00(?:0[1-9A-F]|1[0-9A-F]|5F))_/gi, (_code, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
