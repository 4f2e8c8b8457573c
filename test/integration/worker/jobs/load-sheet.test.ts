// Loading archival objects from spreadsheets, from end to end: the sheet is sent as CSV, a report comes back, and all that its cells say is there.
// Beside what is there: load-sheet-beside.test.ts. What is not loaded: load-sheet-refused.test.ts. Runs cut off: load-sheet-runs.test.ts.
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { startTestApi } from '#test/support/api.ts';
import { sheetOf } from '#test/support/sheet-job.ts';
import { sheetLoads } from '#test/support/sheet-loads.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const R = `/repositories/${repoId}`;
const { collection, send, read, titles } = sheetLoads(api, repoId);
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
