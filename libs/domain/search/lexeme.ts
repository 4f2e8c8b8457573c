// The alphabet of the index: how words, keys, exact values and years become lexemes (design: search.md section 2).
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
export function toPresenceLexeme({ name }: Field): string {
  return alwaysThere.has(name) ? everyDocument : `h=${copiedFields.get(name) ?? name}`;
}

/** The lexemes of one year: itself, its decade, its century. */
export function toYearLexemes(year: number): readonly string[] {
  const digits = String(year).padStart(4, '0');
  return [`y=${digits}`, `y=${digits.slice(0, 3)}x`, `y=${digits.slice(0, 2)}xx`];
}

/** The fewest year lexemes that cover the years from one to another, both included, within 0 to 9999. */
export function toYearCover(from: number, to: number): readonly string[] {
  const cover: string[] = [];
  const last = Math.min(to, 9999);
  for (let year = Math.max(from, 0); year <= last;) {
    const span = [100, 10].find((width) => year % width === 0 && year + width - 1 <= last) ?? 1;
    const digits = String(year).padStart(4, '0');
    cover.push(span === 100 ? `y=${digits.slice(0, 2)}xx` : span === 10 ? `y=${digits.slice(0, 3)}x` : `y=${digits}`);
    year += span;
  }
  return cover;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
