// Replies of the provider against our own content models, and the published XML schemas where they are, with texts that are hard on XML.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { schemaFolder } from '#test/support/schemas.ts';
import { change, makeComponent, makeResource, oai, tokenIn } from './records.ts';
import { replyValidator } from './schemas.ts';

const folder = schemaFolder('OAI-PMH.xsd');
const hostile =
  'A & B < C > D " \' ]]> <emph render="italic">Title <title>x</emph> 😀 \u0007 &nbsp; &lt;b&gt; \r\n end';

describe('replies are valid', () => {
  const published = folder === undefined ? () => [] : replyValidator(folder);
  const faults = (xml: string): readonly string[] => [...exportFaults('OAI-PMH', xml), ...published(xml)];
  let api: TestApi;
  let resource: string;
  beforeAll(async () => {
    api = await startTestApi();
    const repoId = await api.repository('VAL');
    await change(api, `/repositories/${repoId}`, { publish: true, name: hostile });
    const agent = await api.create('/agents/people', {
      publish: true,
      names: [{ primary_name: hostile, name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    });
    resource = await makeResource(api, repoId, 'V&1', {
      title: hostile,
      finding_aid_sponsor: 'S',
      linked_agents: [{ role: 'creator', ref: agent }],
      notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', content: [hostile, ''], publish: true }],
    });
    const parts = await Promise.all(
      Array.from({ length: 60 }, (_, n) => makeComponent(api, resource, `${hostile} ${n}`)),
    );
    await api.del(parts[0] ?? '');
    await api.post('/oai_config', {
      oai_record_prefix: 'oai:muniment',
      oai_admin_email: 'a@example.com',
      oai_repository_name: hostile,
      repo_set_codes: '["VAL"]',
      repo_set_name: 'a set & more',
      repo_set_description: hostile,
    });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  it('and the validator finds what is wrong', () => {
    expect(
      faults('<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>now</responseDate></OAI-PMH>'),
    ).not.toEqual([]);
  });
  it.each([
    ['verb=Identify'],
    ['verb=ListSets'],
    ['verb=ListMetadataFormats'],
    ['verb=nope'],
    ['verb=ListRecords&metadataPrefix=x%20y'],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=a_set___more'],
    ['verb=ListRecords&metadataPrefix=oai_dcterms'],
    ['verb=ListIdentifiers&metadataPrefix=oai_dc&from=2020-01-01&until=2999-01-01'],
    ['verb=ListRecords&resumptionToken=%00'],
  ])('to %s', async (query) => {
    const reply = await api.ask(`/oai?${query}`, { session: null });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/xml']);
    expect(faults(reply.text)).toEqual([]);
  });
  // The published schemas of these are not among those of the protocol.
  it.each(['oai_ead', 'oai_ead3', 'oai_marc', 'oai_mods'])('with records in %s', async (metadataPrefix) => {
    const xml = await oai(api, { verb: 'ListRecords', metadataPrefix });
    expect(xml).toContain('<metadata>');
    expect(exportFaults('OAI-PMH', xml)).toEqual([]);
  });
  it('to GetRecord, and on every page of a list', async () => {
    expect(faults(await oai(api, { verb: 'GetRecord', metadataPrefix: 'oai_dc', identifier: resource }))).toEqual([]);
    let xml = await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_dc' });
    expect(faults(xml)).toEqual([]);
    let pages = 1;
    for (let token = tokenIn(xml); token !== null; token = tokenIn(xml)) {
      xml = await oai(api, { verb: 'ListRecords', resumptionToken: token });
      expect(faults(xml)).toEqual([]);
      pages += 1;
    }
    expect(pages).toBe(3);
  });
});
