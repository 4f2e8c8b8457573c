// Cells of a row to load: what flags say, and what is told of words that say neither.
import { expect, test } from 'vitest';
import { readRow } from '#domain/spreadsheets/load/row-reader.ts';

test('a flag is true for 1, t and true alone, and a word that says neither is told once', () => {
  const words = { a: '1', b: 'T', c: 'true', d: '0', e: 'False', f: 'no', g: 'yes', h: 'x' };
  const notes: string[] = [];
  const lists = { value: () => undefined, isOpen: () => false };
  const reader = readRow({ row: 4, cells: new Map(Object.entries(words)) }, lists, [], notes);
  for (const _ of [1, 2])
    expect([...Object.keys(words), 'blank'].map((code) => reader.flag(code))).toEqual([
      ...[true, true, true],
      ...[false, false, false, false, false],
      undefined,
    ]);
  expect(notes).toEqual([
    'g: yes is not 1, t or true, and counts as false',
    'h: x is not 1, t or true, and counts as false',
  ]);
});
