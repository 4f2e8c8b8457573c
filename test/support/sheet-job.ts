// Sending spreadsheets to jobs in tests, as CSV or as workbooks, and waiting for how the jobs end.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import { expect } from 'vitest';
import type { TestApi } from './api.ts';

/** Rows of cells. */
export type Table = readonly (readonly string[])[];

/** How a job ended: its log, the records that it made or changed, and the texts of its files after the first, which is the sheet. */
export type EndedSheetJob = { readonly uri: string; readonly status: string; readonly result: any; readonly log: string; readonly records: readonly string[]; readonly reports: readonly string[] };

/** A table as CSV, as spreadsheet programs write it. */
export const csv = (table: Table): Buffer => Buffer.from(`\uFEFF${table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`);

/** A table as a workbook of one sheet. */
export function xlsx(table: readonly (readonly (string | number)[])[]): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(table.map((row) => [...row])), 'Any name');
  return writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' });
}

/** A sheet of the codes that the rows have, with headings as templates have them. */
export function sheetOf(rows: readonly { readonly [code: string]: string | undefined }[], head = 'ArchivesSpace field code'): string[][] {
  const codes = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [['Load', ...codes.map(() => '')], [head, ...codes], ['Names', ...codes], ...rows.map((row) => ['', ...codes.map((code) => row[code] ?? '')])];
}

/** Makes the job through the API; gives its uri. */
export async function postSheetJob(api: TestApi, repoId: number, bytes: Buffer, job: object, params: object, session = api.session): Promise<string> {
  const form = new FormData();
  form.set('job', JSON.stringify({ jsonmodel_type: 'job', job_params: JSON.stringify(params), job }));
  form.append('files[]', new Blob([new Uint8Array(bytes)]), 'sheet');
  const reply = await fetch(`${api.url}/repositories/${repoId}/jobs_with_files`, { method: 'POST', headers: { 'x-service-session': session }, body: form });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return JSON.parse(text).uri;
}

/** Waits for the end of a job. */
export async function endOfJob(api: TestApi, uri: string): Promise<EndedSheetJob> {
  for (let tries = 0; tries < 600; tries++) {
    const { status, result } = (await api.get(uri)).json;
    if (status !== 'queued' && status !== 'running') {
      const records = (await api.get(`${uri}/records?page=1&page_size=200`)).json.results.map((row: any) => row.record.ref);
      const [, ...files] = (await api.get(`${uri}/output_files`)).json as number[];
      const reports = await Promise.all(files.map(async (file) => (await api.get(`${uri}/output_files/${file}`)).text));
      return { uri, status, result, log: (await api.get(`${uri}/log`)).text, records, reports };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the job does not end');
}

/** Sends a sheet and waits for the end of its job. */
export const runSheetJob = async (api: TestApi, repoId: number, bytes: Buffer, job: object, params: object, session?: string): Promise<EndedSheetJob> => endOfJob(api, await postSheetJob(api, repoId, bytes, job, params, session));
