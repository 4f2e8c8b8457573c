// The alphabet of the index: how words, keys, exact values and years become lexemes.
// Documents and queries both make them here, so that they meet.
import { createHash } from 'node:crypto';
import { squeeze } from '../text/fold.ts';
import type { Field } from './fields.ts';
import { copiedFields, toExactValue } from './fields.ts';

/** The lexeme that every document has, from which a negation subtracts. */
export const everyDocument = 'v=all';

/** The lexeme that no document has. */
export const noDocument = 'z=';

const longestValue = 200;
const longestKey = 200;

/** The key lexeme of an identifier, barcode or whole query, or undefined where no letter or digit is in it. */
export function toKeyLexeme(text: string): string | undefined {
  const key = squeeze(text).slice(0, longestKey);
  return key === '' ? undefined : `k=${key}`;
}

/** The lexeme of one exact value of a field. Values over 200 characters are told apart by a hash. */
export function toExactLexeme(field: Field, value: string): string {
  const exact = toExactValue(field, value);
  return `${exactPrefix(field)}${exact.length <= longestValue ? exact : `${exact.slice(0, 160)}#${hashOf(exact)}`}`;
}

/** What stands before the value in the lexemes of a field's exact values. */
export function exactPrefix(field: Field): string {
  return `x=${field.name}=`;
}

// Every document has these, which need no lexemes of their own to say so.
const alwaysThere = new Set([
  'id',
  'uri',
  'primary_type',
  'types',
  'repository',
  'suppressed',
  'publish',
  'fullrecord',
  'fullrecord_published',
  'keyword',
]);

/** Whether a lexeme or prefix is of the words of one text field (`t=harbor`, `f3=`). */
export function isFieldWord(lexeme: string): boolean {
  return /^(?:[ticsad]|f\d+)=/.test(lexeme);
}

/** The word of a text field without its prefix; every other lexeme as it is. */
export function toBareWord(lexeme: string): string {
  return isFieldWord(lexeme) ? lexeme.slice(lexeme.indexOf('=') + 1) : lexeme;
}

/** The lexeme that says a document has the field. */
export function toPresenceLexeme({ name }: Pick<Field, 'name'>): string {
  return alwaysThere.has(name) ? everyDocument : `h=${copiedFields.get(name) ?? name}`;
}

// By level: centuries, decades, years. A century or decade ends in an x for each digit that is left open.
const widths = [100, 10, 1];
const openDigits = ['xx', 'x', ''];
const startOf = (year: number, level: number): string =>
  String(year)
    .padStart(4, '0')
    .slice(0, level + 2);

/** The lexeme that says a document has some year of a century or a decade, or that one (`y=19xx`, `y=190x`, `y=1905`). */
const someYear = (year: number, level: number): string => `y=${startOf(year, level)}${openDigits[level]}`;

/** The lexeme that says it has all years of one (`y=190+`). What is in it has no lexemes of its own then: a span of a century would have a hundred and more. */
const allYears = (year: number, level: number): string => `y=${startOf(year, level)}+`;

/** The lexemes of the years of a document, of which those beyond 0 to 9999 are left out. */
export function toYearLexemes(years: readonly number[]): readonly string[] {
  const distinct = [...new Set(years)].filter((year) => year >= 0 && year <= 9999).sort((a, b) => a - b);
  const lexemes: string[] = [];
  const add = (from: number, to: number, level: number): void => {
    for (let at = from; at < to;) {
      const width = widths[level] ?? 1;
      const first = (distinct[at] ?? 0) - ((distinct[at] ?? 0) % width);
      let end = at + 1;
      while (end < to && (distinct[end] ?? 0) < first + width) end++;
      lexemes.push(someYear(first, level));
      if (width > 1 && end - at === width) lexemes.push(allYears(first, level));
      else if (width > 1) add(at, end, level + 1);
      at = end;
    }
  };
  add(0, distinct.length, 0);
  return lexemes;
}

/** The fewest lexemes by which documents with some year from one to another, both included, within 0 to 9999, are found. */
export function toYearCover(from: number, to: number): readonly string[] {
  const cover = new Set<string>();
  const last = Math.min(to, 9999);
  for (let year = Math.max(from, 0); year <= last;) {
    const level = widths.findIndex((width) => year % width === 0 && year + width - 1 <= last);
    cover.add(someYear(year, level));
    for (let above = 0; above < level; above++) cover.add(allYears(year, above));
    year += widths[level] ?? 1;
  }
  return [...cover];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
