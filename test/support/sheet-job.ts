// Spreadsheets for jobs in tests, as CSV or as workbooks, and the reports that come back.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import type { TestApi } from './api.ts';
import type { EndedJob, JobRequest } from './api-jobs.ts';
import { runJob } from './api-jobs.ts';

/** Rows of cells. */
export type Table = readonly (readonly string[])[];

/** A table as CSV, as spreadsheet programs write it. */
export const csv = (table: Table): Buffer =>
  Buffer.from(
    `\uFEFF${table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`,
  );

/** A table as a workbook, of one sheet or with others behind it. */
export function xlsx(table: readonly (readonly (string | number | Date)[])[], behind: readonly string[] = []): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(table.map((row) => [...row])), 'Any name');
  for (const name of behind) utils.book_append_sheet(book, utils.aoa_to_sheet([['other']]), name);
  return writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' });
}

/** A sheet of the codes that the rows have, with headings as templates have them. */
export function sheetOf(
  rows: readonly { readonly [code: string]: string | undefined }[],
  head = 'ArchivesSpace field code',
): string[][] {
  const codes = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    ['Load', ...codes.map(() => '')],
    [head, ...codes],
    ['Names', ...codes],
    ...rows.map((row) => ['', ...codes.map((code) => row[code] ?? '')]),
  ];
}

/** Sends a sheet as the file of a job, waits for its end, and reads its reports: the texts of its files after the first, which is the sheet. */
export async function runSheetJob(
  api: TestApi,
  repoId: number,
  sheet: Buffer,
  job: object,
  request: Omit<JobRequest, 'file'>,
): Promise<EndedJob & { readonly reports: readonly string[] }> {
  const ended = await runJob(api, repoId, job, { ...request, file: { name: 'sheet', content: sheet } });
  const [, ...files]: readonly number[] = (await api.get(`${ended.uri}/output_files`)).json;
  return {
    ...ended,
    reports: await Promise.all(files.map(async (file) => (await api.get(`${ended.uri}/output_files/${file}`)).text)),
  };
}
