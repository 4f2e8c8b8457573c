// What the writers of both versions of EAD share.
import { describe, expect, test } from 'vitest';
import { distinctHeadings } from '#domain/formats/writing/finding-aid.ts';
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
