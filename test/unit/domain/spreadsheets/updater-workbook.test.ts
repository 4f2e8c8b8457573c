// The workbook for changing archival objects as its parts say it (contract trees-and-jobs 6.2): what is locked, what stays in sight, and where
// drop-downs take their values.
import { strFromU8, unzipSync } from 'fflate';
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';
import { columnsFor, groups } from '#domain/spreadsheets/columns.ts';
import { readUpdateSheet } from '#domain/spreadsheets/rows.ts';
import { updaterSheets } from '#domain/spreadsheets/updater-workbook.ts';

const columns = columnsFor(
  ['level', 'ref_id', 'publish', 'date', 'note_accessrestrict'],
  Object.fromEntries(groups.map(({ group }) => [group, 1])),
);
const choices = (list: string) =>
  list === 'restriction_type'
    ? []
    : [
        { value: `${list}_a`, label: 'Alpha [odd]' },
        { value: `${list}_b`, label: 'Beta' },
      ];
const records = [1, 2, 3].map(
  (id) =>
    new Map([
      ['id', String(id)],
      ['lock_version', '0'],
      ['title', `=Title ${id}`],
      ['level', 'archival_record_level_b'],
      ['publish', 'true'],
      ['dates/0/label', 'unheard of'],
      ['dates/0/begin', '1900'],
    ]),
);
let bytes: Buffer;
let parts: { readonly [path: string]: string };
beforeAll(async () => {
  bytes = Buffer.concat(await Array.fromAsync(writeXlsx(updaterSheets(columns, records, choices))));
  parts = Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, strFromU8(data)]));
});
const updates = (): string => parts['xl/worksheets/sheet1.xml'] ?? '';
const letter = (path: string): string => utils.encode_col(columns.findIndex((column) => column.path === path));

describe('the workbook', () => {
  test('has the sheets Updates and Enums, both protected without a password, and no hidden columns', () => {
    expect([...(parts['xl/workbook.xml'] ?? '').matchAll(/<sheet name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'Updates',
      'Enums',
    ]);
    for (const sheet of ['sheet1', 'sheet2']) {
      const xml = parts[`xl/worksheets/${sheet}.xml`] ?? '';
      expect(xml).toMatch(/<sheetProtection [^>]*sheet="(1|true)"/);
      expect(xml).not.toMatch(/<sheetProtection [^>]*(password|hashValue)=/);
      expect(xml).not.toMatch(/hidden="(1|true)"/);
    }
    // Columns and rows may be made wider, and rows sorted.
    for (const allowed of ['formatColumns', 'formatRows', 'sort'])
      expect(updates()).toMatch(new RegExp(`<sheetProtection [^>]*${allowed}="(0|false)"`));
    expect(updates()).toMatch(/<pane [^>]*xSplit="3"/);
    expect(updates()).toMatch(/<pane [^>]*ySplit="1"/);
  });

  test('offers the values of each list in the column of its letter, for the rows of records and one more', () => {
    const drops = [
      ...updates().matchAll(/<dataValidation [^>]*sqref="([^"]+)"[^>]*><formula1>([^<]+)<\/formula1>/g),
    ].map(([, where, from]) => [where, from]);
    const expected = ['level', 'publish', 'dates/0/label', 'dates/0/certainty']
      .map(letter)
      .map((at) => [`${at}3:${at}6`, `Enums!$${at}$2:$${at}$3`]);
    expect(drops).toEqual(expected);
    const enums = readWorkbook(bytes).Sheets['Enums'] ?? {};
    const columnAt = (path: string): readonly unknown[] => [1, 2, 3].map((row) => enums[`${letter(path)}${row}`]?.v);
    expect(columnAt('level')).toEqual([
      'archival_record_level',
      'Alpha [odd] [archival_record_level_a]',
      'Beta [archival_record_level_b]',
    ]);
    expect(columnAt('publish')).toEqual(['boolean', 'true', 'false']);
    expect(columnAt('note/accessrestrict/0/local_access_restriction_type')[0]).toBe('restriction_type');
    expect(columnAt('title').every((cell) => cell === undefined)).toBe(true);
  });

  test('is read back as it was written: values out of their brackets, what looks like a formula as text', () => {
    const { rows, faults } = readUpdateSheet(bytes);
    expect(faults).toEqual([]);
    expect(rows.map(({ row }) => row)).toEqual([3, 4, 5]);
    for (const [index, { cells }] of rows.entries())
      expect(Object.fromEntries(cells)).toEqual({
        ...Object.fromEntries(columns.map(({ path }) => [path, null])),
        ...Object.fromEntries(records[index] ?? []),
      });
  });

  test('may be read back with columns taken out, blank rows between, and real dates and numbers', () => {
    const book = utils.book_new();
    const table = [
      ['any', 'thing', 'at all', 'x', 'y'],
      ['id', 'lock_version', 'dates/0/begin', 'publish', 'level'],
      [7, 0, new Date(Date.UTC(1901, 1, 3)), 'TRUE', ' Label [with] brackets [file] '],
      [],
      [8, 0, '1902-05', 'perhaps', ''],
    ];
    utils.book_append_sheet(book, utils.aoa_to_sheet([['nothing']]), 'Other');
    utils.book_append_sheet(book, utils.aoa_to_sheet(table, { UTC: true, cellDates: true }), 'Updates');
    const { rows, faults } = readUpdateSheet(writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' }));
    expect(faults).toEqual([]);
    expect(rows.map(({ row, cells }) => [row, Object.fromEntries(cells)])).toEqual([
      [3, { id: '7', lock_version: '0', 'dates/0/begin': '1901-02-03', publish: 'true', level: 'file' }],
      [5, { id: '8', lock_version: '0', 'dates/0/begin': '1902-05', publish: 'false', level: null }],
    ]);
  });
});

test('a value with brackets of its own is read back as it is', async () => {
  const value = 'reels [ca.]';
  const row = new Map([
    ['id', '1'],
    ['lock_version', '0'],
    ['level', value],
  ]);
  const sheets = updaterSheets(columns, [row], () => [{ value, label: value }]);
  const workbook = Buffer.concat(await Array.fromAsync(writeXlsx(sheets)));
  expect(readUpdateSheet(workbook).rows[0]?.cells.get('level')).toBe(value);
});

test('up to 10,000 rows are taken, and 5,000,000 cells, those that nobody filled in among them', async () => {
  const faultsOf = async (count: number, more: readonly string[] = []): Promise<readonly string[]> => {
    const cells = (texts: readonly string[]) => texts.map((value) => ({ value }));
    const rows = Array.from({ length: count }, (_, at) => cells([String(at + 1), '0']));
    const sheet = {
      name: 'Updates',
      columns: [],
      rows: [cells(['About']), cells(['id', 'lock_version', ...more]), ...rows],
    };
    const workbook = Buffer.concat(await Array.fromAsync(writeXlsx([sheet])));
    const read = readUpdateSheet(workbook);
    expect(read.rows).toHaveLength(read.faults.length === 0 ? count : 0);
    return read.faults.map(({ message }) => message);
  };
  expect(await faultsOf(10_000)).toEqual([]);
  expect(await faultsOf(10_001)).toEqual(['Has more than 10000 rows']);
  const wide = Array.from({ length: 499 }, (_, at) => `dates/${at}/begin`);
  expect(await faultsOf(10_000, wide)).toEqual(['Has more than 5000000 cells: 10000 rows in 501 columns']);
});
