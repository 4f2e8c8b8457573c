// Reports as jobs: every report in every format, what some of them show, parameters, and who may have which.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import type { EndedReport } from '#test/support/report-job.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { makeReport, reportRows } from '#test/support/report-job.ts';

let api: TestApi;
let repoId: number;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  const R = `/repositories/${repoId}`;
  const agent = await api.create('/agents/people', {
    names: [{ primary_name: 'Giver', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
  });
  const subject = await api.create('/subjects', {
    source: 'lcsh',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const shelf = await api.create('/locations', { building: 'Main', floor: '1', barcode: 's1' });
  const box = await api.create(`${R}/top_containers`, {
    indicator: '1',
    type: 'box',
    container_locations: [{ ref: shelf, status: 'current', start_date: '2020-01-01' }],
  });
  const resource = await api.create(
    `${R}/resources`,
    resourceBody('R1', { title: '=Papers, "old"', restrictions: true }),
  );
  await api.create(`${R}/archival_objects`, {
    title: 'File',
    level: 'file',
    resource: { ref: resource },
    instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
  });
  await api.create(`${R}/accessions`, {
    title: 'Früh <b>',
    id_0: '2020',
    id_1: '1',
    accession_date: '2020-03-01',
    inventory: 'a list',
    subjects: [{ ref: subject }],
    linked_agents: [
      { ref: agent, role: 'source' },
      { ref: agent, role: 'creator' },
    ],
    related_resources: [{ ref: resource }],
    extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet' }],
  });
  await api.create(`${R}/accessions`, { title: 'Late', id_0: '2021', accession_date: '2021-03-01' });
  await api.create(`${R}/digital_objects`, {
    title: 'Scan',
    digital_object_id: 'D1',
    file_versions: [{ file_uri: 'http://x.org/1' }, { file_uri: 'http://x.org/2' }],
  });
  await api.create(`${R}/assessments`, {
    records: [{ ref: resource }],
    surveyed_by: [{ ref: agent }],
    survey_begin: '2020-01-01',
  });
});
afterAll(() => api[Symbol.asyncDispose]());

const make = (code: string, format: string, parameters: object = {}, session = api.session): Promise<EndedReport> =>
  makeReport(api, { repoId, code, format, parameters, session });

const json = async (
  code: string,
  parameters: object = {},
): Promise<{ info: Record<string, string>; records: Record<string, any>[] }> => {
  const { status, log, bytes } = await make(code, 'json', parameters);
  expect(status, log).toBe('completed');
  return JSON.parse(bytes.toString());
};

describe('the list of reports', () => {
  test('names each with its parameters, and each can be made', async () => {
    const { reports, formats } = (await api.get('/reports', null)).json;
    expect(formats).toEqual(['json', 'csv', 'html', 'pdf', 'rtf', 'xlsx']);
    expect(reports.created_accessions_report).toEqual({
      code: 'created_accessions_report',
      model: 'CreatedAccessionsReport',
      params: [
        ['from', 'Date', expect.any(String)],
        ['to', 'Date', expect.any(String)],
      ],
    });
    for (const code of Object.keys(reports)) expect(Array.isArray((await json(code)).records), code).toBe(true);
  });

  test('tells the fields of custom reports, and gives files by the end of their path', async () => {
    const custom = (await api.get('/reports/custom_data', null)).json;
    expect(custom.global.fields.map((field: { name: string }) => field.name)).toEqual([
      'created_by',
      'last_modified_by',
      'create_time',
      'user_mtime',
    ]);
    expect((await api.get('/reports/static/report.css', null)).status).toBe(200);
    expect((await api.get('/reports/static/no-such-file.css', null)).json).toEqual({
      error: 'File not found: no-such-file.css',
    });
    expect((await api.get('/reports/static/..%2f..%2fpackage.json', null)).status).toBe(404);
  });
});

describe('a report', () => {
  test('shows records with their parts', async () => {
    const { info, records } = await json('accession_report');
    expect(info['repository']).toMatch(/^Repository/);
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      accession_number: '2020-1',
      record_title: 'Früh <b>',
      accession_date: '2020-03-01',
      extent: '2 linear_feet',
      processed: false,
      names: [
        { name: 'Giver', function: 'source' },
        { name: 'Giver', function: 'creator' },
      ],
      subjects: [{ subject: 'Maps' }],
    });
    expect((await json('accession_inventory_report')).records).toMatchObject([
      { inventory: 'a list', linked_resources: [{ identifier: 'R1' }] },
    ]);
    expect((await json('resource_locations_list_report')).records).toMatchObject([
      { identifier: 'R1', locations: [{ top_container: expect.stringContaining('Box 1'), location: 'Main, 1 [s1]' }] },
    ]);
    expect((await json('digital_object_file_versions_report')).records).toMatchObject([
      { identifier: 'D1', file_versions: [{ file_uri: 'http://x.org/1' }, { file_uri: 'http://x.org/2' }] },
    ]);
    expect((await json('shelflist_report')).records).toMatchObject([
      { title: 'Main, 1 [s1]', holdings: [{ top_container: expect.stringContaining('Box 1') }] },
    ]);
    expect((await json('subject_list_report')).records).toEqual([
      { subject_title: 'Maps', term_type: 'topical', source: 'lcsh' },
    ]);
    expect((await json('agent_list_report')).records).toEqual(
      expect.arrayContaining([{ sort_name: 'Giver', name_type: 'agent_person', name_source: 'local' }]),
    );
    expect((await json('assessment_list_report')).records).toMatchObject([
      { survey_begin: '2020-01-01', records: [{ record_type: 'resource' }], surveyed_by: [{ name: 'Giver' }] },
    ]);
    const users = (await json('user_groups_report')).records.map((row) => row['username']);
    expect(users).toContain('admin');
    // Hidden, as in the list of users.
    expect(users).not.toContain('search_indexer');
  });

  test('shows each instance of a resource and of its components, those that are digital too', async () => {
    const own = await api.repository();
    const R = `/repositories/${own}`;
    const box = await api.create(`${R}/top_containers`, { indicator: '5', type: 'box', barcode: 'b5' });
    const scan = await api.create(`${R}/digital_objects`, { title: 'Map, scanned', digital_object_id: 'M1' });
    const folder = (indicator_2: string) => ({
      instance_type: 'maps',
      sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2 },
    });
    const digital = { instance_type: 'digital_object', digital_object: { ref: scan } };
    const resource = await api.create(`${R}/resources`, resourceBody('R1', { instances: [digital] }));
    await api.create(`${R}/archival_objects`, {
      title: 'File',
      level: 'file',
      resource: { ref: resource },
      instances: [folder('1'), folder('2')],
    });
    const [row] = await reportRows(api, { repoId: own, code: 'resource_instances_list_report' });
    const inBox = { instance_type: 'maps', top_container: expect.stringContaining('Box 5'), barcode: 'b5' };
    expect(row?.['instances']).toMatchObject([
      { instance_type: 'digital_object', top_container: null, digital_object: 'Map, scanned' },
      { ...inBox, type_2: 'folder', indicator_2: '1', digital_object: null },
      { ...inBox, type_2: 'folder', indicator_2: '2', digital_object: null },
    ]);
  });

  test('shows on shelves what the repository has there now, and nothing of others', async () => {
    const shelf = await api.create('/locations', { building: 'Shared', barcode: 's9' });
    const here = { ref: shelf, status: 'current', start_date: '2020-01-01' };
    const left = await api.create('/locations', { building: 'Shared', barcode: 's8', temporary: 'conservation' });
    await api.create(`/repositories/${repoId}/top_containers`, {
      indicator: 'ours',
      container_locations: [here, { ...here, ref: left, status: 'previous', end_date: '2020-02-01' }],
    });
    await api.create(`/repositories/${await api.repository()}/top_containers`, {
      indicator: 'theirs',
      container_locations: [here],
    });
    const { records } = await json('shelflist_report');
    const at = (uri: string): unknown =>
      records.find((row) => row['title'].includes(uri === shelf ? 's9' : 's8'))?.['holdings'];
    expect([at(shelf), at(left)]).toMatchObject([[{ top_container: expect.stringContaining('ours') }], []]);
    expect(at(shelf)).toHaveLength(1);
  });

  test('suppressed events, and what suppressed components hold, count for those alone who may see them', async () => {
    const own = await api.repository();
    const R = `/repositories/${own}`;
    const session = await api.userWith(['create_job', 'view_repository'], own);
    const accession = await api.create(`${R}/accessions`, { title: 'Bare', id_0: '1', accession_date: '2020-01-01' });
    const location = await api.create('/locations', { building: 'Vault', barcode: 'v' });
    const stands = [{ ref: location, status: 'current', start_date: '2021-01-01' }];
    const box = await api.create(`${R}/top_containers`, { indicator: '77', container_locations: stands });
    const scan = await api.create(`${R}/digital_objects`, { title: 'Secret scan', digital_object_id: 'D77' });
    const resource = await api.create(`${R}/resources`, resourceBody('R1', { title: 'Half open' }));
    const component = await api.create(`${R}/archival_objects`, {
      title: 'Secret file',
      level: 'file',
      resource: { ref: resource },
      instances: [
        { instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } },
        { instance_type: 'digital_object', digital_object: { ref: scan } },
      ],
    });
    const agent = await api.create('/agents/people', {
      names: [{ primary_name: 'Processor', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    });
    const event = await api.create(`${R}/events`, {
      event_type: 'processed',
      date: { date_type: 'single', label: 'event', begin: '2020' },
      linked_agents: [{ ref: agent, role: 'implementer' }],
      linked_records: [{ ref: accession, role: 'source' }],
    });
    const told = async (reader: string) => {
      const found = async (code: string, key: string, value: string) =>
        (await reportRows(api, { repoId: own, code, session: reader })).find((row) => row[key] === value) ?? {};
      return {
        isUnprocessed: 'record_title' in (await found('accession_unprocessed_report', 'record_title', 'Bare')),
        processed: (await found('accession_report', 'record_title', 'Bare'))['processed'],
        instances: (await found('resource_instances_list_report', 'record_title', 'Half open'))['instances'].length,
        boxes: (await found('resource_locations_list_report', 'record_title', 'Half open'))['locations'].length,
        resource: (await found('digital_object_list_table_report', 'identifier', 'D77'))['resource_identifiers'],
        held: (await found('location_holdings_report', 'building', 'Vault'))['resources'].length,
      };
    };
    const shown = { isUnprocessed: false, processed: true, instances: 2, boxes: 1, resource: 'R1', held: 1 };
    expect(await told(session)).toEqual(shown);
    for (const uri of [event, component])
      expect((await api.ask(`${uri}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(200);
    expect(await told(api.session)).toEqual(shown);
    expect(await told(session)).toEqual({
      isUnprocessed: true,
      processed: false,
      instances: 0,
      boxes: 0,
      resource: null,
      held: 0,
    });
    for (const uri of [event, resource, box, scan, location, agent]) expect((await api.del(uri)).status).toBe(200);
  });

  test('keeps to a range of dates, without its bounds', async () => {
    const receipts = (parameters: object) =>
      json('accession_receipt_report', parameters).then(({ records }) => records.map((row) => row['record_title']));
    expect(await receipts({ scope_by_date: 'true', from: '2020-03-01', to: '2021-03-02' })).toEqual(['Late']);
    expect(await receipts({ scope_by_date: 'true', from: '2020-02-28', to: '2021-03-01' })).toEqual(['Früh <b>']);
    expect(await receipts({ from: '2030-01-01' })).toHaveLength(2);
    expect((await make('accession_receipt_report', 'json', { scope_by_date: 'true', from: 'nonsense' })).status).toBe(
      'failed',
    );
    // A number was passed over, and all accessions reported.
    expect((await make('created_accessions_report', 'json', { from: 2020 })).status).toBe('failed');
  });

  test('comes as CSV with lists in columns and no formulas, or as JSON in one', async () => {
    const lines = (bytes: Buffer): string[][] => parse(bytes, { relax_column_count: true, skip_empty_lines: true });
    const table = lines((await make('accession_subjects_names_classifications_list_report', 'csv')).bytes);
    expect(table[0]?.[0]).toBe('repository');
    const head = table[1] ?? [];
    expect(head.slice(-4)).toEqual([
      'names_name',
      'names_function',
      'subjects_subject',
      'classifications_classification',
    ]);
    expect(table.slice(2).map((row) => row.slice(-4))).toEqual([
      ['Giver', 'source', 'Maps', ''],
      ['Giver', 'creator', 'Maps', ''],
      ['', '', '', ''],
    ]);
    const flat = lines(
      (await make('accession_subjects_names_classifications_list_report', 'nonsense', { csv_show_json: true })).bytes,
    );
    expect(JSON.parse(flat[2]?.[flat[1]?.indexOf('subjects') ?? 0] ?? '')).toEqual([{ subject: 'Maps' }]);
    expect((await make('resources_list_report', 'csv')).bytes.toString()).toContain(`"'=Papers, ""old"""`);
    expect((await make('resource_restrictions_list_report', 'csv')).bytes.toString()).not.toContain('No results');
    expect((await make('accession_rights_transferred_report', 'csv')).bytes.toString()).toContain('No results found.');
  });

  test('comes as a page, a workbook, PDF and RTF', async () => {
    expect((await make('accession_report', 'html')).bytes.toString()).toContain('<td>Früh &lt;b&gt;</td>');
    const book = readWorkbook((await make('accession_report', 'xlsx')).bytes);
    expect(utils.sheet_to_json<Record<string, unknown>>(book.Sheets['Report'] ?? {})[0]).toMatchObject({
      'Record Title': 'Früh <b>',
      'Accession Number': '2020-1',
    });
    const { lines } = readPdf((await make('accession_report', 'pdf')).bytes);
    expect(lines.map(({ text }) => text)).toEqual(expect.arrayContaining(['Accessions', 'Record Title: Früh <b>']));
    expect((await make('accession_report', 'rtf')).bytes.toString()).toContain(
      '{\\b Record Title:} Fr\\u252?h <b>\\par',
    );
  });

  test('is printed in any script, and the log tells what no font has', async () => {
    const other = await api.repository();
    const titles = ['Zażółć gęślą jaźń', 'מכתבים', 'مراسلات', 'Переписка', '東京'];
    for (const [n, title] of titles.entries())
      await api.create(`/repositories/${other}/accessions`, { title, id_0: `S${n}`, accession_date: '2020-03-01' });
    const { bytes, log } = await makeReport(api, {
      ...{ repoId: other, code: 'accession_report', format: 'pdf' },
      ...{ parameters: {}, session: api.session },
    });
    const heads = readPdf(bytes).lines.flatMap(
      ({ text }) => /^Record Title: \u2068?(.*?)\u2069?$/u.exec(text)?.[1] ?? [],
    );
    expect(heads.toSorted()).toEqual(titles.toSorted());
    expect(log).toContain(
      '(script Han), which are shown as boxes; the package @expo-google-fonts/noto-sans-jp has them',
    );
    expect(bytes.toString('latin1')).not.toContain('/Helvetica');
  });

  test('is refused to owners without the right', async () => {
    const session = await api.userWith(['create_job', 'view_repository'], repoId);
    expect((await make('accession_report', 'json', {}, session)).status).toBe('completed');
    const refused = await make('user_groups_report', 'json', {}, session);
    expect([refused.status, refused.log]).toEqual(['failed', expect.stringContaining('manage_users')]);
  });
});
