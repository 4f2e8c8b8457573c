// Sheets that are not loaded: every fault is told, in the log and in the report; those that are only to be validated; and those of owners who may not.
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { startTestApi } from '#test/support/api.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';
import { loadJob, sheetLoads } from '#test/support/sheet-loads.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});
const repoId = await api.repository();
const R = `/repositories/${repoId}`;
const { collection, load, send, read, nodes, titles } = sheetLoads(api, repoId);
const total = async (kind: string): Promise<number> => (await read(`${R}/${kind}?page=1`)).total;

test('tells every fault with row and column, in the log and in the report, and changes nothing', async () => {
  const { resource, id, ead } = await collection();
  await api.create(`${R}/digital_objects`, { title: 'Taken', digital_object_id: `taken-${id}` });
  const twin = {
    names: [{ primary_name: `Twin ${id}`, name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
  };
  await api.create('/agents/people', twin);
  await api.create('/agents/people', { names: [{ ...twin.names[0], source: 'naf' }] });
  const before = [
    await total('archival_objects'),
    await total('top_containers'),
    await total('digital_objects'),
    (await read('/agents/people?page=1')).total,
    (await read('/subjects?page=1')).total,
  ];
  const ok = { ead, hierarchy: '1', level: 'file', title: 'Fine' };
  const rows = [
    { ...ok, hierarchy: '2' },
    { ...ok, ead: 'other', level: 'nonsense', begin: '1900-13', number: '1' },
    {
      ...ok,
      res_uri: '/repositories/9/resources/9',
      title: '',
      hierarchy: 'x',
      l_lang: 'zzz',
      p_odd: '1',
      n_nonsense: 'text',
      b_accessrestrict: '2020-01-01',
    },
    {
      ...ok,
      ead: '',
      people_agent_record_id_1: '99999999',
      families_agent_header_1: 'F',
      families_agent_role_1: 'nonsense',
      people_agent_header_2: `Twin ${id}`,
      subject_1_record_id: '99999999',
      subject_2_term: 'T',
      subject_2_type: 'nonsense',
    },
    {
      ...ok,
      type_1: 'box',
      indicator_1: '1',
      cont_instance_type_2: 'text',
      barcode_2: 'unknown',
      cont_instance_type_3: 'text',
      indicator_1_3: '3',
      type_2_3: 'folder',
    },
    { ...ok, digital_object_id: `taken-${id}`, rep_file_size: 'big' },
    { ...ok, digital_object_id: `new-${id}`, begin: '1910', end: '1900' },
    { ...ok, digital_object_id: `new-${id}`, rep_caption: 'no address' },
    ok,
  ];
  const ended = await send(sheetOf(rows), id);
  expect(ended).toMatchObject({ status: 'failed', records: [] });
  const told = [...ended.log.matchAll(/^Row (\d+), column (\w+):/gm)].map(([, row, column]) => `${row} ${column}`);
  expect(told.toSorted()).toEqual(
    [
      '4 hierarchy',
      '5 begin',
      '5 ead',
      '5 extent_type',
      '5 level',
      '6 begin',
      '6 hierarchy',
      '6 l_lang',
      '6 n_accessrestrict',
      '6 n_nonsense',
      '6 res_uri',
      '6 title',
      '7 families_agent_role_1',
      '7 people_agent_header_2',
      '7 people_agent_record_id_1',
      '7 res_uri',
      '7 subject_1_record_id',
      '7 subject_2_type',
      '8 cont_instance_type',
      '8 indicator_1_2',
      '8 type_2_3',
      '9 digital_object_id',
      '9 rep_file_size',
      '9 rep_file_uri',
      '10 end',
      '11 digital_object_id',
      '11 rep_file_uri',
    ].toSorted(),
  );
  const report: string[][] = parse(ended.reports[0] ?? '', { relax_column_count: true, skip_empty_lines: true });
  expect(report.filter(([, status]) => status !== '').map(([row, status]) => [row, status])).toEqual([
    ['Row', 'Status'],
    ...[4, 5, 6, 7, 8, 9, 10, 11].map((row) => [String(row), 'Error']),
    ['12', 'Not loaded'],
  ]);
  expect(report.filter(([row, status]) => row === '9' && status === '').map((line) => line[5])).toContain(
    `digital_object_id: taken-${id} is in use`,
  );
  expect([
    await total('archival_objects'),
    await total('top_containers'),
    await total('digital_objects'),
    (await read('/agents/people?page=1')).total,
    (await read('/subjects?page=1')).total,
  ]).toEqual(before);
  expect(await titles(resource)).toEqual([]);
  // What cannot be read as a sheet fails with a report of its own.
  for (const bytes of [
    Buffer.from('no,codes\n'),
    csv([
      ['Field codes', 'title', 'title'],
      ['', 'x', 'y'],
    ]),
  ]) {
    const bad = await load(bytes, id);
    expect([bad.status, bad.reports.length]).toEqual(['failed', 1]);
    expect(bad.reports[0]).toMatch(/^1?,Error,/m);
  }
  expect((await send(sheetOf([ok]), id, { content_type: 'pdf' })).log).toContain('must be csv or xlsx');
  expect((await send(sheetOf([ok]), id, { load_type: 'nonsense' })).status).toBe('failed');
  expect((await send(sheetOf([ok]), 99999999)).status).toBe('failed');
});

test('tells a thousand faults in the log, and how many more there are; the report has all', async () => {
  const { id } = await collection();
  const { status, log, reports } = await send(
    sheetOf(
      Array.from({ length: 1003 }, (_, row) => ({
        ead: 'another',
        title: `Row ${row}`,
        hierarchy: '1',
        level: 'file',
      })),
    ),
    id,
  );
  expect([status, log.match(/^Row \d+, column /gm)?.length]).toEqual(['failed', 1000]);
  expect(log).toMatch(/^Row 1003, column .*\n… and 3 more\n/m);
  expect(reports[0]?.match(/,Error,/g)).toHaveLength(1003);
});

test('only validates where it is asked to: nothing is stored, and the report is there', async () => {
  const { resource, id, ead } = await collection();
  const table = sheetOf([
    {
      ead,
      title: 'One',
      hierarchy: '1',
      level: 'file',
      people_agent_header_1: `Only ${id}`,
      cont_instance_type: 'text',
      indicator_1: '1',
    },
  ]);
  const people = (await read('/agents/people?page=1')).total;
  const looked = await send(table, id, { only_validate: 'true' });
  expect(looked, looked.log).toMatchObject({
    status: 'completed',
    result: { rows: 1, only_validate: true, created: { archival_object: 1, agent_person: 1, top_container: 1 } },
    records: [],
  });
  expect(looked.reports[0]).toContain(`4,Valid,One,,,\n4,,,,,agent_person Only ${id}\n4,,,,,top container 1\n`);
  expect([await titles(resource), (await read('/agents/people?page=1')).total]).toEqual([[], people]);
  expect((await send(table, id)).reports[0]).toMatch(
    /^4,Created,One,\/repositories\/\d+\/archival_objects\/\d+,[0-9a-f]{32},\n4,,,,,agent_person Only \d+: \/agents\/people\/\d+$/m,
  );
});

test('asks at the run what the owner may do then', async () => {
  const { resource, id, ead } = await collection();
  const table = sheetOf([{ ead, title: 'One', hierarchy: '1', level: 'file' }]);
  const session = async (rights: readonly string[]) =>
    api.userWith(['create_job', 'view_repository', ...rights], repoId);
  const refused = await api.ask(`${R}/jobs`, {
    json: { jsonmodel_type: 'job', job: loadJob(id) },
    session: await session([]),
  });
  expect(refused.status).toBe(403);
  expect((await send(table, id, {}, { session: await session(['import_records']) })).status).toBe('completed');
  const [node] = await nodes(resource);
  const digital = sheetOf(
    [{ ead, ao_uri: node.uri, digital_object_title: 'D' }],
    'ArchivesSpace digital object import field codes',
  );
  expect(
    (await send(digital, id, { load_type: 'digital' }, { session: await session(['import_records']) })).log,
  ).toContain('update_resource_record');
  expect(
    (
      await send(
        digital,
        id,
        { load_type: 'digital' },
        { session: await session(['import_records', 'update_resource_record']) },
      )
    ).status,
  ).toBe('completed');
});

test('fails for a type of load that there is not, for what is no archival object, and for what is no resource of the repository', async () => {
  const { resource, id, ead } = await collection();
  const sheet = csv(sheetOf([{ ead, hierarchy: '1', level: 'file', title: 'Fine' }]));
  for (const [more, params, property, says] of [
    [{ load_type: 'oa' }, { rid: id }, 'load_type', 'Must be ao or digital'],
    [{}, { rid: id, aoid: resource }, 'aoid', 'Must be the id of an archival object'],
    [{}, { rid: id, aoid: 'x1' }, 'aoid', 'Must be the id of an archival object'],
    [{}, { rid: R }, 'rid', 'Must be the id of a resource of the repository of the job'],
    [{}, { rid: '/repositories/1/resources/1' }, 'rid', 'Must be the id of a resource of the repository of the job'],
  ] as const)
    expect(await load(sheet, id, more, { params })).toMatchObject({
      status: 'failed',
      log: expect.stringContaining(`\t${property} : ${says}`),
    });
  expect(await titles(resource)).toEqual([]);
  // Nothing for the archival object is none; the resource may be named by its uri as well, and by the job alone.
  expect((await load(sheet, id, {}, { params: { rid: resource, aoid: '' } })).status).toBe('completed');
  expect((await load(sheet, id, {}, { params: {} })).status).toBe('completed');
  expect(await titles(resource)).toEqual(['Fine', 'Fine']);
});
