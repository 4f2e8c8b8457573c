// What each report says of the harbour board's records, row by row, and custom reports of each type of record with all that they can show (contract
// trees-and-jobs 7.3, 7.4). Read beside the contract before it was kept.
import { expect, it } from 'vitest';
import { objectsOf, textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { readCustomChoice } from '#domain/reports/custom.ts';
import { parseReportChoice } from '#domain/reports/choice.ts';
import { reportCodes, reportOf } from '#domain/reports/reports.ts';
import { chooseReport } from '#store/reports/choose.ts';
import { customStatement, readCustomCatalogue } from '#store/reports/custom.ts';
import type { ReportStatement } from '#store/reports/definition.ts';
import { readRepositoryName, withReportRows } from '#store/reports/stream.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';

const database = await loadHarbour();

const rowsOf = (statement: ReportStatement): Promise<readonly unknown[]> =>
  withReportRows(database, statement, async (rows) => {
    const found: unknown[] = [];
    for await (const row of rows) found.push(JSON.parse(row));
    return found;
  });

const repoId = 2;
const everyone = { repoId, seesSuppressed: true };

/** The rows of a report with its columns, and what it asks of its owner besides. */
async function reportOfHarbour(code: string, given: JsonObject): Promise<unknown> {
  const report = reportOf(code, true) ?? expect.fail(code);
  const { statement, ...rest } = await chooseReport(database.reader, code, parseReportChoice(report, given), everyone);
  return { columns: statement.columns.map(({ key }) => key), ...rest, rows: await rowsOf(statement) };
}

const parameters: { readonly [code: string]: JsonObject } = {
  created_accessions_report: { from: '2024-05-05', to: '2024-05-07' },
  assessment_rating_report: { rating: '', values: ['1', '2', '3', '4', '5'] },
  location_holdings_report: { repository_uri: '/repositories/2' },
  custom_report: { template: 1 },
};

it('reports on the records, with what is shown of each', async () => {
  const reports: { [code: string]: unknown } = {};
  for (const code of reportCodes(true)) reports[code] = await reportOfHarbour(code, parameters[code] ?? {});
  await expectKept(keptText(reports, 4), 'reports/harbour.json');
});

const catalogue = readCustomCatalogue();
const names = (of: JsonObject | undefined, list: string): readonly string[] =>
  objectsOf(of, list).map((each) => textOf(each, 'name') ?? '');
const included = (all: readonly string[]): JsonObject =>
  Object.fromEntries(all.map((name) => [name, { include: '1' }]));

it('reports on each type of record with every field and every part that it may show', async () => {
  const reports: { [type: string]: unknown } = {};
  // Users are those of the service alone, made on the day of the test.
  for (const [type, about] of Object.entries(catalogue).filter(([name]) => !['global', 'user'].includes(name))) {
    const data = {
      custom_record_type: type,
      fields: included([
        ...names(about as JsonObject, 'fields'),
        ...names(catalogue['global'] as JsonObject, 'fields'),
      ]),
      subreports: included(names(about as JsonObject, 'subreports')),
    };
    const choice = readCustomChoice(JSON.stringify(data), 100, catalogue);
    reports[type] = await rowsOf(customStatement(choice, [repoId, true, null, null]));
  }
  await expectKept(keptText(reports, 3), 'reports/custom.json');
});

it('names the repository at the head of a report, where there is one', async () => {
  expect([await readRepositoryName(database, repoId), await readRepositoryName(database, 99)]).toEqual([
    'Port Ellery Harbour Board Archive',
    '',
  ]);
});

it('refuses what there is not', async () => {
  const refused = (code: string, given: object): Promise<unknown> =>
    chooseReport(
      database.reader,
      code,
      { from: null, to: null, rating: null, ratingValues: null, locations: null, template: null, ...given },
      everyone,
    ).catch((error: unknown) => error);
  expect(await refused('assessment_rating_report', { rating: 9 })).toMatchObject({
    code: 'bad_parameter',
    error: { rating: ['There is no rating 9'] },
  });
  expect(await refused('custom_report', { template: 7 })).toMatchObject({
    code: 'bad_parameter',
    error: { template: ['There is no template 7'] },
  });
  expect(await refused('custom_report', {})).toMatchObject({ error: { template: ['There is no template '] } });
  expect(await refused('odd_report', {})).toMatchObject({
    code: 'bad_parameter',
    error: { report_type: ['There is no report odd_report'] },
  });
});
