// The spreadsheet for changing archival objects, read by an independent reader.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let first: string;
let second: string;

const created = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  const box = await created('top_containers', { indicator: '7', type: 'box', barcode: 'b7' });
  const object = await created('digital_objects', {
    title: 'Scan',
    digital_object_id: 'D7',
    file_versions: [{ file_uri: 'http://x.org/1', caption: 'One' }],
  });
  resource = await created('resources', resourceBody('S1'));
  first = await created('archival_objects', {
    title: 'First <b>&',
    level: 'file',
    publish: true,
    component_id: 'c1',
    resource: { ref: resource },
    dates: [
      { date_type: 'single', label: 'creation', begin: '1900', certainty: 'approximate' },
      { date_type: 'single', label: 'issued', expression: 'later' },
    ],
    lang_materials: [
      { language_and_script: { language: 'ger', script: 'Latn' } },
      { notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['German'] }] },
    ],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        label: 'Scope',
        subnotes: [{ jsonmodel_type: 'note_text', content: 'Letters' }],
      },
      { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['Short'] },
    ],
    instances: [
      {
        instance_type: 'mixed_materials',
        sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '3' },
      },
      { instance_type: 'digital_object', digital_object: { ref: object } },
    ],
  });
  second = await created('archival_objects', { title: 'Second', level: 'item', resource: { ref: resource } });
});
afterAll(() => api[Symbol.asyncDispose]());

async function sheetOf(
  parameters: readonly (readonly [string, string])[],
): Promise<{ readonly rows: readonly Record<string, unknown>[]; readonly book: ReturnType<typeof readWorkbook> }> {
  const reply = await fetch(`${api.url}/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
    method: 'POST',
    headers: { 'x-service-session': api.session },
    body: new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])),
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(reply.headers.get('content-disposition')).toMatch(
    new RegExp(
      `^attachment; filename="bulk_update\\.resource_${resource.split('/').at(-1)}\\.\\d{4}-\\d\\d-\\d\\d\\.xlsx"$`,
    ),
  );
  const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
  return { book, rows: utils.sheet_to_json(book.Sheets['Updates'] ?? {}, { range: 1 }) };
}

test('shows every field of the records in the asked order, with drop-downs', async () => {
  const { rows, book } = await sheetOf([
    ['uri[]', second],
    ['uri[]', resource],
    ['uri[]', first],
    ['resource_uri', resource],
  ]);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    id: second.split('/').at(-1),
    lock_version: '0',
    title: 'Second',
    level: 'Item [item]',
    ref_id: expect.any(String),
    publish: 'false',
  });
  expect(rows[1]).toMatchObject({
    title: 'First <b>&',
    level: 'File [file]',
    component_id: 'c1',
    publish: 'true',
    'dates/0/label': 'Creation [creation]',
    'dates/0/begin': '1900',
    'dates/0/certainty': 'Approximate [approximate]',
    'dates/1/expression': 'later',
    'language_and_script/0/language': 'German [ger]',
    'note_langmaterial/0/content': 'German',
    'note/scopecontent/0/content': 'Letters',
    'note/scopecontent/0/label': 'Scope',
    'note/abstract/0/content': 'Short',
    'instances/0/top_container_type': 'Box [box]',
    'instances/0/top_container_indicator': '7',
    'instances/0/top_container_barcode': 'b7',
    'instances/0/sub_container_indicator_2': '3',
    'digital_object/0/digital_object_id': 'D7',
    'digital_object/0/digital_object_title': 'Scan',
    'digital_object/0/file_version_file_uri': 'http://x.org/1',
    'digital_object/0/file_version_caption': 'One',
  });
  const paths = Object.values(utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 })[1] ?? []);
  expect(paths.slice(0, 8)).toEqual([
    'id',
    'lock_version',
    'title',
    'level',
    'ref_id',
    'component_id',
    'repository_processing_note',
    'publish',
  ]);
  expect(paths.filter((path) => path.endsWith('/begin') && path.startsWith('dates/'))).toHaveLength(5);
  expect(book.SheetNames).toEqual(['Updates', 'Enums']);
  expect(['D1', 'D2', 'H1', 'H2', 'H3'].map((address) => book.Sheets['Enums']?.[address]?.v)).toEqual([
    'archival_record_level',
    'Class [class]',
    'boolean',
    'true',
    'false',
  ]);
});

test('shows the chosen groups alone, and takes one JSON array, of which all but uris of its records are left out', async () => {
  const elsewhere = first.replace(`/repositories/${repoId}/`, `/repositories/${repoId + 1}/`);
  const { rows, book } = await sheetOf([
    ['uri', JSON.stringify([5, resource, null, first, elsewhere, [second], { ref: second }, 'second', first])],
    ['resource_uri', resource],
    ['selected_columns[]', 'date'],
    ['extra_subrecords', '0'],
    ['min_subrecords', '1'],
  ]);
  expect(rows.map(({ id }) => id)).toEqual([first.split('/').at(-1)]);
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'id',
    'lock_version',
    'title',
    'dates/0/label',
    'dates/0/begin',
    'dates/0/certainty',
    'dates/1/label',
    'dates/1/expression',
  ]);
  expect(utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 })[0]).toEqual([
    'Id',
    'Version',
    'Title',
    ...[1, 2].flatMap((n) => ['Label', 'Expression', 'Begin', 'End', 'Certainty'].map((name) => `Date ${n} - ${name}`)),
  ]);
});

test.each([
  [
    {},
    {
      dates: 5,
      extents: 3,
      instances: 4,
      digital_object: 4,
      language_and_script: 1,
      note_langmaterial: 1,
      related_accessions: 1,
      'note/scopecontent': 2,
      'note/odd': 2,
    },
  ],
  [
    { min_subrecords: '4', extra_subrecords: '0', min_notes: '0' },
    {
      dates: 4,
      extents: 4,
      instances: 4,
      digital_object: 4,
      language_and_script: 1,
      'note/scopecontent': 1,
      'note/abstract': 1,
      'note/odd': 0,
    },
  ],
  [
    { min_subrecords: '1', extra_subrecords: '1', min_notes: '3' },
    {
      dates: 3,
      extents: 1,
      instances: 2,
      digital_object: 2,
      related_accessions: 1,
      'note/scopecontent': 3,
      'note/odd': 3,
    },
  ],
  [
    { min_subrecords: '0', extra_subrecords: '0', min_notes: '0' },
    { dates: 2, extents: 0, instances: 1, digital_object: 1, related_accessions: 1, 'note/accessrestrict': 0 },
  ],
])('is as wide as %j asks', async (widths, expected) => {
  const { book } = await sheetOf([
    ['uri[]', first],
    ['uri[]', second],
    ['resource_uri', resource],
    ...Object.entries(widths),
  ]);
  const paths = Object.values(utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 })[1] ?? []);
  const counted = Object.fromEntries(
    Object.keys(expected).map((group) => [
      group,
      new Set(paths.filter((path) => path.startsWith(`${group}/`)).map((path) => path.slice(0, path.lastIndexOf('/'))))
        .size,
    ]),
  );
  expect(counted).toEqual(expected);
});

test('refuses widths that nobody wants by their names', async () => {
  const ask = (more: Record<string, string>) =>
    api.ask(`/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
      method: 'POST',
      form: new URLSearchParams({ uri: first, resource_uri: resource, ...more }),
    });
  expect((await ask({ min_notes: '101', min_subrecords: '1000' })).json).toEqual({
    error: { min_subrecords: ['Must be no more than 100'], min_notes: ['Must be no more than 100'] },
  });
  expect((await ask({ min_notes: '-1' })).status).toBe(400);
});

test('takes uris with commas between them, and refuses more rows than a sheet is made of, and what is no list', async () => {
  const sheet = await api.ask(`/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
    method: 'POST',
    form: new URLSearchParams({ uri: `${second}, ${first}`, resource_uri: first }),
  });
  // What is no resource gives the file no name of its own.
  expect(sheet.headers.get('content-disposition')).toContain('bulk_update.resource_0.');
  const refusalOf = async (uri: string) =>
    (
      await api.ask(`/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
        method: 'POST',
        form: new URLSearchParams({ uri, resource_uri: resource }),
      })
    ).json;
  const uris = Array.from({ length: 10_001 }, (_, id) => `/repositories/${repoId}/archival_objects/${id + 1}`);
  expect(await refusalOf(uris.join(','))).toEqual({ error: { uri: ['Must name no more than 10000 records'] } });
  expect(await refusalOf('[x')).toEqual({ error: { uri: ['Must be a list of uris'] } });
});

test('takes its parameters as JSON, too, of whatever type clients say it is', async () => {
  const path = `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`;
  const body = JSON.stringify({ uri: [first], resource_uri: resource, min_notes: 101, selected_columns: ['date'] });
  for (const type of ['application/json', 'text/json; charset=utf-8', 'application/x-www-form-urlencoded', '']) {
    const { status, json } = await api.ask(path, { method: 'POST', body, headers: { 'content-type': type } });
    expect([type, status, json]).toEqual([type, 400, { error: { min_notes: ['Must be no more than 100'] } }]);
  }
  const made = await api.post(path, { uri: [first], resource_uri: resource, extra_subrecords: 0, min_notes: null });
  expect([made.status, made.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('bulk_update.resource_'),
  ]);
  expect((await api.ask(path, { method: 'POST', body: '{"uri":' })).status).toBe(400);
});

test('needs its parameters, and the right to view', async () => {
  const path = `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`;
  expect((await api.post(path)).json).toEqual({
    error: {
      uri: ['Parameter required but no value provided'],
      resource_uri: ['Parameter required but no value provided'],
    },
  });
  expect(
    (
      await api.ask(path, {
        method: 'POST',
        form: new URLSearchParams({ uri: first, resource_uri: resource }),
        session: await api.userWith(['create_job'], repoId),
      })
    ).status,
  ).toBe(403);
});
