// The cursor under the query parser.
import { expect, it } from 'vitest';
import { Cursor, ParseError } from '#domain/search/query/scanner.ts';

it('reads quoted text with escapes and stands behind it', () => {
  const cursor = new Cursor('"a \\"b\\\\" c');
  expect(cursor.readQuoted()).toBe('a "b\\');
  expect(cursor.peek()).toBe(' ');
});

it('names the column of an unclosed quotation mark in characters, not in units', () => {
  const cursor = new Cursor('𝄞𝄞 "open');
  cursor.at = 5;
  expect(() => cursor.readQuoted()).toThrow(ParseError);
  expect(cursor.columnOf(5)).toBe(4);
});

it('takes a backslash at the end as a character', () => {
  const cursor = new Cursor('\\');
  expect(cursor.readCharacter()).toBe('\\');
});
