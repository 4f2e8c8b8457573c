// Custom reports over HTTP: every field and part of the catalogue runs, conditions keep, and a hostile template reaches no SQL.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { askReport, makeReport, reportRows } from '#test/support/report-job.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { customField, customPartOf, readCustomCatalogue } from '#store/reports/custom.ts';

let api: TestApi;
let repoId: number;
let R = '';
const code = 'custom_report';
const catalogue = Object.entries(readCustomCatalogue()) as readonly (readonly [string, JsonObject])[];
const namesIn = (of: JsonObject | undefined, property: string, key = 'name'): readonly string[] =>
  objectsOf(of, property).map((each) => textOf(each, key) ?? '');
const everyField = namesIn(readCustomCatalogue()['global'] as JsonObject, 'fields');

const created = async (path: string, body: object): Promise<string> => {
  const reply = await api.post(path, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.uri;
};

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_CUSTOM_REPORTS: 'true' } });
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
  const agent = await created('/agents/people', {
    names: [{ primary_name: 'Giver', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    agent_contacts: [{ name: 'Giver', email: 'giver@example.org' }],
  });
  const subject = await created('/subjects', {
    source: 'lcsh',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const resource = await created(
    `${R}/resources`,
    resourceBody('R1', {
      title: '=Papers',
      subjects: [{ ref: subject }],
      deaccessions: [
        {
          scope: 'part',
          description: 'Duplicates',
          date: { date_type: 'single', label: 'deaccession', begin: '2020-05-05' },
        },
      ],
      rights_statements: [
        {
          rights_type: 'copyright',
          status: 'copyrighted',
          jurisdiction: 'US',
          start_date: '2000-01-01',
          linked_agents: [{ ref: agent, role: 'rights_holder' }],
          acts: [{ act_type: 'delete', restriction: 'allow', start_date: '2001-01-01' }],
        },
      ],
    }),
  );
  const digital = await created(`${R}/digital_objects`, {
    title: 'Scan',
    digital_object_id: 'D1',
    file_versions: [{ file_uri: 'http://x.org/1' }],
  });
  await created(`${R}/archival_objects`, {
    title: 'File',
    level: 'file',
    resource: { ref: resource },
    instances: [{ instance_type: 'digital_object', digital_object: { ref: digital } }],
  });
  const classification = await created(`${R}/classifications`, { identifier: 'C', title: 'Classes' });
  await created(`${R}/classification_terms`, {
    identifier: 'C1',
    title: 'A class',
    classification: { ref: classification },
  });
  const accession = (id_0: string, more: object) =>
    created(`${R}/accessions`, { title: `Accession ${id_0}`, id_0, accession_date: '2020-03-01', ...more });
  const first = await accession('1', {
    publish: true,
    acquisition_type: 'gift',
    linked_agents: [{ ref: agent, role: 'source' }],
    extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet' }],
    collection_management: { processing_priority: 'high' },
    user_defined: { text_1: 'mine' },
  });
  await accession('2', {
    accession_date: '2021-03-01',
    acquisition_type: 'purchase',
    related_accessions: [
      { ref: first, jsonmodel_type: 'accession_parts_relationship', relator: 'has_part', relator_type: 'part' },
    ],
  });
  await accession('3', { accession_date: '2019-03-01' });
  await created(`${R}/events`, {
    event_type: 'processed',
    date: { date_type: 'single', label: 'event', begin: '2020-06-01' },
    linked_agents: [{ ref: agent, role: 'implementer' }],
    linked_records: [{ ref: first, role: 'source' }],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

let made = 0;
const template = (data: unknown, limit = 100, repository = R): Promise<string> =>
  created(`${repository}/custom_report_templates`, {
    name: `T${(made += 1)}`,
    data: typeof data === 'string' ? data : JSON.stringify(data),
    limit,
  });
const rowsOf = async (data: unknown, limit?: number, session = api.session) =>
  reportRows(api, { repoId, code, session, parameters: { template: await template(data, limit) } });
const included = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { include: '1' }]));

describe('the catalogue of custom reports', () => {
  test('has SQL for each of its fields and parts, and for no other name', () => {
    for (const [type, about] of catalogue.filter(([name]) => name !== 'global')) {
      for (const name of [...namesIn(about, 'fields'), ...everyField])
        expect(customField(type, name), `${type} ${name}`).toBeTypeOf('string');
      for (const part of namesIn(about, 'subreports', 'code'))
        expect(customPartOf(type, part), `${type} ${part}`).toBeDefined();
      for (const name of ['toString', '__proto__', 'password', "title'"])
        expect([customField(type, name), customPartOf(type, name)]).toEqual([undefined, undefined]);
    }
    expect(customField('toString', 'title')).toBeUndefined();
  });

  test.each(catalogue.map(([type]) => type).filter((type) => type !== 'global'))(
    'runs with everything of %s, filtered and sorted by everything',
    async (type) => {
      const about = Object.fromEntries(catalogue)[type];
      const fields = [
        ...objectsOf(about, 'fields'),
        ...everyField.map((name) => ({ name, data_type: name.endsWith('time') ? 'Date' : 'User', sortable: true })),
      ];
      const all = { custom_record_type: type, subreports: included(...namesIn(about, 'subreports')) };
      const shown = await rowsOf({ ...all, fields: included(...fields.map((field) => String(field['name']))) });
      expect(Array.isArray(shown)).toBe(true);
      const filtered = Object.fromEntries(
        fields.map((field) => [
          field['name'],
          { include: '1', value: 'true', values: ['1'], range_start: '1800-01-01', range_end: '2200-01-01' },
        ]),
      );
      expect(
        await rowsOf({
          ...all,
          fields: filtered,
          sort_by: fields.find((field) => field['sortable'] === true)?.['name'],
        }),
      ).toEqual([]);
    },
  );
});

describe('a custom report', () => {
  test('is listed, and shows fields and parts that its template chose', async () => {
    expect((await api.get('/reports', null)).json.reports[code]).toEqual({
      code,
      model: 'CustomReport',
      params: [['template', 'CustomReportTemplate', expect.any(String)]],
    });
    expect(
      await rowsOf({
        custom_record_type: 'accession',
        fields: { ...included('identifier', 'title'), accession_date: { include: '1' } },
        subreports: included(
          'extent',
          'linked_agent',
          'event',
          'interrelated_accession',
          'collection_management',
          'user_defined',
        ),
        sort_by: 'accession_date',
      }),
    ).toMatchObject([
      {
        identifier: '3',
        title: 'Accession 3',
        accession_date: '2019-03-01',
        extent: [],
        linked_agent: [],
        event: [],
        interrelated_accession: [],
        collection_management: [],
      },
      {
        identifier: '1',
        extent: [{ number: '2', extent_type: 'linear_feet' }],
        linked_agent: [{ name: 'Giver', function: 'source' }],
        event: [{ event_type: 'processed', date: '2020-06-01' }],
        interrelated_accession: [{ identifier: '2' }],
        collection_management: [{ processing_priority: 'high' }],
        user_defined: [{ text_1: 'mine' }],
      },
      { identifier: '2', interrelated_accession: [{ identifier: '1' }] },
    ]);
    expect(
      await rowsOf({
        custom_record_type: 'rights_statement',
        fields: included('rights_type'),
        subreports: included('linked_agent', 'rights_statement_act', 'resource', 'accession'),
      }),
    ).toMatchObject([
      {
        rights_type: 'copyright',
        linked_agent: [{ name: 'Giver' }],
        rights_statement_act: [{ act_type: 'delete' }],
        resource: [{ identifier: 'R1' }],
        accession: [],
      },
    ]);
    expect(await rowsOf({ custom_record_type: 'deaccession', subreports: included('date', 'resource') })).toMatchObject(
      [{ date: [{ begin: '2020-05-05' }], resource: [{ record_title: '=Papers' }] }],
    );
    expect(
      await rowsOf({
        custom_record_type: 'classification',
        fields: included('title'),
        subreports: included('classification_term'),
      }),
    ).toEqual([{ title: 'Classes', classification_term: [{ identifier: 'C1', title: 'A class', description: null }] }]);
    expect(await rowsOf({ custom_record_type: 'resource', subreports: included('archival_object') })).toMatchObject([
      { archival_object: [{ record_title: 'File' }] },
    ]);
    expect(
      await rowsOf({
        custom_record_type: 'digital_object',
        fields: included('digital_object_id'),
        subreports: included('file_version'),
      }),
    ).toMatchObject([{ digital_object_id: 'D1', file_version: [{ file_uri: 'http://x.org/1' }] }]);
    expect(
      await rowsOf({
        custom_record_type: 'archival_object',
        fields: included('title'),
        subreports: included('instance', 'resource'),
      }),
    ).toMatchObject([
      { instance: [{ instance_type: 'digital_object', digital_object: 'Scan' }], resource: [{ identifier: 'R1' }] },
    ]);
  });

  test('names suppressed objects of instances to who may see them alone', async () => {
    const [{ uri }] = (await api.get(`${R}/digital_objects?page=1`)).json.results;
    await api.post(`${uri}/suppressed?suppressed=true`, {});
    const instances = { custom_record_type: 'archival_object', subreports: included('instance') };
    const session = await api.userWith(['create_job', 'view_repository'], repoId);
    expect(await rowsOf(instances, 9, session)).toMatchObject([{ instance: [{ digital_object: null }] }]);
    expect(await rowsOf(instances)).toMatchObject([{ instance: [{ digital_object: 'Scan' }] }]);
    await api.post(`${uri}/suppressed?suppressed=false`, {});
  });

  test('keeps to its conditions, whether their fields are shown or not, and to its limit', async () => {
    const titles = async (fields: object, limit?: number) =>
      (
        await rowsOf(
          { custom_record_type: 'accession', fields: { title: { include: '1' }, ...fields }, sort_by: 'identifier' },
          limit,
        )
      ).map((row) => row['title']);
    const { id } = await api.database.reader.one(sql.type(IdRow)`
      SELECT v.id FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = 'accession_acquisition_type' AND v.value = 'gift'`);
    expect(await titles({ acquisition_type: { values: [String(id)] } })).toEqual(['Accession 1']);
    expect(await titles({ publish: { value: 'true' } })).toEqual(['Accession 1']);
    expect(await titles({ publish: { value: 'false' } })).toEqual(['Accession 2', 'Accession 3']);
    expect(await titles({ accession_date: { range_start: '2019-03-01', range_end: '2021-03-02' } })).toEqual([
      'Accession 1',
      'Accession 2',
    ]);
    expect(await titles({ created_by: { values: ['admin'] } })).toHaveLength(3);
    expect(await titles({ created_by: { values: ["admin' OR true --"] } })).toEqual([]);
    expect(await titles({}, 2)).toEqual(['Accession 1', 'Accession 2']);
  });

  test.each(['json', 'csv', 'html', 'pdf', 'rtf', 'xlsx'])(
    'comes as %s under the name of its template',
    async (format) => {
      const uri = await template({
        custom_record_type: 'resource',
        fields: included('title'),
        subreports: included('subject'),
      });
      const { status, bytes } = await makeReport(api, { repoId, code, format, parameters: { template: uri } });
      expect(status).toBe('completed');
      if (format === 'csv') expect(bytes.toString()).toContain("'=Papers,Maps");
      if (format === 'html') expect(bytes.toString()).toContain(`<h1>T${made}</h1>`);
      if (format === 'xlsx')
        expect(utils.sheet_to_json(readWorkbook(bytes).Sheets['Report'] ?? {})).toEqual([
          { Title: '=Papers', 'Subject Subject': 'Maps' },
        ]);
      if (format === 'pdf') expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(bytes.length).toBeGreaterThan(50);
    },
  );

  test('of a hostile template shows what there is of it, and tells what it left out', async () => {
    const hostile = [
      "title' AS x, (SELECT body FROM record WHERE kind = 'user') --",
      "'); DROP TABLE record; --",
      '$1',
      'password',
      '__proto__',
      'toString',
      'body',
    ];
    const data = `{"custom_record_type":"accession","sort_by":"r.id; DROP TABLE record","fields":{"title":{"include":"1"},${hostile.map((name) => `${JSON.stringify(name)}:{"include":"1","values":["1"]}`).join(',')}},"subreports":{${hostile.map((name) => `${JSON.stringify(name)}:{"include":"1"}`).join(',')}}}`;
    const { status, log, bytes } = await makeReport(api, {
      repoId,
      code,
      parameters: { template: await template(data) },
    });
    expect(status, log).toBe('completed');
    expect(JSON.parse(bytes.toString()).records).toEqual([
      { title: 'Accession 1' },
      { title: 'Accession 2' },
      { title: 'Accession 3' },
    ]);
    for (const name of hostile) expect(log).toContain(`Left out: ${JSON.stringify(name)} is no field of accession`);
    expect(log).toContain('accession cannot be sorted by');
  });

  test('is refused by name where the template is none, is of another repository, or can be no report', async () => {
    const elsewhere = await template(
      { custom_record_type: 'accession', fields: included('title') },
      100,
      `/repositories/${await api.repository()}`,
    );
    // Templates of such a type are refused, but may have been stored before they were.
    const nothing = await template({ custom_record_type: 'accession', fields: included('title') });
    const unknown = JSON.stringify({ custom_record_type: 'users; DROP TABLE record', fields: included('title') });
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE record SET body = with_property(body, 'data', to_json(${unknown}::text)) WHERE kind = 'custom_report_template' AND id = ${idOf(nothing)}`,
      ),
    );
    for (const [parameters, says] of [
      [{}, 'Property is required but was missing'],
      [{ template: 'x' }, 'Must be the id of a record'],
      [{ template: 99_999 }, 'There is no template 99999'],
      [{ template: elsewhere }, expect.stringContaining('There is no template')],
      [{ template: nothing }, expect.stringContaining('There are no custom reports of "users; DROP TABLE record"')],
    ]) {
      const reply = await askReport(api, {
        repoId,
        code,
        parameters: typeof parameters === 'object' ? parameters : {},
      });
      expect([reply.status, reply.json]).toEqual([400, { error: { template: [says] } }]);
    }
  });

  test('of users and of contact details needs the rights to see them', async () => {
    const users = { template: await template({ custom_record_type: 'user', fields: included('username') }) };
    const contacts = {
      template: await template({
        custom_record_type: 'agent',
        fields: included('name'),
        subreports: included('agent_contact'),
      }),
    };
    const session = await api.userWith(['create_job', 'view_repository'], repoId);
    for (const parameters of [users, contacts])
      expect((await askReport(api, { repoId, code, parameters, session })).status).toBe(403);
    // Those that the list of users has, and none of the service's own, which are hidden from all.
    const listed = (await api.get('/users?page=1&page_size=250')).json.results;
    const names = (rows: readonly { readonly username?: unknown }[]) => rows.map(({ username }) => username).toSorted();
    expect(names(await reportRows(api, { repoId, code, parameters: users }))).toEqual(names(listed));
    expect(names(listed)).toContain('admin');
    expect(
      (await reportRows(api, { repoId, code, parameters: contacts })).find((row) => row['name'] === 'Giver'),
    ).toMatchObject({ agent_contact: [{ email: 'giver@example.org' }] });
    const { results } = (await api.get('/system/audit?event=contacts_exported')).json;
    expect(results.slice(0, 1)).toMatchObject([
      {
        actor: 'admin',
        subject: expect.stringMatching(/^\/repositories\/\d+\/jobs\/\d+$/),
        details: { report: 'custom_report', rows: expect.any(Number) },
      },
    ]);
  });
});

test('there are no custom reports where the installation has not switched them on', async () => {
  await using plain = await startTestApi({ worker: 'jobs' });
  const repository = await plain.repository();
  expect((await plain.get('/reports', null)).json.reports[code]).toBeUndefined();
  const refused = await askReport(plain, { repoId: repository, code, parameters: { template: 1 } });
  expect([refused.status, refused.json]).toEqual([
    400,
    { error: { report_type: [expect.stringContaining("Invalid value 'custom_report'")] } },
  ]);
});
