// Workbooks written and read: by ourselves and by an independent reader, with hostile texts, dates, drop-downs and bombs.
import { read as readElsewhere, utils, write as writeElsewhere } from '@e965/xlsx';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { columnIndex, columnLetters } from '#domain/formats/xlsx/cells.ts';
import { readXlsx } from '#domain/formats/xlsx/read.ts';
import type { Sheet } from '#domain/formats/xlsx/write.ts';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';

const bytesOf = async (sheets: readonly Sheet[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(writeXlsx(sheets)));
const limit = 50_000_000;
const hostile = ['<b>&"\'', '=1+1', ' blanks ', 'two\nlines', '\u0001control', '漢字 ß 😀', ']]>'];

test('a workbook holds texts, numbers and days for others and for us', async () => {
  const rows = [
    hostile.map((value) => ({ value })),
    [
      { value: 12.5 },
      { value: '2020-02-29', isDay: true as const },
      { value: '1850-01-01', isDay: true as const },
      { value: null },
      { value: 'last', style: 'editable' as const },
    ],
  ];
  const bytes = await bytesOf([
    {
      name: 'One & two',
      columns: [{ width: 30 }, { hidden: true }],
      rows,
      isProtected: true,
      freeze: { rows: 1, columns: 2 },
      dropDowns: [{ column: 0, firstRow: 2, lastRow: 9, values: 'Lists!$A$2:$A$3' }],
    },
    { name: 'Lists', columns: [], rows: [[{ value: 'list' }], [{ value: 'a' }], [{ value: 'b' }]] },
  ]);
  const book = readElsewhere(bytes, { cellDates: true, UTC: true });
  expect(book.SheetNames).toEqual(['One & two', 'Lists']);
  const sheet = book.Sheets['One & two'] ?? {};
  expect(utils.sheet_to_json(sheet, { header: 1, UTC: true })[0]).toEqual(
    hostile.map((text) => text.replace('\u0001', '')),
  );
  expect([sheet['A2']?.v, sheet['B2']?.v?.toISOString().slice(0, 10), sheet['C2']?.v, sheet['E2']?.v]).toEqual([
    12.5,
    '2020-02-29',
    '1850-01-01',
    'last',
  ]);
  const ours = readXlsx(bytes, limit);
  expect([...(ours.sheet('One & two')?.[1]?.cells ?? [])]).toEqual([
    [0, '12.5'],
    [1, '2020-02-29'],
    [2, '1850-01-01'],
    [4, 'last'],
  ]);
  expect(ours.sheet('None')).toBeUndefined();
});

test('workbooks of others are read: shared strings, gaps, booleans, days', () => {
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([['a', null, 'a'], [], [true, new Date(Date.UTC(2021, 4, 6)), 3]], { UTC: true }),
    'S',
  );
  const bytes = writeElsewhere(book, { type: 'buffer', bookSST: true, bookType: 'xlsx' });
  expect(readXlsx(bytes, limit).sheet('S')).toEqual([
    {
      number: 1,
      cells: new Map([
        [0, 'a'],
        [2, 'a'],
      ]),
    },
    {
      number: 3,
      cells: new Map([
        [0, 'true'],
        [1, '2021-05-06'],
        [2, '3'],
      ]),
    },
  ]);
});

test.each([
  ['nothing', new Uint8Array(0)],
  ['text', Buffer.from('id,title')],
  ['an empty archive', zipSync({ 'a.txt': new Uint8Array(1) })],
])('%s is refused', (_what, bytes) => {
  expect(() => readXlsx(bytes, limit)).toThrow(/no workbook/);
});

test('a workbook that inflates beyond the limit is refused', () => {
  const bytes = zipSync({ 'xl/workbook.xml': new Uint8Array(10_000_000) });
  expect(bytes.length).toBeLessThan(100_000);
  expect(() => readXlsx(bytes, 1_000_000)).toThrow(/inflates to more/);
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
  expect(columnIndex(`${letters}7`)).toBe(index);
});

test('blank cells have the style of their column, and only those of another are written', async () => {
  const columns = [{ style: 'locked' as const }, { style: 'editable' as const }];
  const bytes = await bytesOf([
    {
      name: 'S',
      columns,
      rows: [
        [
          { value: null, style: 'locked' },
          { value: '', style: 'editable' },
        ],
        [
          { value: null, style: 'editable' },
          { value: 'x', style: 'editable' },
        ],
      ],
    },
  ]);
  const text = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect([...text.matchAll(/<col [^>]*style="(\d+)"/g)].map(([, style]) => style)).toEqual(['4', '3']);
  expect([...text.matchAll(/<c r="(\w+)" s="(\d)"/g)].map(([, address, style]) => [address, style])).toEqual([
    ['A2', '3'],
    ['B2', '3'],
  ]);
});

test('fifty thousand rows are written in pieces', async () => {
  function* rows() {
    for (let n = 0; n < 50_000; n++) yield [{ value: n }, { value: `Row ${n}` }];
  }
  let pieces = 0;
  let size = 0;
  for await (const piece of writeXlsx([{ name: 'S', columns: [], rows: rows() }])) {
    pieces += 1;
    size = Math.max(size, piece.length);
  }
  expect(pieces).toBeGreaterThan(10);
  expect(size).toBeLessThan(200_000);
});
