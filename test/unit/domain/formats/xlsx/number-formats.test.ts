// Cells of workbooks that hold a time or how long something takes: spreadsheet programs keep both as parts of a day.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readXlsx } from '#domain/formats/xlsx/read.ts';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';

/** What a cell with this number says in the built-in format of this number, or in one of this code. */
async function shown(value: number, format: number | string): Promise<string | undefined> {
  const bytes = Buffer.concat(
    await Array.fromAsync(writeXlsx([{ name: 'S', columns: [], rows: [[{ value: '2020-02-29', isDay: true }]] }])),
  );
  const parts = unzipSync(bytes);
  const change = (name: string, pattern: RegExp, by: string): void => {
    const before = strFromU8(parts[name] ?? new Uint8Array());
    expect(before).toMatch(pattern);
    parts[name] = strToU8(before.replace(pattern, by));
  };
  change('xl/worksheets/sheet1.xml', /<v>[^<]*<\/v>/, `<v>${value}</v>`);
  if (typeof format === 'string') change('xl/styles.xml', /formatCode="[^"]*"/, `formatCode="${format}"`);
  else change('xl/styles.xml', /numFmtId="164" fontId/, `numFmtId="${format}" fontId`);
  return readXlsx(Buffer.from(zipSync(parts)), 50_000_000)
    .sheet('S')?.[0]
    ?.cells.get(0);
}

test.each([
  [0.0625, 20, '1:30'],
  [0.0625, 21, '1:30:00'],
  [0.5625, 18, '13:30'],
  [0.043229166666666666, 46, '1:02:15'],
  [1.1041666666666667, 46, '26:30:00'],
  [0.0038194444444444443, 45, '05:30'],
  [0.0038202, 47, '05:30.0'],
  [0.0625, 45, '1:30:00'],
  [0.375, 'hh:mm', '09:00'],
  [0.0625, '[mm]:ss', '90:00'],
  [0.0625, '[$-409]h:mm:ss\\ AM/PM', '1:30:00'],
  [0.0625, '[h]&quot; hours&quot;', '1:30'],
  // A day is one, whatever part of it the format shows.
  [492.5, 20, '1901-05-06'],
  [492.5, 22, '1901-05-06'],
  [492, 17, '1901-05-06'],
  [492, 'd. mmmm yyyy', '1901-05-06'],
  [492, '0&quot; sheets&quot;', '492'],
])('%d in the format %s is %s', async (value, format, text) => {
  expect(await shown(value, format)).toBe(text);
});
