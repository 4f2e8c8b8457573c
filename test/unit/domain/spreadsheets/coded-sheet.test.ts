// Sheets with a row of field codes: what is a heading, what is data, and what cannot be read.
import { expect, test } from 'vitest';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';
import { codesRow } from '#domain/spreadsheets/codes-row.ts';
import { readCodedSheet } from '#domain/spreadsheets/coded-sheet.ts';

const read = (text: string | Uint8Array, contentType = 'csv') =>
  readCodedSheet({ bytes: Buffer.from(text), contentType });
const shown = (text: string) => read(text).rows.map(({ row, cells }) => [row, Object.fromEntries(cells)]);

test('takes rows without text in their first column as data, counted as spreadsheet programs count them', () => {
  expect(
    shown(
      '\uFEFFA template,,\r\nArchivesSpace field code (please do not edit),ref_id,title\r\nField name,Ref,Title\r\n\r\n,r1," A ""b""\nc "\r\n,,\r\nMore headings,x,y\r\n,,only,\r\n',
    ),
  ).toEqual([
    [5, { ref_id: 'r1', title: 'A "b"\nc' }],
    [8, { title: 'only' }],
  ]);
});

test('knows the headings of the templates in the wild and its own', () => {
  for (const head of [
    'ArchivesSpace field code',
    'ArchivesSpace digital object import field codes',
    'Field codes: do not change this row',
  ]) {
    expect(codesRow.test(head)).toBe(true);
    expect(shown(`${head},a\n,1\n`)).toEqual([[2, { a: '1' }]]);
  }
  expect(codesRow.test('Field name')).toBe(false);
});

test('tells columns that are there twice, and reads no rows then', () => {
  expect(read('Field codes,a,b,a,a\n,1,2,3,4\n')).toMatchObject({ rows: [], faults: [{ row: 1, column: 'a' }] });
});

test('takes up to 100,000 rows, and none of more', () => {
  const rowsOf = (count: number) => read(`Field codes,a\n${',1\n'.repeat(count)}`);
  expect(rowsOf(100_000).rows).toHaveLength(100_000);
  expect(rowsOf(100_001)).toMatchObject({ rows: [], faults: [{ message: 'Has more than 100000 rows' }] });
});

test('tells of text to the right of all headings, of whichever row of headings, and reads no rows then', async () => {
  const table = [
    ['A template', '', '', 'Our remarks'],
    ['Field codes', 'ref_id', 'title'],
    ['', 'r1', 'Papers', 'remark', ''],
    ['', 'r2', 'Papers', ' with comma', '', 'C4'],
  ];
  const message = 'There is no heading above this cell: C4';
  const csv = table.map((row) => row.join(',')).join('\n');
  const fault = { row: 4, column: 'F', message: `${message}; a cell with a comma in it must stand in quotes` };
  expect(read(csv)).toMatchObject({ rows: [], faults: [fault] });
  expect(read(csv.replace('C4', ''))).toMatchObject({ rows: [{ row: 3 }, { row: 4 }], faults: [] });
  const rows = table.map((row) => row.map((value) => ({ value })));
  const workbook = await Array.fromAsync(writeXlsx([{ name: 'S', columns: [], rows }]));
  expect(read(Buffer.concat(workbook), 'xlsx')).toMatchObject({ rows: [], faults: [{ row: 4, column: 'F', message }] });
});

test('refuses what has no codes, is no text, or is of another type', () => {
  for (const [bytes, type] of [
    ['a,b\n', 'csv'],
    ['', 'csv'],
    [new Uint8Array([0xff, 0xfe, 0x41]), 'csv'],
    ['Field codes,a\n', 'application/pdf'],
    ['Field codes,a\n', 'xlsx'],
  ] as const)
    expect(() => read(bytes, type), type).toThrow();
});

test('says of a sheet without codes what was found there', async () => {
  const book = await Array.fromAsync(
    writeXlsx(
      ['Read me', 'Import'].map((name) => ({
        name,
        columns: [],
        rows: [[{ value: `About ${name}` }, { value: 'b' }]],
      })),
    ),
  );
  const none = 'has no row of field codes';
  for (const [file, type, says] of [
    ['title,level\nA,file\n', 'csv', `The sheet ${none}: its first row with text is: title | level`],
    ['Field codes;title\n;A\n', 'csv', `The sheet ${none}: The cells stand between semicolons; in CSV they must`],
    ['Our list\tb\n\tA\n', 'csv', `The sheet ${none}: The cells stand between tabs`],
    ['\n', 'csv', `The sheet ${none}: it is empty`],
    ['\u00FF\u00FEa', 'csv', 'The file is text in UTF-16, which is not valid UTF-8, in line 1; it must be'],
    [Buffer.concat(book), 'csv', 'The file is a workbook (.xlsx)'],
    [
      Buffer.concat(book),
      'xlsx',
      `The sheet Read me ${none}: its first row with text is: About Read me | b; the first`,
    ],
    [Buffer.concat(book), 'xlsx', 'behind it are: Import'],
  ] as const)
    expect(() =>
      read(typeof file === 'string' && file.startsWith('\u00FF') ? Buffer.from(file, 'latin1') : file, type),
    ).toThrow(expect.objectContaining({ error: expect.objectContaining({ message: expect.stringContaining(says) }) }));
});

test('takes the mark off what templates come with, and leaves the apostrophe of what somebody typed', async () => {
  const table = [
    ['Field codes', 'ref_id', 'ead_id', 'title'],
    ['', "'=r1", "'-7", "'@home' newsletter"],
  ];
  const cells = new Map(Object.entries({ ref_id: '=r1', ead_id: '-7', title: "'@home' newsletter" }));
  expect(read(table.map((row) => row.join(',')).join('\n')).rows).toEqual([{ row: 2, cells }]);
  // Spreadsheet programs that open the template and save a workbook keep the mark.
  const rows = table.map((row) => row.map((value) => ({ value })));
  const workbook = await Array.fromAsync(writeXlsx([{ name: 'S', columns: [], rows }]));
  expect(read(Buffer.concat(workbook), 'xlsx').rows).toEqual([{ row: 2, cells }]);
});
