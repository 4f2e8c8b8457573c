// Sheets whose cells nothing is made of, or something else than they say: the log names each.
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';
import { sheetLoads } from '#test/support/sheet-loads.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(() => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const R = `/repositories/${repoId}`;
const { collection, read, send } = sheetLoads(api, repoId);

const imported = (import_type: string, content: string): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type, filenames: ['a.csv'] },
    { file: { name: 'a.csv', content } },
  );

test('what is meant for containers that are made is told where the row names one that is there', async () => {
  const { resource, id } = await collection();
  await api.create(`${R}/archival_objects`, { title: 'One', level: 'file', resource: { ref: resource } });
  const box = await api.create(`${R}/top_containers`, { indicator: '9', type: 'box' });
  const shelf = await api.create('/locations', { building: 'Main', floor: '1', barcode: 's1' });
  const table: string[][] = parse((await api.get(`${resource}/templates/top_container_creation.csv`)).text);
  const codes = table[2] ?? [];
  const cells: Readonly<Record<string, string>> = {
    instance_type: 'text',
    top_container_id: box.split('/').at(-1) ?? '',
    top_container_type: 'folder',
    location_id: shelf.split('/').at(-1) ?? '',
  };
  const row = codes.map((code, column) => cells[code] ?? table[4]?.[column] ?? '');
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'top_container_linker_job', resource_id: String(id), filename: 'x.csv', content_type: 'csv' },
    { params: { rid: id }, file: { name: 'x.csv', content: csv([...table.slice(0, 4), row]) } },
  );
  expect(ended.status, ended.log).toBe('completed');
  expect(await read(box)).toMatchObject({ type: 'box', container_locations: [] });
  expect(ended.log).toContain(
    'Row 5: top_container_type, location_id are only for containers that are made, and are left out',
  );
});

test('columns of which nothing is made are told, of a sheet that is loaded and of one that is refused', async () => {
  const { resource, id } = await collection();
  const row = { collection_id: 'C', ref_id: '', res_uri: resource, title: 'A', hierarchy: '1', level: 'file' };
  const warnings = (log: string): readonly string[] => log.match(/Warning: .*/g) ?? [];
  const loaded = await send(sheetOf([{ ...row, n_odd: 'B', l_odd: 'C', component: 'u1', title_2: 'D' }]), id);
  expect(loaded.status, loaded.log).toBe('completed');
  expect(warnings(loaded.log)).toEqual([
    'Warning: no column of this sheet; it is ignored: component',
    'Warning: no column of this sheet; it is ignored: title_2',
  ]);
  const refused = await send(sheetOf([{ ...row, level: undefined, levle: 'file' }]), id);
  expect(refused.status, refused.log).toBe('failed');
  expect(warnings(refused.log)).toEqual(['Warning: no column of this sheet; it is ignored: levle']);
  const blank = await send(
    [
      ['Ours', '', '', '', '', '', '', 'Remarks'],
      ['ArchivesSpace field code', 'res_uri', '', 'title', '', 'hierarchy', 'level', ''],
      ['', resource, 'Nobody reads this', 'A', '', '1', 'file', 'For us'],
    ],
    id,
  );
  expect(blank.status, blank.log).toBe('completed');
  expect(warnings(blank.log)).toEqual(['Warning: a column without a heading; it is ignored: C']);
});

test('a sheet whose rows have text in their first column, which makes them headings, is told to have no rows', async () => {
  const { resource, id } = await collection();
  const [, codes = [], , row = []] = sheetOf([{ res_uri: resource, title: 'A', hierarchy: '1', level: 'file' }]);
  const ended = await send([codes, ['1', ...row.slice(1)]], id);
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.log).toContain('Warning: the sheet has no rows of data, which have nothing in their first column');
});

test('columns of which nothing is made are told of a sheet of top containers, those for people not', async () => {
  const { resource, id, ead } = await collection();
  const component = await api.create(`${R}/archival_objects`, {
    title: 'One',
    level: 'file',
    resource: { ref: resource },
  });
  const cells = {
    ref_id: (await read(component)).ref_id,
    ead_id: ead,
    root_id: '1',
    'component ID': 'c',
    instance_type: 'text',
  };
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'top_container_linker_job', resource_id: String(id), filename: 'x.csv', content_type: 'csv' },
    {
      params: { rid: id },
      file: {
        name: 'x.csv',
        content: csv(sheetOf([{ ...cells, top_container_indicator: '1', top_container_barcod: 'b' }])),
      },
    },
  );
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.log.match(/Warning: .*/g)).toEqual([
    'Warning: no column of this sheet; it is ignored: top_container_barcod',
  ]);
});

test('numbers that are cut or rounded, words that are neither yes nor no, and ids of components in rows of objects are told', async () => {
  const accessions = await imported(
    'accession_csv',
    'accession_title,accession_number_1,accession_publish,user_defined_integer_1,user_defined_real_1,user_defined_boolean_1\nLetters,N1,x,12.7,1.005,no\nMaps,N2,false,12,1.5,yes\n',
  );
  expect(accessions.status, accessions.log).toBe('completed');
  expect(accessions.log.match(/line \d+, .*/g)).toEqual([
    'line 2, accession_publish: neither yes nor no; no is stored: x',
    'line 2, user_defined_integer_1: a whole number is stored, 12: 12.7',
    'line 2, user_defined_real_1: two decimals are stored, 1.00: 1.005',
  ]);
  const objects = await imported(
    'digital_object_csv',
    'digital_object_id,digital_object_title,digital_object_component_id\nD1,Scan,c7\n',
  );
  expect(objects.status, objects.log).toBe('completed');
  expect(objects.log).toContain('line 2, digital_object_component_id: the row is of no component: c7');
});

test('assessments: words that are neither yes nor no are told', async () => {
  const record = `resource_${(await collection()).id}`;
  expect((await api.post('/users?password=secret-secret', { username: 'joe', name: 'Joe' })).status).toBe(200);
  const [format] = (await read(`${R}/assessment_attribute_definitions`))['definitions'].filter(
    ({ type }: { readonly type: string }) => type === 'format',
  );
  const ended = await imported(
    'assessment_csv',
    csv([
      ['basic', 'basic', 'basic', 'basic', 'basic', 'format'],
      ['record', 'surveyed_by', 'survey_begin', 'appraisal', 'inactive', format.label],
      [record, 'joe', '1/2/2020', 'x', 'no', 'X'],
      [record, 'joe', '1/2/2020', 'yes', '', '1'],
    ]).toString(),
  );
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.log.match(/line \d+, .*/g)).toEqual([
    'line 3, appraisal: neither yes nor no; no is stored: x',
    `line 3, ${format.label}: neither yes nor no; no is stored: X`,
  ]);
});

test('assessments: a column that is there twice is refused, and text below no heading is told', async () => {
  const record = `resource_${(await collection()).id}`;
  expect((await api.post('/users?password=secret-secret', { username: 'sue', name: 'Sue' })).status).toBe(200);
  const twice = await imported(
    'assessment_csv',
    csv([
      ['basic', 'basic', 'basic', 'basic', 'basic'],
      ['record', 'surveyed_by', 'survey_begin', 'purpose', 'Purpose'],
      [record, 'sue', '1/2/2020', 'To see', 'To keep'],
    ]).toString(),
  );
  expect(twice.status, twice.log).toBe('failed');
  expect(twice.log).toContain('The column is there twice');
  const blank = await imported(
    'assessment_csv',
    csv([
      ['basic', 'basic', '', 'basic', 'basic'],
      ['record', 'surveyed_by', '', 'purpose', 'survey_begin'],
      [record, 'sue', 'Nobody reads this', 'To see', '1/2/2020'],
    ]).toString(),
  );
  expect(blank.status, blank.log).toBe('completed');
  expect(blank.log).toContain('line 3, C: a column without a heading; it is ignored: Nobody reads this');
});
