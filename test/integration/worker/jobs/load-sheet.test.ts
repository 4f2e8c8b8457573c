// Loading archival objects and digital objects from spreadsheets, from end to end: the sheet is sent as CSV or as a workbook, a report comes back.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { JobRequest } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import type { Table } from '#test/support/sheet-job.ts';
import { csv, runSheetJob, sheetOf, xlsx } from '#test/support/sheet-job.ts';

let api: TestApi;
let repoId: number;
let R: string;
let count = 0;
beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
});
afterAll(() => api[Symbol.asyncDispose]());

const read = async (uri: string) => (await api.get(uri)).json;
async function collection(): Promise<{ readonly resource: string; readonly id: number; readonly ead: string }> {
  count += 1;
  const resource = await api.create(`${R}/resources`, resourceBody(`L${count}`, { ead_id: `ead-${count}` }));
  return { resource, id: Number(resource.split('/').at(-1)), ead: `ead-${count}` };
}
const jobOf = (id: number, more: object = {}): object => ({
  jsonmodel_type: 'bulk_import_job',
  resource_id: String(id),
  filename: 'x.csv',
  load_type: 'ao',
  content_type: 'csv',
  format: 'csv',
  ...more,
});
const load = (sheet: Buffer, id: number, more: object = {}, request: JobRequest = {}) =>
  runSheetJob(api, repoId, sheet, jobOf(id, more), { params: { rid: id }, ...request });
const send = (table: Table, id: number, more: object = {}, request: JobRequest = {}) =>
  load(csv(table), id, more, request);
const nodes = async (resource: string, parent = ''): Promise<any[]> =>
  read(`${resource}/tree/waypoint?offset=0${parent === '' ? '' : `&parent_node=${parent}`}`);
const titles = async (resource: string, parent = ''): Promise<readonly string[]> =>
  (await nodes(resource, parent)).map((node) => node.title);
const total = async (kind: string): Promise<number> => (await read(`${R}/${kind}?page=1`)).total;
const findAgent = async (uri: string) => (await read(uri)).title;

test('loads archival objects in the order and hierarchy of the rows, with all that their cells say', async () => {
  const { resource, id, ead } = await collection();
  const first = await api.create(`${R}/archival_objects`, {
    title: 'There before',
    level: 'file',
    resource: { ref: resource },
  });
  const person = await api.create('/agents/people', {
    names: [
      {
        primary_name: 'Known',
        rest_of_name: 'Ann',
        name_order: 'inverted',
        sort_name_auto_generate: true,
        source: 'local',
      },
    ],
  });
  const subject = await api.create('/subjects', {
    source: 'lcsh',
    vocabulary: '/vocabularies/1',
    terms: [{ term: `Maps ${id}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const old = await api.create(`${R}/top_containers`, { indicator: '7', type: 'box', barcode: `b7-${id}` });
  const rows = [
    {
      res_uri: resource,
      title: 'Letters',
      hierarchy: '1',
      level: 'Series',
      publish: 'TRUE',
      unit_id: 'u1',
      processing_note: 'Look again',
      restrictions_flag: '1',
      dates_label: '',
      begin: '1900',
      end: '1910',
      date_certainty: 'Approximate',
      number: '2',
      extent_type: 'Linear Feet',
      n_scopecontent: 'All of them.',
      l_scopecontent: 'Scope',
      n_accessrestrict: 'Closed',
      b_accessrestrict: '2020-01-01',
      t_accessrestrict: 'InProcessSpecColl',
      n_abstract: 'Short',
      p_abstract: '0',
    },
    {
      ead,
      title: 'Folder',
      hierarchy: '2',
      level: 'file',
      begin: '1901',
      dates_label: 'issued',
      begin_2: '1905',
      expression_2: 'about 1905',
      l_lang: 'eng',
      l_langscript: 'Latn',
      n_langmaterial: 'Mostly English.',
      people_agent_header_1: 'Known, Ann',
      people_agent_role_1: 'Subject',
      people_agent_header_2: 'New, Person',
      people_agent_relator_2: 'Author',
      corporate_entities_agent_header_1: 'New Firm',
      subject_1_term: `Maps ${id}`,
      subject_1_source: 'lcsh',
      subject_2_term: 'Ships',
      cont_instance_type: 'Mixed Materials',
      type_1: 'Box',
      indicator_1: '1',
      type_2: 'folder',
      indicator_2: '3',
      cont_instance_type_2: 'text',
      barcode_2: `b7-${id}`,
    },
    {
      ead,
      expression: 'undated',
      hierarchy: '2',
      level: 'file',
      people_agent_header_1: 'New, Person',
      subject_1_term: 'Ships',
      cont_instance_type: 'text',
      type_1: 'box',
      indicator_1: '1',
      barcode: `b1-${id}`,
      digital_object_id: `d-${id}`,
      digital_object_title: 'Scan',
      rep_file_uri: 'https://example.org/1.jpg',
      rep_file_format: 'jpeg',
      rep_file_size: '12',
      nonrep_file_uri: 'https://example.org/2.jpg',
      thumbnail: 'https://example.org/t.jpg',
    },
    {
      ead,
      title: '=SUM(1)',
      hierarchy: '3',
      level: 'otherlevel',
      other_level: 'leaf',
      cont_instance_type: 'Scroll case',
      type_1: 'tube',
      indicator_1: '1',
      people_agent_record_id_1: person.split('/').at(-1) ?? '',
      people_agent_role_1: 'creator',
      subject_1_record_id: subject.split('/').at(-1) ?? '',
    },
    { ead, title: 'Photographs', hierarchy: '1', level: 'series' },
  ];
  const ended = await send(sheetOf(rows), id);
  expect(ended, ended.log).toMatchObject({
    status: 'completed',
    result: {
      rows: 5,
      created: {
        archival_object: 5,
        digital_object: 1,
        top_container: 2,
        agent_person: 1,
        agent_corporate_entity: 1,
        subject: 1,
      },
    },
  });
  expect(ended.records).toHaveLength(11);
  const report: string[][] = parse(ended.reports[0] ?? '', { relax_column_count: true, skip_empty_lines: true });
  expect(ended.reports[0]?.startsWith('Row,Status,Title,URI,Ref ID,Info or Error\n\n')).toBe(true);
  const lines = report.filter(([, status]) => status === 'Created');
  expect(lines.map(([row, , title]) => [row, title])).toEqual([
    ['4', 'Letters, 1900 - 1910'],
    ['5', 'Folder, 1901, about 1905'],
    ['6', 'undated'],
    ['7', "'=SUM(1)"],
    ['8', 'Photographs'],
  ]);
  const [letters, folder, undated, sum, photographs] = await Promise.all(
    lines.map(async (line) => read(line[3] ?? '')),
  );
  expect(lines.map((line) => line[4])).toEqual([letters, folder, undated, sum, photographs].map((node) => node.ref_id));
  expect(await titles(resource)).toEqual(['There before', 'Letters', 'Photographs']);
  expect(folder.parent).toEqual({ ref: letters.uri });
  expect([undated.parent.ref, undated.position, sum.parent.ref]).toEqual([letters.uri, 1, undated.uri]);
  expect((await read(first)).lock_version).toBe(0);
  expect(letters).toMatchObject({
    level: 'series',
    publish: true,
    component_id: 'u1',
    repository_processing_note: 'Look again',
    restrictions_apply: true,
    created_by: 'admin',
    dates: [{ label: 'creation', begin: '1900', end: '1910', date_type: 'inclusive', certainty: 'approximate' }],
    extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet' }],
  });
  expect(
    letters.notes.map((note: any) => [
      note.type,
      note.label ?? null,
      note.publish,
      note.content?.[0] ?? note.subnotes[0].content,
      note.rights_restriction ?? null,
    ]),
  ).toEqual([
    ['scopecontent', 'Scope', true, 'All of them.', null],
    [
      'accessrestrict',
      null,
      true,
      'Closed',
      { begin: '2020-01-01', local_access_restriction_type: ['InProcessSpecColl'] },
    ],
    ['abstract', null, false, 'Short', null],
  ]);
  expect(folder).toMatchObject({
    dates: [
      { label: 'issued', begin: '1901' },
      { label: 'creation', begin: '1905', expression: 'about 1905' },
    ],
    lang_materials: [
      { language_and_script: { language: 'eng', script: 'Latn' } },
      { notes: [{ content: ['Mostly English.'] }] },
    ],
  });
  expect(folder.linked_agents.map((link: any) => [link.role, link.relator ?? null])).toEqual([
    ['subject', null],
    ['creator', 'aut'],
    ['creator', null],
  ]);
  expect(folder.linked_agents[0].ref).toBe(person);
  expect(await Promise.all(folder.linked_agents.slice(1).map((link: any) => findAgent(link.ref)))).toEqual([
    'New, Person',
    'New Firm',
  ]);
  expect(undated.linked_agents[0].ref).toBe(folder.linked_agents[1].ref);
  expect(folder.subjects).toHaveLength(2);
  expect([folder.subjects[0].ref, undated.subjects[0].ref, sum.subjects[0].ref]).toEqual([
    subject,
    folder.subjects[1].ref,
    subject,
  ]);
  expect(folder.instances[1].sub_container.top_container.ref).toBe(old);
  const box = folder.instances[0].sub_container.top_container.ref;
  expect(folder.instances[0]).toMatchObject({
    instance_type: 'mixed_materials',
    sub_container: { type_2: 'folder', indicator_2: '3' },
  });
  expect(undated.instances[0].sub_container.top_container.ref).toBe(box);
  expect(await read(box)).toMatchObject({
    type: 'box',
    indicator: '1',
    barcode: `b1-${id}`,
    collection: [{ ref: resource }],
  });
  expect(await read(undated.instances[1].digital_object.ref)).toMatchObject({
    digital_object_id: `d-${id}`,
    title: 'Scan',
    publish: false,
    file_versions: [
      {
        file_uri: 'https://example.org/1.jpg',
        is_representative: true,
        publish: true,
        file_format_name: 'jpeg',
        file_size_bytes: 12,
      },
      { file_uri: 'https://example.org/2.jpg', publish: false },
      { file_uri: 'https://example.org/t.jpg', xlink_show_attribute: 'embed' },
    ],
  });
  expect(sum.instances[0].instance_type).toBe('Scroll case');
  expect((await checkDatabase(api.database)).filter((each: any) => each.count > 0)).toEqual([]);
  // Sent again, boxes and headings are found; what the sheet describes is there twice, as two sheets would be, but for identifiers.
  const again = await send(sheetOf(rows.slice(0, 2)), id);
  expect(again, again.log).toMatchObject({ status: 'completed', result: { rows: 2, created: { archival_object: 2 } } });
  expect(await send(sheetOf(rows), id)).toMatchObject({ status: 'failed', records: [] });
});

test('loads beside an archival object, from a workbook', async () => {
  const { resource, id } = await collection();
  const series = await api.create(`${R}/archival_objects`, {
    title: 'Series',
    level: 'series',
    resource: { ref: resource },
  });
  const file = await api.create(`${R}/archival_objects`, {
    title: 'File',
    level: 'file',
    resource: { ref: resource },
    parent: { ref: series },
  });
  const row = (title: string, hierarchy: string) => ({
    res_uri: resource,
    title,
    hierarchy,
    level: 'file',
    begin: '1950',
  });
  const aoid = Number(file.split('/').at(-1));
  const table = sheetOf([row('Below', '2'), row('Beside', '1'), row('Below beside', '2')]);
  // Programs make numbers of what looks like some.
  const numbers = table.map((cells) => cells.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell)));
  const ended = await load(xlsx(numbers), id, { content_type: 'xlsx' }, { params: { rid: id, aoid } });
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { rows: 3 } });
  expect([await titles(resource), await titles(resource, series), await titles(resource, file)]).toEqual([
    ['Series'],
    ['File', 'Beside'],
    ['Below'],
  ]);
  expect((await read(ended.records[0] ?? '')).dates).toMatchObject([{ begin: '1950' }]);
  // A sheet of headings alone loads nothing.
  expect(await load(xlsx(table.slice(0, 3)), id, { content_type: 'xlsx' })).toMatchObject({
    status: 'completed',
    result: { rows: 0, created: {} },
    records: [],
  });
  const wrong = await load(xlsx(sheetOf([row('', '3')])), id, { content_type: 'xlsx' }, { params: { rid: id, aoid } });
  expect(wrong.log).toContain('of the sheet Any name');
  expect(wrong.log).toContain('Row 4, column hierarchy: May be 2 at most');
  const other = await collection();
  expect(
    (
      await send(
        sheetOf([{ res_uri: other.resource, title: 'x', hierarchy: '1', level: 'file' }]),
        other.id,
        {},
        { params: { rid: other.id, aoid } },
      )
    ).log,
  ).toContain(`The resource of the job has no archival object ${aoid}`);
});

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

test('loads digital objects into archival objects that are there, from the filled-in template', async () => {
  const { resource, id } = await collection();
  const components: string[] = [];
  for (const title of ['One', 'Two', 'Three'])
    components.push(
      await api.create(`${R}/archival_objects`, { title, level: 'file', publish: true, resource: { ref: resource } }),
    );
  const [one, two, three] = await Promise.all(components.map(read));
  const table: string[][] = parse((await api.get(`${resource}/templates/digital_object_creation.csv`)).text);
  const codes = table[2] ?? [];
  const fill = (row: number, cells: { readonly [code: string]: string }): void => {
    for (const [code, text] of Object.entries(cells)) (table[row] ?? [])[codes.indexOf(code)] = text;
  };
  fill(4, {
    digital_object_id: `x-${id}`,
    digital_object_title: 'First',
    digital_object_type: 'Still Image',
    level: 'image',
    rep_file_uri: 'https://example.org/a',
    note_type: 'Summary',
    note_content: 'What it shows',
    begin: '1999',
    number: '1',
    extent_type: 'gigabytes',
    people_agent_header_1: `Maker ${id}`,
    subject_1_term: `Ships ${id}`,
  });
  fill(5, {
    ao_uri: '',
    ao_ref_id: two.ref_id,
    digital_object_publish: '0',
    nonrep_file_uri: 'https://example.org/b',
    people_agent_header_1: `Maker ${id}`,
  });
  fill(6, { ao_uri: three.uri.split('/').at(-1), digital_object_title: 'Third' });
  const ended = await send(table, id, { load_type: 'digital' });
  expect(ended, ended.log).toMatchObject({
    status: 'completed',
    result: { rows: 3, created: { digital_object: 3, agent_person: 1, subject: 1 } },
  });
  expect(new Set(ended.records.filter((uri) => uri.includes('archival_objects')))).toEqual(new Set(components));
  const after = await Promise.all(components.map(read));
  expect(
    after.map((node) => [node.lock_version, node.instances.map((instance: any) => instance.instance_type)]),
  ).toEqual([1, 1, 1].map((version) => [version, ['digital_object']]));
  const objects = await Promise.all(after.map(async (node) => read(node.instances[0].digital_object.ref)));
  expect(objects[0]).toMatchObject({
    digital_object_id: `x-${id}`,
    title: 'First',
    publish: true,
    level: 'image',
    digital_object_type: 'still_image',
    dates: [{ begin: '1999' }],
    extents: [{ extent_type: 'gigabytes' }],
    notes: [{ type: 'summary', content: ['What it shows'], publish: true }],
    linked_instances: [{ ref: one.uri }],
    subjects: [{}],
  });
  expect(objects[1]).toMatchObject({ title: 'Two', publish: false, file_versions: [{ publish: false }] });
  expect(objects[1].digital_object_id).toMatch(/^[0-9a-f]{32}$/);
  expect(objects[1].linked_agents[0].ref).toBe(objects[0].linked_agents[0].ref);
  expect(ended.reports[0]).toContain(`5,Updated,One,${one.uri},${one.ref_id},\n`);
  expect(ended.reports[0]).toContain(`5,,,,,digital object x-${id}: ${objects[0].uri}\n`);
  expect((await checkDatabase(api.database)).filter((each: any) => each.count > 0)).toEqual([]);
  // Once more: the identifier is in use; and rows that name nothing of the resource are wrong.
  fill(6, { ao_uri: '99999999', ao_ref_id: 'nonsense' });
  fill(5, { ao_ref_id: '' });
  const second = await send(table, id, { load_type: 'digital' });
  expect(second.status).toBe('failed');
  expect([...second.log.matchAll(/^Row (\d+), column (\w+):/gm)].map(([, row, column]) => `${row} ${column}`)).toEqual([
    '5 digital_object_id',
    '6 ao_ref_id',
    '7 ao_uri',
  ]);
  expect((await read(components[0] ?? '')).lock_version).toBe(1);
});

test('asks at the run what the owner may do then', async () => {
  const { resource, id, ead } = await collection();
  const table = sheetOf([{ ead, title: 'One', hierarchy: '1', level: 'file' }]);
  const session = async (rights: readonly string[]) =>
    api.userWith(['create_job', 'view_repository', ...rights], repoId);
  const refused = await api.ask(`${R}/jobs`, {
    json: { jsonmodel_type: 'job', job: jobOf(id) },
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
