// What the writers of both versions of EAD share.
import { describe, expect, test } from 'vitest';
import { distinctHeadings, plain } from '#domain/formats/writing/finding-aid.ts';
import type { Heading } from '#domain/formats/writing/finding-aid.ts';

describe('distinctHeadings', () => {
  test('keeps the first of equal headings, in order', () => {
    const heading = (text: string, source?: string): Heading => ({ element: 'persname', attributes: { source }, text });
    expect(distinctHeadings([heading('A'), heading('B'), heading('A'), heading('A', 'naf')])).toEqual([
      heading('A'),
      heading('B'),
      heading('A', 'naf'),
    ]);
  });
});

describe('plain', () => {
  test('takes tags out, with a blank where words would run together', () => {
    expect(plain('<emph>W</emph>ords<lb/>and <p>a</p><p>b</p>, <unitdate>1900</unitdate>.')).toBe(
      'Words and a b , 1900.',
    );
  });

  test('keeps addresses in angle brackets', () => {
    expect(plain('E-mail of <ann@example.org>, <http://example.org/a?b=1>')).toBe(
      'E-mail of <ann@example.org>, <http://example.org/a?b=1>',
    );
  });
});
