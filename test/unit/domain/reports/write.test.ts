// Reports as files: what a format has no character for.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { writeReport } from '#domain/reports/write.ts';

test('tabs and line ends of a text part its words in RTF', async () => {
  async function* rows(): AsyncGenerator<string> {
    yield JSON.stringify({ title: 'Box\t1\r\nFolder\n2 \u0001{é}' });
  }
  const report = { title: 'T', info: {}, columns: [{ key: 'title' }], rows: rows(), showsJson: false };
  const pieces = await Array.fromAsync(writeReport('rtf', report));
  expect(Buffer.concat(pieces).toString()).toContain('{\\b Title:} Box\\tab 1\\line Folder\\line 2 \\{\\u233?\\}\\par');
});

test('a workbook says of texts that a cell does not hold where they end, and how many there are', async () => {
  const sheets = async (length: number): Promise<readonly (readonly unknown[])[]> => {
    async function* rows(): AsyncGenerator<string> {
      yield JSON.stringify({ title: 'y'.repeat(length) });
    }
    const report = { title: 'T', info: {}, columns: [{ key: 'title' }], rows: rows(), showsJson: false };
    const book = readWorkbook(Buffer.concat(await Array.fromAsync(writeReport('xlsx', report))));
    return book.SheetNames.flatMap((name) => utils.sheet_to_json<unknown[]>(book.Sheets[name] ?? {}, { header: 1 }));
  };
  expect(await sheets(32_767)).toEqual([['Title'], ['y'.repeat(32_767)], ['Report', 'T']]);
  expect(await sheets(32_768)).toEqual([
    ['Title'],
    [`${'y'.repeat(32_766)}…`],
    ['Report', 'T'],
    ['Texts that end in … at the 32767 characters of a cell', 1],
  ]);
});
