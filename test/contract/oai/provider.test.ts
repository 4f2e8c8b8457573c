// The OAI-PMH provider over HTTP: verbs, errors, formats, sets, dates (contract behaviour-oai.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { readOaiReply, statementsIn } from '#test/support/oai-reply.ts';
import { change, codeIn, harvest, makeComponent, makeResource, oai, recordsIn, timeIn, tokenIn } from './records.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let series: string;
let file: string;
let hidden: string;
beforeAll(async () => {
  api = await startTestApi({ environment: { MUNIMENT_PUBLIC_URL: 'https://archives.example.org/' } });
  repoId = await api.repository('OAI');
  const repository = `/repositories/${repoId}`;
  await change(api, repository, { publish: true, name: 'Town archive', parent_institution_name: 'The town' });
  const creator = await api.create('/agents/people', {
    publish: true,
    names: [
      {
        primary_name: 'Pepys',
        rest_of_name: 'Samuel',
        name_order: 'inverted',
        source: 'local',
        sort_name_auto_generate: true,
      },
    ],
  });
  const secret = await api.create('/agents/people', {
    publish: false,
    names: [{ primary_name: 'Hiddenperson', name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
  });
  const place = await api.create('/subjects', {
    vocabulary: '/vocabularies/1',
    source: 'local',
    terms: [{ term: 'London', term_type: 'geographic', vocabulary: '/vocabularies/1' }],
  });
  const topic = await api.create('/subjects', {
    vocabulary: '/vocabularies/1',
    source: 'local',
    terms: [{ term: 'Diaries', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const note = (type: string, content: string, publish = true) => ({
    jsonmodel_type: 'note_singlepart',
    type,
    content: [content],
    publish,
  });
  resource = await makeResource(api, repoId, 'OR1', {
    title: 'Papers & <emph>maps</emph>',
    finding_aid_sponsor: 'Lord Mayor',
    finding_aid_title: 'Guide',
    subjects: [{ ref: place }, { ref: topic }],
    linked_agents: [
      { role: 'creator', ref: creator, relator: 'ctb' },
      { role: 'creator', ref: creator },
      { role: 'subject', ref: secret },
    ],
    notes: [
      note('abstract', 'An abstract'),
      note('physdesc', 'Hiddennote', false),
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        publish: true,
        subnotes: [
          { jsonmodel_type: 'note_text', content: 'Some scope', publish: true },
          { jsonmodel_type: 'note_text', content: 'Hiddensubnote', publish: false },
          {
            jsonmodel_type: 'note_chronology',
            title: 'Life',
            publish: true,
            items: [
              { event_date: '1633', events: ['born', 'baptised'] },
              { event_date: '1703', events: ['died'] },
            ],
          },
        ],
      },
    ],
  });
  series = await makeComponent(api, resource, 'Letters', { level: 'series', component_id: 's1' });
  file = await makeComponent(api, resource, 'From his wife', {
    component_id: 'f1',
    parent: { ref: series },
    dates: [{ date_type: 'single', label: 'publication', begin: '1660' }],
  });
  hidden = await makeComponent(api, resource, 'Hiddentitle', { publish: false });
  await makeComponent(api, resource, 'Hiddenchild', { parent: { ref: hidden } });
});
afterAll(async () => api[Symbol.asyncDispose]());

const id = (uri: string): string => `oai:muniment:${uri}`;
const record = (uri: string, metadataPrefix = 'oai_dc'): Promise<string> =>
  oai(api, { verb: 'GetRecord', metadataPrefix, identifier: id(uri) });

describe('the envelope', () => {
  it('names the request with its arguments and the address that was asked', async () => {
    const xml = await record(resource);
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><OAI-PMH xmlns="http:\/\/www.openarchives.org\/OAI\/2.0\/" /,
    );
    expect(xml).toContain(
      `<request metadataPrefix="oai_dc" identifier="${id(resource)}" verb="GetRecord">${api.url.replace('localhost', 'localhost')}/oai</request>`,
    );
    expect(timeIn(xml)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
  it('takes the arguments of a POST', async () => {
    const reply = await api.ask('/oai', { form: new URLSearchParams({ verb: 'Identify' }), session: null });
    expect([reply.status, reply.text.includes('<protocolVersion>2.0</protocolVersion>')]).toEqual([200, true]);
  });
  it('compresses where the client takes it', async () => {
    expect(
      (await api.ask('/oai?verb=Identify', { headers: { 'accept-encoding': 'gzip' }, session: null })).headers.get(
        'content-encoding',
      ),
    ).toBe('gzip');
    expect(
      (await api.ask('/oai?verb=Identify', { headers: { 'accept-encoding': 'identity' }, session: null })).headers.get(
        'content-encoding',
      ),
    ).toBeNull();
    expect(
      (await api.ask('/oai?verb=Identify', { headers: { 'accept-encoding': 'gzip;q=0' }, session: null })).headers.get(
        'content-encoding',
      ),
    ).toBeNull();
  });
});

describe('errors', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'badVerb'],
    ['verb=', 'badVerb'],
    ['verb=identify', 'badVerb'],
    ['verb=Identify&verb=Identify', 'badVerb'],
    ['verb=toString', 'badVerb'],
    ['verb=Identify&set=x', 'badArgument'],
    ['verb=Identify&unknown=1', 'badArgument'],
    ['verb=ListRecords', 'badArgument'],
    ['verb=GetRecord&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=yesterday', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-02-30', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01&until=2021-01-01T00:00:00Z', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2021-01-01&until=2020-01-01', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=nope', 'cannotDisseminateFormat'],
    ['verb=ListRecords&metadataPrefix=oai_dc&until=1999-01-01', 'noRecordsMatch'],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=nope', 'noRecordsMatch'],
    ['verb=ListRecords&resumptionToken=x', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=x&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListSets&resumptionToken=x', 'badResumptionToken'],
    ['verb=ListMetadataFormats&identifier=x', 'idDoesNotExist'],
    ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:muniment:/agents/people/1', 'idDoesNotExist'],
    [
      'verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:muniment:/repositories/99/resources/99999999',
      'idDoesNotExist',
    ],
    ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:other:/repositories/2/resources/1', 'idDoesNotExist'],
  ];
  it.each(cases)('?%s is %s', async (query, code) => {
    const reply = await api.ask(`/oai?${query}`, { session: null });
    expect([reply.status, codeIn(reply.text)]).toEqual([200, code]);
    expect(reply.text).toContain(`<request>${api.url}/oai</request>`);
  });
  it('quotes a date that is none', async () => {
    expect(await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_dc', from: 'yester<day' })).toContain(
      `<error code="badArgument">unparsable date: 'yester&lt;day'</error>`,
    );
  });
  it('refuses a format that the record has not', async () => {
    expect(codeIn(await record(resource, 'nope'))).toBe('cannotDisseminateFormat');
  });
});

describe('what is listed', () => {
  it('is every published record whose ancestors are published, and nothing of the others', async () => {
    const { records } = await harvest(api, {});
    expect(records.map(({ identifier }) => identifier).sort()).toEqual([file, resource, series].map(id).sort());
    for (const metadataPrefix of ['oai_dc', 'oai_dcterms'])
      expect(JSON.stringify((await harvest(api, { metadataPrefix })).records)).not.toMatch(/hidden/i);
    expect(codeIn(await record(hidden))).toBe('idDoesNotExist');
  });
  it('has the same headers in ListIdentifiers', async () => {
    const [full, headers] = await Promise.all([harvest(api, {}), harvest(api, { verb: 'ListIdentifiers' })]);
    expect(headers.records.map(({ identifier, datestamp }) => [identifier, datestamp])).toEqual(
      full.records.map(({ identifier, datestamp }) => [identifier, datestamp]),
    );
  });
});

describe('formats', () => {
  it('are those that are written', async () => {
    const xml = await oai(api, { verb: 'ListMetadataFormats', identifier: id(file) });
    expect(readOaiReply(xml).prefixes.slice(0, 2)).toEqual(['oai_dc', 'oai_dcterms']);
  });
  it('oai_dc describes a resource', async () => {
    const [found] = recordsIn(await record(resource));
    expect(statementsIn(found?.metadata ?? '')).toEqual([
      'publisher: Town archive',
      'publisher: The town',
      'identifier: OR1',
      `identifier: https://archives.example.org${resource}`,
      'contributor: Pepys, Samuel',
      'creator: Pepys, Samuel',
      'title: Papers & maps',
      'date: 1900 -- 1950',
      'format: 3 Linear Feet',
      'language: eng',
      'language: Latn',
      'description: An abstract',
      'description: Some scope',
      'description: Life. 1633, born, baptised; 1703, died',
      'coverage: London',
      'subject: Diaries',
    ]);
  });
  it('oai_dcterms describes a component with what it takes from above', async () => {
    const [found] = recordsIn(await record(file, 'oai_dcterms'));
    expect(statementsIn(found?.metadata ?? '')).toEqual([
      'publisher: Town archive',
      'publisher: The town',
      'identifier: s1.f1',
      `identifier: https://archives.example.org${file}`,
      'contributor: Pepys, Samuel',
      'creator: Pepys, Samuel',
      'title: From his wife, 1660',
      'alternative: Guide',
      'issued: 1660',
      'extent: 3 Linear Feet',
      'language: eng',
      'language: Latn',
      'description: Some scope',
      'description: Life. 1633, born, baptised; 1703, died',
      'isPartOf: Papers & maps, OR1',
    ]);
  });
});

describe('identifiers', () => {
  it.each([['oai:muniment:'], ['oai:muniment/'], ['oai:archivesspace:'], ['oai:archivesspace/'], ['']])(
    'with %s before the address are taken',
    async (before) => {
      const xml = await oai(api, { verb: 'GetRecord', metadataPrefix: 'oai_dc', identifier: `${before}${resource}` });
      expect(recordsIn(xml)[0]?.identifier).toBe(id(resource));
    },
  );
});

describe('sets', () => {
  it('are the levels, and what the settings choose', async () => {
    const settings = {
      oai_record_prefix: 'oai:muniment',
      oai_admin_email: 'a@example.com',
      oai_repository_name: 'Harvest <me>',
      repo_set_codes: '["OAI"]',
      repo_set_name: 'town',
      repo_set_description: 'The town',
      sponsor_set_names: '["Lord Mayor"]',
      sponsor_set_name: 'of the mayor',
      sponsor_set_description: 'S',
    };
    expect((await api.post('/oai_config', settings)).status).toBe(200);
    const xml = await oai(api, { verb: 'ListSets' });
    expect(readOaiReply(xml).sets.slice(0, 3)).toEqual(['town', 'of_the_mayor', 'class']);
    const listed = async (set: string): Promise<readonly string[]> =>
      (await harvest(api, { set })).records.map(({ identifier }) => identifier);
    expect([
      (await listed('town')).length,
      (await listed('of_the_mayor')).length,
      await listed('series'),
      await listed('file'),
    ]).toEqual([3, 3, [id(series)], [id(file)]]);
    expect(codeIn(await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_dc', set: 'fonds' }))).toBe(
      'noRecordsMatch',
    );
    expect(await oai(api, { verb: 'Identify' })).toContain('<repositoryName>Harvest &lt;me&gt;</repositoryName>');
  });
});

describe('dates', () => {
  it('include both ends, and a day is whole', async () => {
    const [first] = (await harvest(api, { verb: 'ListIdentifiers' })).records;
    const stamp = first?.datestamp ?? '';
    const count = async (period: { readonly [name: string]: string }): Promise<number> =>
      recordsIn(await oai(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_dc', ...period })).length;
    expect(await count({ from: stamp, until: stamp })).toBeGreaterThan(0);
    expect(await count({ from: stamp.slice(0, 10), until: '2999-01-01' })).toBe(3);
    expect(await count({ until: '2999-01-01T00:00:00Z', from: '2998-01-01T00:00:00Z' })).toBe(0);
  });
});

it('shows a page with requests to try', async () => {
  const page = await api.get('/oai_sample', null);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
  expect(page.text).toContain(
    '<select name="metadataPrefix"><option>oai_dc</option><option>oai_ead</option><option>oai_dcterms</option><option>oai_marc</option><option>oai_mods</option><option>oai_ead3</option>',
  );
});

it('has no token where the list is one page', async () => {
  expect(tokenIn(await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_dc' }))).toBeNull();
});
