// The formats that harvesters get besides Dublin Core: whole finding aids, MARC and MODS, each the export of its kind.
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { change, makeResource, recordsIn } from './records.ts';

let api: TestApi;
let root = '';
let component = '';

beforeAll(async () => {
  api = await startTestApi();
  const repoId = await api.repository('FMT');
  await change(api, `/repositories/${repoId}`, { publish: true, name: 'Formats' });
  const hidden = {
    jsonmodel_type: 'note_singlepart',
    type: 'abstract',
    content: ['Marker hidden note'],
    publish: false,
  };
  root = await makeResource(api, repoId, 'F1', { title: 'Harbour papers', notes: [hidden] });
  component = await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'Tide tables',
    level: 'file',
    publish: true,
    resource: { ref: root },
    notes: [hidden],
  });
  await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'Marker hidden file',
    level: 'file',
    publish: false,
    resource: { ref: root },
  });
});
afterAll(async () => api[Symbol.asyncDispose]());

const ask = async (query: string): Promise<string> => (await api.ask(`/oai?${query}`, { session: null })).text;

/** Names of elements in order; throws where the document is not well-formed. */
function elementsOf(xml: string): readonly string[] {
  const names: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => void names.push(tag.name));
  parser.write(xml).close();
  return names;
}

it('finding aids have the addresses of records, but in R-A, as where they are asked for', async () => {
  const addressed = async (service: TestApi, uri: string): Promise<boolean> => {
    const separator = service === api ? ':' : '/';
    const query = `verb=GetRecord&metadataPrefix=oai_ead&identifier=oai:muniment${separator}${uri}`;
    const harvested = async (): Promise<string> => (await service.ask(`/oai?${query}`, { session: null })).text;
    await expect.poll(harvested, { timeout: 30_000 }).toContain('</ead>');
    return (await harvested()).includes('aspace_uri');
  };
  await using earlier = await startTestApi({ environment: { MUNIMENT_RELEASE: 'R-A' } });
  const repoId = await earlier.repository('FMT');
  await change(earlier, `/repositories/${repoId}`, { publish: true });
  const there = await makeResource(earlier, repoId, 'F1');
  expect([await addressed(api, root), await addressed(earlier, there)]).toEqual([true, false]);
});

describe.each([
  ['oai_ead', 'ead'],
  ['oai_ead3', 'ead'],
  ['oai_marc', 'collection'],
  ['oai_mods', 'mods'],
])('%s', (prefix, element) => {
  it('gives the export of a resource, without what is not published', async () => {
    const xml = await ask(`verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:muniment:${root}`);
    expect(elementsOf(xml)).toEqual(expect.arrayContaining(['metadata', element]));
    expect(xml).toContain('Harbour papers');
    expect(xml).not.toContain('Marker hidden');
    expect(xml.match(/<\?xml /g)).toHaveLength(1);
  });

  it('lists its records, page by page', async () => {
    const xml = await ask(`verb=ListRecords&metadataPrefix=${prefix}`);
    elementsOf(xml);
    const identifiers = recordsIn(xml).map(({ identifier }) => identifier.replace('oai:muniment:', ''));
    expect(identifiers).toEqual(prefix.startsWith('oai_ead') ? [root] : [root, component]);
    expect(xml).not.toContain('Marker hidden');
  });
});

it('has finding aids with their components, and no finding aid of a component', async () => {
  expect(await ask(`verb=GetRecord&metadataPrefix=oai_ead&identifier=oai:muniment:${root}`)).toContain('Tide tables');
  expect(await ask(`verb=GetRecord&metadataPrefix=oai_ead&identifier=oai:muniment:${component}`)).toContain(
    'cannotDisseminateFormat',
  );
  expect(await ask(`verb=GetRecord&metadataPrefix=oai_mods&identifier=oai:muniment:${component}`)).toMatch(
    /relatedItem type="host"[\s\S]*Harbour papers/,
  );
});
