// Finding aids as other systems write them, sent as clients send them: what comes of their borders, and what the log names.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { eadDocument } from '#test/support/ead-document.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('FOREIGN');
});
afterAll(() => api[Symbol.asyncDispose]());

const imported = (import_type: string, content: string | Uint8Array): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type, filenames: ['foreign'] },
    { file: { name: 'foreign', content } },
  );

const recordOf = async (ended: EndedJob, path: string) =>
  (await api.get(ended.records.find((uri) => uri.includes(path)) ?? '/missing')).json;

test('statements of an internal revisiondesc are not published, and the head of its list is named', async () => {
  const ended = await imported(
    'ead_xml',
    eadDocument({
      header: `<eadid>rev</eadid><revisiondesc audience="internal"><change><date>2001</date><item>Donor asked for a new wording</item></change>
        <list><head>Earlier changes</head><item>Corrected</item></list></revisiondesc>`,
      did: '<unitid>REV</unitid>',
    }),
  );
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.log).toContain('Earlier changes');
  const resource = await recordOf(ended, '/resources/');
  expect(resource.revision_statements).toMatchObject([
    { date: '2001', publish: false },
    { description: 'Corrected', publish: false },
  ]);
  const id = resource.uri.split('/').at(-1);
  const ead = await api.get(`/repositories/${repoId}/resource_descriptions/${id}.xml`);
  expect(ead.text).not.toContain('Donor asked');
});

test('components below the twelfth level come in, as exports of peers number them', async () => {
  const depth = 15;
  const name = (level: number): string => `c${String(level).padStart(2, '0')}`;
  const nested = (level: number): string =>
    level > depth
      ? ''
      : `<${name(level)} level="file"><did><unittitle>L${level}</unittitle></did>${nested(level + 1)}</${name(level)}>`;
  const ended = await imported('ead_xml', eadDocument({ did: '<unitid>DEEP</unitid>', dsc: nested(1) }));
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.records.filter((uri) => uri.includes('/archival_objects/'))).toHaveLength(depth);
});

test('the log names addresses and words in a group of digital objects that no file has', async () => {
  const ended = await imported(
    'ead_xml',
    eadDocument({
      header: '<eadid>dao</eadid>',
      did: `<unitid>DAO</unitid><daogrp><daoloc href="https://example.org/1">Front</daoloc><extptrloc href="https://example.org/2"/>
        <ptr href="https://example.org/3"/></daogrp>`,
    }),
  );
  expect(ended.status, ended.log).toBe('completed');
  for (const lost of ['Front', 'https://example.org/2', 'https://example.org/3']) expect(ended.log).toContain(lost);
});

test('internal items of lists, chronologies, bibliographies and indexes are not published', async () => {
  const ended = await imported(
    'ead_xml',
    eadDocument({
      header: '<eadid>items</eadid>',
      did: '<unitid>ITEMS</unitid>',
      notes: `<odd><list><item>shown item</item><item audience="internal">SECRET item</item></list>
        <list type="deflist"><defitem><label>shown</label><item>term</item></defitem><defitem audience="internal"><label>SECRET</label><item>term</item></defitem></list>
        <chronlist><chronitem><date>1900</date><event>shown event</event></chronitem><chronitem audience="internal"><date>1901</date><event>SECRET event</event></chronitem></chronlist></odd>
        <bibliography><bibref>shown work</bibref><bibref audience="internal">SECRET work</bibref><p audience="internal">SECRET words</p></bibliography>
        <index><indexentry><name>shown name</name></indexentry><indexentry audience="internal"><name>SECRET name</name></indexentry></index>`,
    }),
  );
  expect(ended.status, ended.log).toBe('completed');
  const id = (await recordOf(ended, '/resources/')).uri.split('/').at(-1);
  const path = `/repositories/${repoId}/resource_descriptions/${id}.xml`;
  const shown = (await api.get(path)).text;
  expect(shown).not.toContain('SECRET');
  for (const text of ['shown item', 'shown event', 'shown work', 'shown name']) expect(shown).toContain(text);
  const all = (await api.get(`${path}?include_unpublished=true`)).text;
  expect(all.match(/SECRET/g)).toHaveLength(6);
});

test('the log names addresses of what is left out, other forms of headings and coordinates; the label of an EAD3 dao is its title', async () => {
  const plain = await imported(
    'ead_xml',
    eadDocument({
      header:
        '<eadid>names</eadid><filedesc><publicationstmt><p><extptr href="https://example.org/logo"/></p></publicationstmt></filedesc>',
      did: '<unitid>NAMES</unitid>',
      notes: '<controlaccess><persname normal="Roe, Ann, 1850-1900">Ann Roe</persname></controlaccess>',
    }),
  );
  expect(plain.status, plain.log).toBe('completed');
  for (const told of ['https://example.org/logo', 'persname: normal form of a heading: Roe, Ann, 1850-1900'])
    expect(plain.log).toContain(told);
  const ead3 = await imported(
    'ead_xml',
    `<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>three</recordid></control><archdesc level="collection"><did>
      <unittitle>Papers</unittitle><unitid>THREE</unitid><unitdate>1900</unitdate><dao daotype="derived" href="https://example.org/1" label="Page one"/></did>
      <controlaccess><geogname><part>Bern</part><geographiccoordinates coordinatesystem="WGS84">46.9,7.4</geographiccoordinates></geogname></controlaccess></archdesc></ead>`,
  );
  expect(ead3.status, ead3.log).toBe('completed');
  expect(ead3.log).toContain('46.9,7.4');
  expect(await recordOf(ead3, '/digital_objects/')).toMatchObject({ title: 'Page one' });
});
