// Sets, and what the provider says where there is nothing to choose from (contract behaviour-oai.md 3, 5, 7, 10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatToken } from '#domain/oai/token.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { readOaiReply } from '#test/support/oai-reply.ts';
import { change, codeIn, harvest, makeComponent, makeResource, oai, recordsIn, timeIn, tokenIn } from './records.ts';

const settings = {
  oai_record_prefix: 'oai:muniment',
  oai_admin_email: 'a@example.com',
  oai_repository_name: 'Provider',
};
const specsIn = (xml: string): readonly string[] => readOaiReply(xml).sets;
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => api[Symbol.asyncDispose]());

const id = (uri: string): string => `oai:muniment:${uri}`;
const list = (more: { readonly [name: string]: string } = {}): Promise<string> =>
  oai(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_dc', ...more });
const listed = async (set: string): Promise<readonly string[]> =>
  (await harvest(api, { verb: 'ListIdentifiers', set })).records.map(({ identifier }) => identifier);

describe('where no repository is published', () => {
  it('lists end in noRecordsMatch, and there are no sets', async () => {
    await api.repository('NONE');
    expect(codeIn(await list())).toBe('noRecordsMatch');
    expect(codeIn(await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_ead' }))).toBe('noRecordsMatch');
    expect(codeIn(await oai(api, { verb: 'ListSets' }))).toBe('noSetHierarchy');
    expect(codeIn(await list({ set: 'fonds' }))).toBe('noSetHierarchy');
  });
});

describe('sets', () => {
  let first: string;
  let second: string;
  let file: string;
  let repoId: number;
  beforeAll(async () => {
    repoId = await api.repository('SETS');
    await change(api, `/repositories/${repoId}`, { publish: true });
    first = await makeResource(api, repoId, 'SE1', { finding_aid_sponsor: 'Lord Mayor', level: 'fonds' });
    second = await makeResource(api, repoId, 'SE2', { finding_aid_sponsor: 'lord mayor' });
    file = await makeComponent(api, first, 'File');
    await api.post('/oai_config', {
      ...settings,
      sponsor_set_names: '["Lord Mayor"]',
      sponsor_set_name: 'mayor',
      sponsor_set_description: 'The & mayor',
    });
  });

  it('of sponsors are the resources with exactly that text, and all below them', async () => {
    await expect.poll(async () => [...(await listed('mayor'))].sort()).toEqual([id(file), id(first)].sort());
    await change(api, second, { finding_aid_sponsor: 'Lord Mayor' });
    await expect.poll(async () => (await listed('mayor')).includes(id(second))).toBe(true);
  });
  it('of the settings come before levels, with their description, spec and name alike', async () => {
    const xml = await oai(api, { verb: 'ListSets' });
    expect(specsIn(xml).slice(0, 2)).toEqual(['mayor', 'class']);
    expect(xml).toMatch(
      /<set><setSpec>mayor<\/setSpec><setName>mayor<\/setName><setDescription><oai_dc:dc [^>]*><dc:description>The &amp; mayor<\/dc:description><\/oai_dc:dc><\/setDescription><\/set>/,
    );
    expect(xml).toContain('<set><setSpec>fonds</setSpec><setName>fonds</setName></set>');
    expect(xml.match(/<setDescription>/g)).toHaveLength(1);
  });
  it('are not offered where their name is that of a level', async () => {
    await api.post('/oai_config', {
      ...settings,
      sponsor_set_names: '["Lord Mayor"]',
      sponsor_set_name: 'fonds',
      sponsor_set_description: 'x',
    });
    expect(specsIn(await oai(api, { verb: 'ListSets' })).filter((spec) => spec === 'fonds')).toHaveLength(1);
    expect(await listed('fonds')).toEqual([id(first)]);
  });
  it('of levels are those that some published repository with OAI allows', async () => {
    const levels: { readonly enumeration_values: readonly { readonly id: number; readonly value: string }[] } = (
      await api.get('/config/enumerations')
    ).json.find((each: { readonly name: string }) => each.name === 'archival_record_level');
    const fonds = levels.enumeration_values.find(({ value }) => value === 'fonds')?.id;
    await change(api, `/repositories/${repoId}`, { oai_sets_available: `["${fonds}"]` });
    await api.post('/oai_config', settings);
    expect(specsIn(await oai(api, { verb: 'ListSets' }))).toEqual(['fonds']);
    // Without a set, too.
    const shown = (await harvest(api, { verb: 'ListIdentifiers' })).records
      .filter(({ deleted }) => !deleted)
      .map(({ identifier }) => identifier);
    expect(shown).toEqual([id(first)]);
    await change(api, `/repositories/${repoId}`, { oai_sets_available: '[]' });
    await expect
      .poll(
        async () => (await harvest(api, { verb: 'ListIdentifiers' })).records.filter(({ deleted }) => !deleted).length,
      )
      .toBe(3);
  });
  it('keep what was deleted or hidden in them, as deleted', async () => {
    const gone = await makeComponent(api, first, 'Gone', { level: 'item' });
    const hidden = await makeComponent(api, first, 'Hidden', { level: 'item' });
    await expect.poll(async () => (await listed('item')).length).toBe(2);
    await api.del(gone);
    await change(api, hidden, { publish: false });
    const states = async (): Promise<readonly boolean[]> =>
      (await harvest(api, { verb: 'ListIdentifiers', set: 'item' })).records.map(({ deleted }) => deleted);
    await expect.poll(states).toEqual([true, true]);
    // Finding aids are of resources alone, so no component was ever one.
    expect(
      (await harvest(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_ead' })).records.every(({ identifier }) =>
        identifier.includes('/resources/'),
      ),
    ).toBe(true);
  });
});

describe('below what is not harvested for its level', () => {
  let root: string;
  let series: string;
  let file: string;
  beforeAll(async () => {
    const { enumeration_values: values } = (await api.get('/config/enumerations')).json.find(
      (each: { readonly name: string }) => each.name === 'archival_record_level',
    );
    const levelId = values.find(({ value }: { readonly value: string }) => value === 'subgrp')?.id;
    await api.post('/oai_config', {
      ...settings,
      sponsor_set_names: '["Quoll", "Bilby"]',
      sponsor_set_name: 'givers',
      sponsor_set_description: 'x',
    });
    const repoId = await api.repository('LEVELS');
    await change(api, `/repositories/${repoId}`, { publish: true, oai_sets_available: `["${levelId}"]` });
    root = await makeResource(api, repoId, 'LE1', { finding_aid_sponsor: 'Quoll' });
    series = await makeComponent(api, root, 'Series', { level: 'series' });
    file = await makeComponent(api, root, 'File', { level: 'subgrp', parent: { ref: series } });
  });
  const found = async (more: { readonly [name: string]: string } = {}) =>
    (await harvest(api, { verb: 'ListIdentifiers', ...more })).records.find(
      ({ identifier }) => identifier === id(file),
    );
  const stamp = async (): Promise<string> => (await found())?.datestamp ?? '';
  const risen = async (before: string, uri: string, properties: object): Promise<void> => {
    while (Date.now() < Date.parse(before) + 1000) await new Promise((resolve) => setTimeout(resolve, 50));
    await change(api, uri, properties);
    await expect.poll(stamp).not.toBe(before);
  };

  it('components are in the set of their sponsor', async () => {
    await expect.poll(async () => (await found({ set: 'givers' }))?.deleted).toBe(false);
    await change(api, root, { finding_aid_sponsor: 'Numbat' });
    await expect.poll(() => found({ set: 'givers' })).toBeUndefined();
    await change(api, root, { finding_aid_sponsor: 'Bilby' });
    await expect.poll(async () => (await found({ set: 'givers' }))?.deleted).toBe(false);
  });
  it('they are told anew where something above them reads otherwise, is hidden or shown again', async () => {
    await risen(await stamp(), root, { title: 'Another title' });
    await risen(await stamp(), series, { title: 'Another series' });
    const before = await stamp();
    await risen(before, series, { publish: false });
    expect(await found({ from: await stamp() })).toMatchObject({ deleted: true });
    await risen(await stamp(), series, { publish: true });
    expect(await found({ from: await stamp() })).toMatchObject({ deleted: false });
    const last = await stamp();
    await change(api, root, { repository_processing_note: 'seen by nobody outside' });
    await change(api, root, { title: 'Another title' });
    expect(await stamp()).toBe(last);
  });
});

describe('pages', () => {
  it('of finding aids hold one each, others 25', async () => {
    const xml = await oai(api, { verb: 'ListRecords', metadataPrefix: 'oai_ead' });
    expect(recordsIn(xml)).toHaveLength(1);
    expect(tokenIn(xml)).not.toBeNull();
    const repoId = await api.repository('PAGES');
    await change(api, `/repositories/${repoId}`, { publish: true });
    const root = await makeResource(api, repoId, 'PA1');
    for (let n = 0; n < 26; n++) await makeComponent(api, root, `Part ${n}`);
    await expect.poll(async () => recordsIn(await list()).length).toBe(25);
  });
  it('are refused with a token whose format or set is no more', async () => {
    const token = { prefix: 'oai_dc', set: null, after: 0, upTo: 1_000_000, cursor: 25, isBounded: false };
    expect(codeIn(await oai(api, { verb: 'ListRecords', resumptionToken: formatToken(token) }))).toBeUndefined();
    for (const wrong of [{ prefix: 'oai_nope' }, { set: 'no such set' }])
      expect(
        codeIn(await oai(api, { verb: 'ListRecords', resumptionToken: formatToken({ ...token, ...wrong }) })),
      ).toBe('badResumptionToken');
  });
});

describe('arguments', () => {
  it('a day as until is that day to its end', async () => {
    const today = timeIn(await list()).slice(0, 10);
    expect(recordsIn(await list({ from: today, until: today })).length).toBeGreaterThan(0);
  });
  it.each(['from=2020-01-01', 'until=2020-01-01', 'set=fonds', 'metadataPrefix=oai_dc'])(
    '%s has no place in ListMetadataFormats',
    async (more) => {
      expect(codeIn((await api.ask(`/oai?verb=ListMetadataFormats&${more}`, { session: null })).text)).toBe(
        'badArgument',
      );
    },
  );
  it('the identifier of a record tells the formats of its kind', async () => {
    const [resource] = (await harvest(api, { verb: 'ListIdentifiers', metadataPrefix: 'oai_ead' })).records;
    const [component] = (await harvest(api, { verb: 'ListIdentifiers', set: 'file' })).records;
    const prefixes = async (identifier = ''): Promise<readonly string[]> =>
      readOaiReply(await oai(api, { verb: 'ListMetadataFormats', identifier })).prefixes;
    expect(await prefixes(resource?.identifier)).toEqual([
      'oai_dc',
      'oai_ead',
      'oai_dcterms',
      'oai_marc',
      'oai_mods',
      'oai_ead3',
    ]);
    expect(await prefixes(component?.identifier)).toEqual(['oai_dc', 'oai_dcterms', 'oai_marc', 'oai_mods']);
  });
});

it('settings are read for each request', async () => {
  await api.post('/oai_config', {
    ...settings,
    oai_record_prefix: 'oai:another',
    oai_admin_email: 'b@example.org',
    oai_repository_name: 'Another',
  });
  const xml = await oai(api, { verb: 'Identify' });
  expect(xml).toContain('<repositoryName>Another</repositoryName>');
  expect(xml).toContain('<adminEmail>b@example.org</adminEmail>');
  expect(xml).toContain('<repositoryIdentifier>another</repositoryIdentifier>');
  expect(recordsIn(await list()).every(({ identifier }) => identifier.startsWith('oai:another:/'))).toBe(true);
});
