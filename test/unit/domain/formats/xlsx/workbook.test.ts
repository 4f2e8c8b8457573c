// Workbooks written and read: by ourselves and by an independent reader, with hostile texts, dates, drop-downs and bombs.
import type { BookType } from '@e965/xlsx';
import { read as readElsewhere, utils, write as writeElsewhere } from '@e965/xlsx';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { expectKept } from '#test/support/kept.ts';
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

test('the parts of a workbook are written as they are kept', async () => {
  const styles = ['plain', 'heading', 'path', 'editable', 'locked', 'date'] as const;
  const bytes = await bytesOf([
    {
      name: 'One & two',
      columns: [{ width: 30 }, { hidden: true }, {}, { style: 'editable' }],
      rows: [
        styles.map((style) => ({ value: style, style })),
        [
          { value: null },
          { value: 7 },
          { value: '1900-03-01', isDay: true },
          { value: ' _x0041_ \n', style: 'locked' },
        ],
        [],
      ],
      isProtected: true,
      freeze: { rows: 1, columns: 2 },
      dropDowns: [
        { column: 0, firstRow: 2, lastRow: 9, values: 'Lists!$A$2:$A$3' },
        { column: 27, firstRow: 3, lastRow: 3, values: 'Lists!$B$2:$B$2' },
      ],
    },
    { name: 'Lists', columns: [], rows: [[{ value: 'list' }]] },
  ]);
  const parts = Object.entries(unzipSync(bytes)).map(([name, part]) => [
    name,
    strFromU8(part).replaceAll('><', '>\n<'),
  ]);
  const told = parts.map(([name, text]) => `${name}\n\n${text?.trimEnd()}\n`).join('\n');
  await expectKept(told, 'spreadsheets/workbook.txt');
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

test('cells of others: codes of characters, phonetic hints, formulas without values, texts that are not there or elsewhere, days before March 1900', async () => {
  const cells = [
    '<c r="A1" t="inlineStr"><is><t>one_x000D_\ntwo _x005F_x0041_ _x0000_ _x0041_</t></is></c>',
    '<c r="B1" t="inlineStr"><is><r><t>Ri</t></r><r><t>ch</t></r><rPh sb="0" eb="1"><t>hint</t></rPh></is></c>',
    '<c r="C1"><f>1+1</f><v></v></c><c r="D1"><f>1+1</f><v>2</v></c><c r="E1" t="str"><f>""</f><v></v></c>',
    '<c r="F1" t="s"/><c r="G1" t="b"/><c r="J1" t="s"><v>7</v></c><c r="H1" t="s"><v>0</v></c><c r="I1" t="str"><f>A1</f><v>_x005f_x</v></c>',
    [1, 15.75, 59, 60, 61].map((day, n) => `<c r="A${n + 2}" s="5"><v>${day}</v></c>`).join('</row><row>'),
  ];
  const bytes = await bytesOf([{ name: 'S', columns: [], rows: [] }]);
  const parts = unzipSync(bytes);
  const part = (text: string) => new TextEncoder().encode(text);
  const sheet = `<worksheet><sheetData><row r="1">${cells.slice(0, 4).join('')}</row><row>${cells[4]}</row><row><c r="A7"><f>A1</f></c></row></sheetData></worksheet>`;
  const strings = '<sst><si><t>shared_x000B_</t><rPh sb="0" eb="1"><t>hint</t></rPh></si></sst>';
  const book = readXlsx(
    zipSync({
      ...parts,
      'xl/_rels/workbook.xml.rels': part(
        strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? new Uint8Array())
          .replace('Target="worksheets', 'Target="./worksheets')
          .replace('</R', '<Relationship Id="t" Type="http://x/sharedStrings" Target="/xl/texts.xml"/></R'),
      ),
      'xl/worksheets/sheet1.xml': part(sheet),
      'xl/texts.xml': part(strings),
    }),
    limit,
  );
  const [first, ...others] = book.sheet('S') ?? [];
  expect(first?.cells).toEqual(
    new Map([
      [0, 'one\r\ntwo _x0041_ _x0000_ _x0041_'],
      [1, 'Rich'],
      [3, '2'],
      [7, 'shared'],
      [8, '_x'],
    ]),
  );
  expect([first, others.at(-1)].map((row) => [...(row?.unclear ?? [])])).toEqual([
    [
      [2, expect.stringMatching(/formula without its value/)],
      [9, expect.stringMatching(/a text that the workbook does not have/)],
    ],
    [[0, expect.stringMatching(/formula without its value/)]],
  ]);
  expect(others.flatMap(({ cells: found }) => [...found.values()])).toEqual([
    '1900-01-01',
    '1900-01-15',
    '1900-02-28',
    '1900-02-28',
    '1900-03-01',
  ]);
  // What looks like a code is a text, for others as for us.
  const written = await bytesOf([{ name: 'S', columns: [], rows: [[{ value: '_x0041_ and _x00' }]] }]);
  expect(readElsewhere(written).Sheets['S']?.['A1']?.v).toBe('_x0041_ and _x00');
  expect(readXlsx(written, limit).sheet('S')?.[0]?.cells.get(0)).toBe('_x0041_ and _x00');
});

test.each<[BookType, RegExp]>([
  ['biff8', /: it is of the old form \(\.xls\), or has a password/],
  ['xlsb', /: it is a binary workbook \(\.xlsb\)/],
  ['ods', /: it is of another office program \(\.ods\)/],
  ['xlml', /: it is XML or HTML/],
  ['html', /: it is XML or HTML/],
  ['csv', /: it is text, such as CSV/],
])('a workbook that was saved as %s is told as that', (bookType, says) => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['id', 'lock_version']]), 'Updates');
  const bytes: Buffer = writeElsewhere(book, { type: 'buffer', bookType });
  expect(() => readXlsx(bytes, limit)).toThrow(says);
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

test('days written as ISO dates lose their time, and blanks around shared texts go', async () => {
  const made = writeElsewhere(
    { SheetNames: ['S'], Sheets: { S: utils.aoa_to_sheet([['a'], ['b']]) } },
    { type: 'buffer', bookType: 'xlsx', bookSST: true },
  );
  const parts = unzipSync(new Uint8Array(made));
  const edit = (name: string, change: (text: string) => string): void => {
    parts[name] = new TextEncoder().encode(change(strFromU8(parts[name] ?? new Uint8Array())));
  };
  edit('xl/sharedStrings.xml', (text) => text.replace(/<t[^>]*>a<\/t>/, '<t xml:space="preserve"> a\n</t>'));
  edit('xl/worksheets/sheet1.xml', (text) =>
    text.replace(/<c r="A2"[^>]*>.*?<\/c>/, '<c r="A2" t="d"><v>2020-02-29T10:00:00</v></c>'),
  );
  const rows = readXlsx(zipSync(parts), limit).sheet('S') ?? [];
  expect(rows.map(({ cells }) => [...cells.values()])).toEqual([['a'], ['2020-02-29']]);
});

test('a sheet of more rows than spreadsheet programs open is refused', async () => {
  const sheet = { name: 'S', columns: [], rows: [[], [], []] };
  await expect(Array.fromAsync(writeXlsx([sheet, sheet], 3))).resolves.toBeDefined();
  await expect(Array.fromAsync(writeXlsx([sheet], 2))).rejects.toMatchObject({ code: 'too_large' });
});
