// Mixed content as text.
import { describe, expect, test } from 'vitest';
import { hasText, mixedLine, mixedText, splitLongText } from '#domain/formats/reading/content.ts';
import type { XmlChild } from '#domain/formats/xml/tree.ts';

const element = (name: string, ...children: readonly XmlChild[]): XmlChild => ({
  name,
  attributes: [],
  children,
  line: 1,
});

describe('mixedText and mixedLine', () => {
  const children = [
    element('p', 'a ', element('emph', 'b & c')),
    ' ',
    element('p', 'd', element('lb'), 'e', element('ptr')),
  ];
  test('differ in what p and lb become', () => {
    expect(mixedText(children)).toBe('a <emph>b &amp; c</emph>\n\nd\n\ne<ptr/>');
    expect(mixedLine(children)).toBe('a <emph>b &amp; c</emph> d e<ptr/>');
  });
  test('keep what stands in a line break, where nothing should', () => {
    expect(mixedText([element('p', 'a', element('lb', 'b'))])).toBe('a\n\nb');
  });
  test('give nothing for blank content', () => {
    expect([mixedText([' ', element('p', ' ')]), mixedLine([])]).toEqual(['', '']);
    expect([hasText([element('emph', ' ')]), hasText(['x'])]).toEqual([false, true]);
  });
});

describe('splitLongText', () => {
  test('loses nothing', () => {
    const text = Array.from({ length: 30 }, (_, index) => `${index}${'y'.repeat(9_000)}`).join('\n\n');
    const pieces = splitLongText(text);
    expect(pieces.every((piece) => piece.length <= 65_000)).toBe(true);
    expect(pieces.join('\n\n')).toBe(text);
  });
});
