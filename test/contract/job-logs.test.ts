// What the logs of jobs tell whoever reads them (contract imports 1 and 9, trees-and-jobs 3.7): what came into controlled lists, why nothing was done and
// with which record, in words. And which switches imports heed in each release.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import type { EndedJob } from '../support/api-jobs.ts';
import { runJob } from '../support/api-jobs.ts';
import { marcField, marcRecord } from '../support/marc-document.ts';

let api: TestApi;
let repo: number;

const makeRepository = async (on: TestApi, code: string): Promise<number> =>
  (await on.post('/repositories', { repo_code: code, name: code })).json.id;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repo = await makeRepository(api, 'LOGS');
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const importFile = async (
  type: string,
  content: string,
  more: JsonObject = {},
  [on, into]: readonly [TestApi, number] = [api, repo],
): Promise<EndedJob> =>
  runJob(
    on,
    into,
    { jsonmodel_type: 'import_job', filenames: ['a'], import_type: type, ...more },
    { file: { name: 'a', content } },
  );

const resource = (id: string): JsonObject => ({
  title: 'Papers',
  id_0: id,
  level: 'collection',
  lang_materials: [{ language_and_script: { language: 'eng' } }],
  dates: [{ label: 'creation', date_type: 'single', begin: '1900' }],
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
});

test('an import tells which values it added to controlled lists, and nothing where it added none', async () => {
  const sheet = (id: string): string =>
    `accession_title,accession_number_1,accession_acquisition_type,accession_resource_type\nA,${id},Found in a loft,papers\n`;
  const first = await importFile('accession_csv', sheet('L-1'));
  expect(first.log).toContain('New values of controlled lists: 1\n\taccession_acquisition_type: Found in a loft\n');
  const second = await importFile('accession_csv', sheet('L-2'));
  expect(second.status).toBe('completed');
  expect(second.log).not.toContain('New values');
});

test('records are told as created in the phase that saves them', async () => {
  const { log } = await importFile('accession_csv', 'accession_title,accession_number_1\nA,L-3\n');
  const [started, created, done] = [
    log.indexOf('STARTED: Saving records: cycle 1'),
    log.indexOf('Created: '),
    log.indexOf('DONE: Saving records: cycle 1'),
  ];
  expect(started).toBeGreaterThan(0);
  expect(created).toBeGreaterThan(started);
  expect(done).toBeGreaterThan(created);
});

test('a MARC record with two main entries is imported, with the first as the primary agent', async () => {
  const fields =
    marcField('245', '1', '0', { a: 'Minutes' }) +
    marcField('100', '1', ' ', { a: 'Doe, Jane' }) +
    marcField('110', '2', ' ', { a: 'Society of Clerks' }) +
    marcField('300', ' ', ' ', { a: '2 boxes' });
  const { status, records, log } = await importFile('marcxml', marcRecord(fields));
  expect(status, log).toBe('completed');
  const uri = records.find((each) => each.includes('/resources/')) ?? '';
  const { linked_agents: agents } = (await api.get(uri)).json;
  expect(agents.map((link: JsonObject) => link['is_primary'])).toEqual([true, false]);
});

test('an EAD container says by its altrender what no container profile is called, and the log tells', async () => {
  const { status, log } = await importFile(
    'ead_xml',
    `<ead><eadheader><eadid>e1</eadid></eadheader><archdesc level="collection"><did><unittitle>T</unittitle><unitid>E-1</unitid>
<unitdate>1900</unitdate><physdesc><extent>1 box</extent></physdesc><container type="box" altrender="Clamshell 3">1</container></did></archdesc></ead>`,
  );
  expect(status, log).toBe('completed');
  expect(log).toContain('no container profile has the name that altrender gives: Clamshell 3');
});

test('a replacement that a record cannot have names the record and the property in words', async () => {
  const made = (await api.post(`/repositories/${repo}/resources`, resource('FR-1'))).json.uri;
  const node = (
    await api.post(`/repositories/${repo}/archival_objects`, {
      title: 'Ledger',
      level: 'file',
      resource: { ref: made },
    })
  ).json.uri;
  const { status, log } = await runJob(api, repo, {
    jsonmodel_type: 'find_and_replace_job',
    find: 'Ledger',
    replace: '',
    record_type: 'archival_object',
    property: 'title',
    base_record_uri: made,
  });
  expect(status).toBe('failed');
  expect(log).toContain(`Problem with archival_object ${node}\n`);
  expect(log).toContain('\ttitle : must not be an empty string (or enter a Date)\n');
});

test('a duplicate whose identifier is taken says so in words', async () => {
  const made = (await api.post(`/repositories/${repo}/resources`, resource('DUP-1'))).json.uri;
  const job = { jsonmodel_type: 'resource_duplicate_job', source: made };
  expect((await runJob(api, repo, job)).status).toBe('completed');
  const { status, log } = await runJob(api, repo, job);
  expect(status).toBe('failed');
  expect(log).toContain('Problem with resource [Duplicated] Papers\n\tid_0 : That ID is already in use\n');
});

test('a sheet that cannot be read is refused in words, in the log and in the report', async () => {
  const { id } = (await api.post(`/repositories/${repo}/resources`, resource('BULK-1'))).json;
  const { uri, status, log } = await runJob(
    api,
    repo,
    {
      jsonmodel_type: 'bulk_import_job',
      resource_id: String(id),
      filename: 'a.csv',
      load_type: 'ao',
      content_type: 'csv',
      format: 'csv',
    },
    { params: { rid: String(id) }, file: { name: 'a.csv', content: 'title,level\nA,file\n' } },
  );
  expect(status).toBe('failed');
  expect(log).toBe('The sheet has no row of field codes: its first row with text is: title | level\n');
  const files = (await api.get(`${uri}/output_files`)).json;
  const report = (await api.get(`${uri}/output_files/${files.at(-1)}`)).text;
  expect(report).toContain(',,,,,The sheet has no row of field codes: its first row with text is: title | level\n');
});

test('R-A reads events with any value of its switch and subjects without one; R-B wants 1', async () => {
  const authority = marcRecord(
    marcField('040', ' ', ' ', { a: 'DLC' }) +
      marcField('100', '1', ' ', { a: 'Roe, Richard' }) +
      marcField('374', ' ', ' ', { a: 'Bakers' }),
    { leader: '00000nz  a2200000n  4500', number: 'n1', fixed: '800101n| acannaabn          |a ana     d' },
  );
  const seen = async (on: TestApi, into: number, more: JsonObject): Promise<readonly number[]> => {
    const { records, log, status } = await importFile('marcxml_auth_agent', authority, more, [on, into]);
    expect(status, log).toBe('completed');
    const agent = (await on.get(records.find((uri) => uri.startsWith('/agents/')) ?? '')).json;
    return [agent.agent_occupations.length, agent.agent_maintenance_histories.length];
  };
  expect(await seen(api, repo, { import_events: 'true' })).toEqual([0, 0]);
  await using older = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_RELEASE: 'R-A' } });
  const into = await makeRepository(older, 'RA');
  expect(await seen(older, into, { import_events: 'true' })).toEqual([1, 1]);
});

const eac = (type: string, relations = ''): string =>
  `<eac-cpf xmlns="urn:isbn:1-931666-33-4" xmlns:xlink="http://www.w3.org/1999/xlink"><control><recordId>r1</recordId>
<localControl localType="x"><term>Map</term></localControl></control><cpfDescription><identity><entityType>${type}</entityType>
<nameEntry><part>Harbour Board</part></nameEntry></identity><relations>${relations}</relations></cpfDescription></eac-cpf>`;

test('an EAC-CPF file of no agent says what it is of, and not what else was left out before', async () => {
  const { status, log } = await importFile('eac_xml', eac('concept'));
  expect(status).toBe('failed');
  expect(log).toContain('Nothing was made of the file: neither a person, a family nor a corporate body');
});

test('addresses of EAC-CPF relations are kept or told', async () => {
  const { status, log, records } = await importFile(
    'eac_xml',
    eac(
      'corporateBody',
      `<cpfRelation cpfRelationType="temporal-earlier" xlink:href="FR_005522"><relationEntry>Port Office</relationEntry></cpfRelation>
<cpfRelation cpfRelationType="temporal-later" xlink:href="https://other.example.org/agents/corporate_entities/7"><relationEntry>Port Trust</relationEntry></cpfRelation>
<resourceRelation resourceRelationType="subjectOf"><relationEntry>Guide</relationEntry><objectXMLWrap><bibref xmlns="urn:isbn:1-931666-22-9"><title>G</title><extptr
 href="https://example.org/guide"/><extptr href="https://example.org/second"/></bibref></objectXMLWrap></resourceRelation>`,
    ),
  );
  expect(status, log).toBe('completed');
  expect(log).toContain('a related agent is known by its name, not by this address: FR_005522');
  expect(log).not.toContain('other.example.org');
  expect(log).toContain('a resource has one address: https://example.org/second');
  const agents = await Promise.all(
    records.filter((uri) => uri.startsWith('/agents/')).map(async (uri) => (await api.get(uri)).json),
  );
  expect(agents.flatMap((agent) => agent.agent_resources).map((each: JsonObject) => each['file_uri'])).toEqual([
    'https://example.org/guide',
  ]);
});

test('an import names the records that stand for those that are there already', async () => {
  const file = marcRecord(marcField('245', '0', '0', { a: 'A' }) + marcField('650', ' ', '0', { a: 'Lighthouses' }));
  const first = await importFile('marcxml_subjects_and_agents', file);
  const subject = first.records.find((uri) => uri.startsWith('/subjects/'));
  const second = await importFile('marcxml_subjects_and_agents', file);
  expect(second.records).toEqual([]);
  expect(second.log).toMatch(new RegExp(`^Already there: /subjects/import_[0-9a-f-]+ is ${subject}$`, 'm'));
});
