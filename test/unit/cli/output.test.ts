// Texts of records, numbers and tables as a terminal shows them.
import { expect, it } from 'vitest';
import { count, printable, shown, size, table } from '../../../apps/cli/output.ts';

it('shows texts without markup, breaks and what terminals obey', () => {
  const texts = [
    '<emph render="italic">Papers</emph>  of\n the &lt;Board&gt; &amp; others ',
    'a < b > c',
    '\u001b[31mred\u0007\u009b',
    7,
    undefined,
  ];
  expect(texts.map(shown)).toEqual(['Papers of the <Board> & others', 'a < b > c', '[31mred', '', '']);
  expect(printable('a\tb\nc\rd\u0000\u0008\u000b\u001f\u007f\u0080\u009f\u00a0é')).toBe('a\tb\ncd\u00a0é');
});

it('aligns columns below their headings, and leaves no blanks at ends of lines', () => {
  expect(table(['ID', 'NAME', 'X'], [['1', 'Maps', ''], ['1234', '', 'yes'], ['5']])).toEqual([
    'ID    NAME  X',
    '1     Maps',
    '1234        yes',
    '5',
  ]);
  expect(table(['A', 'B'], [])).toEqual(['A  B']);
});

it('shows numbers by thousands, and bytes in the unit that fits', () => {
  expect([0, 999, 1000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([0, 999, 1000, 1449, 999_949, 1_000_000, 2_350_000].map(size)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '1.4 kB',
    '999.9 kB',
    '1.0 MB',
    '2.4 MB',
  ]);
});
