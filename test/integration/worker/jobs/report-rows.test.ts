// Which records each report takes, and which columns it has (contract trees-and-jobs 7.3): events, restrictions, sources, bounds of days,
// and nothing of suppressed records for those who may not see them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { makeReport, reportRows } from '#test/support/report-job.ts';

let api: TestApi;
let repoId: number;
let R: string;
let agent: string;
let hidden: string;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
  agent = await api.create('/agents/people', {
    names: [{ primary_name: 'Giver', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
  });
  await api.create('/agents/families', {
    names: [{ family_name: 'Sourceless', sort_name_auto_generate: true, rules: 'local' }],
  });
  const term = (name: string) =>
    api.create('/subjects', {
      source: 'lcsh',
      vocabulary: '/vocabularies/1',
      terms: [{ term: name, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
  const used = await term('Used');
  await term('Unused');
  const [now, before] = [
    await api.create('/locations', { building: 'Now', barcode: 'n' }),
    await api.create('/locations', { building: 'Before', barcode: 'b', temporary: 'exhibit' }),
  ];
  const box = await api.create(`${R}/top_containers`, {
    indicator: '1',
    type: 'box',
    container_locations: [
      { ref: now, status: 'current', start_date: '2021-01-01' },
      { ref: before, status: 'previous', start_date: '2020-01-01', end_date: '2021-01-01' },
    ],
  });
  const inBox = { instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }] };
  const deaccessions = [
    { scope: 'part', description: 'Twins', date: { date_type: 'single', label: 'deaccession', begin: '2020-05-05' } },
  ];
  const open = await api.create(
    `${R}/resources`,
    resourceBody('R1', { title: 'Open', subjects: [{ ref: used }], deaccessions, ...inBox }),
  );
  await api.create(`${R}/resources`, resourceBody('R2', { title: 'Closed', restrictions: true }));
  hidden = await api.create(`${R}/resources`, resourceBody('R3', { title: 'Hidden' }));
  const accession = (id_0: string, more: object = {}) =>
    api.create(`${R}/accessions`, { title: `Accession ${id_0}`, id_0, accession_date: '2020-01-01', ...more });
  const event = (event_type: string, ref: string, more: object = {}) =>
    api.create(`${R}/events`, {
      event_type,
      date: { date_type: 'single', label: 'event', begin: '2020' },
      linked_agents: [{ ref: agent, role: 'implementer' }],
      linked_records: [{ ref, role: 'source' }],
      ...more,
    });
  const first = await accession('1', {
    inventory: 'a list',
    deaccessions,
    subjects: [{ ref: used }],
    related_resources: [{ ref: open }, { ref: hidden }],
  });
  const second = await accession('2', { inventory: '' });
  await accession('3');
  await event('processed', first);
  await event('copyright_transfer', second, { outcome_note: 'By letter' });
  await event('copyright_transfer', second, { outcome_note: 'By deed' });
  await event('cataloged', second);
  const object = await api.create(`${R}/digital_objects`, {
    title: 'Scan',
    digital_object_id: 'D1',
    digital_object_type: 'text',
    file_versions: [{ file_uri: 'http://x.org/1' }],
  });
  await api.create(`${R}/digital_object_components`, {
    title: 'Page',
    digital_object: { ref: object },
    file_versions: [{ file_uri: 'http://x.org/page' }],
  });
  for (const ref of [open, hidden])
    await api.create(`${R}/archival_objects`, {
      title: 'File',
      level: 'file',
      resource: { ref },
      instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
    });
  await api.create(`${R}/assessments`, {
    records: [{ ref: open }, { ref: hidden }],
    surveyed_by: [{ ref: agent }],
    survey_begin: '2020-01-01',
    purpose: 'To know',
    reviewer: [{ ref: agent }],
    deed_of_gift: true,
    related_eac_records: true,
    ratings: [{ definition_id: 1, value: '3' }],
  });
  expect((await api.ask(`${hidden}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(200);
});
afterAll(() => api[Symbol.asyncDispose]());

const rows = (code: string, parameters: object = {}, session = api.session) =>
  reportRows(api, { repoId, code, parameters, session });
const titles = async (code: string, parameters: object = {}): Promise<readonly string[]> =>
  (await rows(code, parameters)).map((row) => row['record_title']);

describe('the columns of', () => {
  const accession = ['accession_number', 'record_title', 'accession_date'];
  const rights = [
    ...accession,
    'access_restrictions_note',
    'use_restrictions_note',
    'restrictions_apply',
    'extent',
    'container_summary',
    'processed',
    'cataloged',
    'rights_transferred',
    'rights_transferred_note',
  ];
  const resource = ['record_title', 'identifier', 'level', 'dates', 'bulk_dates', 'extent', 'container_summary'];
  const location = [
    'title',
    'building',
    'floor',
    'room',
    'area',
    'barcode',
    'classification',
    ...[1, 2, 3].flatMap((n) => [`coordinate_${n}_label`, `coordinate_${n}_indicator`]),
    'temporary',
  ];
  const columns: { readonly [code: string]: readonly string[] } = {
    accession_report: [
      ...accession,
      'provenance',
      'extent',
      'container_summary',
      'general_note',
      'dates',
      'bulk_dates',
      'acquisition_type',
      'resource_type',
      'retention_rule',
      'description_note',
      'condition_note',
      'inventory',
      'disposition_note',
      'restrictions_apply',
      'access_restrictions',
      'access_restrictions_note',
      'use_restrictions',
      'use_restrictions_note',
      'rights_transferred',
      'rights_transferred_note',
      'acknowledgement_sent',
      'processed',
      'cataloged',
      'deaccessions',
      'names',
      'subjects',
      'classifications',
    ],
    accession_receipt_report: [...accession, 'extent', 'container_summary', 'names'],
    accession_inventory_report: [
      ...accession,
      'inventory',
      'dates',
      'bulk_dates',
      'extent',
      'container_summary',
      'linked_resources',
    ],
    accession_unprocessed_report: [...accession, 'extent', 'container_summary', 'cataloged'],
    accession_rights_transferred_report: rights,
    accession_deaccessions_list_report: [...accession, 'extent', 'container_summary', 'deaccessions'],
    accession_subjects_names_classifications_list_report: [...rights, 'names', 'subjects', 'classifications'],
    created_accessions_report: accession,
    agent_list_report: ['sort_name', 'name_type', 'name_source'],
    assessment_rating_report: [
      'assessment_id',
      'linked_records',
      'rating',
      'value',
      'note',
      'surveyed_by',
      'surveyed_extent',
      'survey_begin',
      'survey_end',
    ],
    digital_object_list_table_report: [
      'identifier',
      'record_title',
      'object_type',
      'dates',
      'bulk_dates',
      'resource_identifiers',
    ],
    digital_object_file_versions_report: ['id', 'identifier', 'record_title', 'file_versions', 'components'],
    location_report: location,
    location_holdings_report: [...location, 'location_profile', 'accessions', 'resources', 'top_containers'],
    shelflist_report: [...location, 'location_profile', 'holdings'],
    resources_list_report: [
      'record_title',
      'identifier',
      'level',
      'resource_type',
      'publish',
      'restrictions',
      'dates',
      'extents',
    ],
    resource_deaccessions_list_report: [...resource, 'deaccessions'],
    resource_instances_list_report: [...resource, 'instances'],
    resource_locations_list_report: [...resource, 'locations'],
    resource_restrictions_list_report: [...resource, 'restrictions'],
    subject_list_report: ['subject_title', 'term_type', 'source'],
    user_groups_report: ['username', 'name', 'email', 'department', 'title', 'groups'],
  };

  test.each(Object.entries(columns))('%s are there in their order', async (code, expected) => {
    const found = await rows(code);
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) expect(Object.keys(row)).toEqual(expected);
  });

  test('assessment_list_report are all fields, and the lists', async () => {
    const [row = {}] = await rows('assessment_list_report');
    for (const property of [
      'survey_begin',
      'purpose',
      'monetary_value',
      'review_required',
      'sensitive_material',
      'inactive',
      'finding_aid_ead',
      'finding_aid_online',
      'conservation_note',
    ])
      expect(Object.keys(row)).toContain(property);
    expect(row).toMatchObject({
      purpose: 'To know',
      records: [{ record_title: 'Open' }, { record_title: 'Hidden' }],
      surveyed_by: [{ name: 'Giver' }],
      reviewer: [{ name: 'Giver' }],
      deed_of_gift: true,
      related_eac_records: true,
      finding_aid_online: false,
      ratings: [{ value: '3' }],
      formats: [],
      conservation_issues: [],
    });
  });
});

describe('the records of', () => {
  test('accessions are those with an inventory, without a processed event, with one of rights that were transferred, or all', async () => {
    expect(await titles('accession_inventory_report')).toEqual(['Accession 1']);
    expect(await titles('accession_unprocessed_report')).toEqual(['Accession 2', 'Accession 3']);
    expect((await rows('accession_unprocessed_report')).map((row) => row['cataloged'])).toEqual([true, false]);
    expect(await rows('accession_rights_transferred_report')).toMatchObject([
      { record_title: 'Accession 2', rights_transferred: true, rights_transferred_note: 'By letter; By deed' },
    ]);
    for (const code of [
      'accession_report',
      'accession_receipt_report',
      'accession_deaccessions_list_report',
      'accession_subjects_names_classifications_list_report',
    ])
      expect(await titles(code)).toEqual(['Accession 1', 'Accession 2', 'Accession 3']);
  });

  test('created accessions lie between days that do not count', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const beside = (days: number): string => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    expect(await titles('created_accessions_report', { from: beside(-2), to: beside(2) })).toHaveLength(3);
    expect(await titles('created_accessions_report', { from: beside(2), to: beside(4) })).toEqual([]);
    expect(await titles('created_accessions_report', { from: beside(-4), to: beside(-2) })).toEqual([]);
    expect(
      await titles('accession_receipt_report', { scope_by_date: '1', from: '2020-01-01', to: '2020-01-02' }),
    ).toEqual([]);
    expect(
      await titles('accession_receipt_report', { scope_by_date: '1', from: '2019-12-31', to: '2020-01-01' }),
    ).toEqual([]);
    expect(
      await titles('accession_receipt_report', { scope_by_date: '1', from: '2019-12-31', to: '2020-01-02' }),
    ).toHaveLength(3);
  });

  test('resources with restrictions are those alone; agents are those of sources who are no users; subjects are those in use', async () => {
    expect(await titles('resource_restrictions_list_report')).toEqual(['Closed']);
    // The service and the repository are agents as well.
    expect((await rows('agent_list_report')).map((row) => row['sort_name'])).toEqual([
      'Giver',
      'Muniment',
      expect.stringMatching(/^REPO/),
    ]);
    expect((await rows('subject_list_report')).map((row) => row['subject_title'])).toEqual(['Used']);
  });

  test('containers of resources show where they stand now', async () => {
    expect((await rows('resource_locations_list_report')).find((row) => row['record_title'] === 'Open')).toMatchObject({
      locations: [{ top_container: expect.stringContaining('Box 1'), location: 'Now [n]' }],
    });
  });

  test('relations that both sides show are told whichever was saved last', async () => {
    const classification = await api.create(`${R}/classifications`, { identifier: 'C', title: 'Class' });
    const resource = await api.create(`${R}/resources`, resourceBody('R4', { title: 'Spawned' }));
    const accession = await api.create(`${R}/accessions`, {
      title: 'Accession 4',
      id_0: '4',
      accession_date: '2020-01-01',
      inventory: 'another list',
      related_resources: [{ ref: resource }],
      classifications: [{ ref: classification }],
    });
    const told = async (): Promise<readonly unknown[]> => {
      const [inventories, accessions] = [await rows('accession_inventory_report'), await rows('accession_report')];
      const fourth = ({ record_title: title }: { readonly record_title?: unknown }) => title === 'Accession 4';
      return [inventories.find(fourth)?.['linked_resources'], accessions.find(fourth)?.['classifications']];
    };
    const both = [[{ identifier: 'R4', record_title: 'Spawned' }], [{ classification: 'Class' }]];
    expect(await told()).toEqual(both);
    for (const uri of [resource, classification])
      expect((await api.post(uri, (await api.get(uri)).json)).status).toBe(200);
    expect(await told()).toEqual(both);
    for (const uri of [accession, resource, classification]) expect((await api.del(uri)).status).toBe(200);
  });

  test('lists tell of suppressed records to those alone who may see them', async () => {
    const session = await api.userWith(['create_job', 'view_repository'], repoId);
    const seen = async (code: string, list: string, reader: string) =>
      (await rows(code, {}, reader)).map((row) => row[list]);
    const named = (...names: readonly string[]) =>
      names.map((record_title) => expect.objectContaining({ record_title }));
    expect(await seen('accession_inventory_report', 'linked_resources', api.session)).toEqual([
      named('Open', 'Hidden'),
    ]);
    expect(await seen('accession_inventory_report', 'linked_resources', session)).toEqual([named('Open')]);
    expect(await seen('assessment_list_report', 'records', session)).toEqual([named('Open')]);
    expect(await seen('digital_object_list_table_report', 'resource_identifiers', api.session)).toEqual(['R1; R3']);
    expect(await seen('digital_object_list_table_report', 'resource_identifiers', session)).toEqual(['R1']);
    expect((await rows('resources_list_report', {}, session)).map((row) => row['record_title'])).toEqual([
      'Open',
      'Closed',
    ]);
    expect((await rows('assessment_rating_report', {}, session))[0]?.['linked_records']).toEqual(named('Open'));
  });
});

describe('the form of', () => {
  test('CSV is what is known of the report, a blank line, headings, and a line for each combination of what lists hold', async () => {
    const two = await api.create(`${R}/accessions`, {
      title: 'Lists',
      id_0: '9',
      accession_date: '2019-01-01',
      linked_agents: [
        { ref: agent, role: 'source' },
        { ref: agent, role: 'creator' },
      ],
      deaccessions: ['A', 'B'].map((description) => ({
        scope: 'part',
        description,
        date: { date_type: 'single', label: 'deaccession', begin: '2020' },
      })),
    });
    const { bytes } = await makeReport(api, { repoId, code: 'accession_report', format: 'csv' });
    const lines = bytes.toString().split('\n');
    expect(lines[0]).toMatch(/^repository,Repository \d+$/);
    expect(lines[1]).toBe('');
    expect(lines[2]).toMatch(
      /^accession_number,record_title,accession_date,.*,deaccessions_description,deaccessions_date,deaccessions_notification,deaccessions_extent,names_name,names_function,subjects_subject,classifications_classification$/,
    );
    const ofLists = lines.filter((line) => line.startsWith('9,Lists,'));
    expect(ofLists.map((line) => [/,(A|B),2020,/.exec(line)?.[1], /,Giver,(\w+),/.exec(line)?.[1]])).toEqual([
      ['A', 'source'],
      ['A', 'creator'],
      ['B', 'source'],
      ['B', 'creator'],
    ]);
    expect((await api.del(two)).status).toBe(200);
  });

  test.each([
    ['pdf', '%PDF-'],
    ['docx', 'repository,'],
    ['JSON', '{"info":'],
  ])('a report that is asked for as %j begins with %s', async (format, start) => {
    const { status, bytes } = await makeReport(api, { repoId, code: 'subject_list_report', format });
    expect([status, bytes.toString('latin1').slice(0, start.length)]).toEqual(['completed', start]);
  });
});
