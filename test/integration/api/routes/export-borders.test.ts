// What digital objects and resources say at the borders of the formats: dates with an end alone, titles that end with a comma, bibliographies.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

let api: TestApi;
let base: string;
beforeAll(async () => {
  api = await startTestApi();
  const made = await api.post('/repositories', { repo_code: 'BORDERS', name: 'Archive', publish: true });
  base = `/repositories/${made.json.id}`;
});
afterAll(() => api[Symbol.asyncDispose]());

const endAlone = { date_type: 'inclusive', label: 'creation', end: '1950' };

const makeResource = (id: string, more: object): Promise<string> =>
  api.create(`${base}/resources`, {
    id_0: id,
    title: `Papers ${id}`,
    level: 'collection',
    publish: true,
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }],
    dates: [endAlone, { date_type: 'single', label: 'publication', begin: '1955' }],
    lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
    ...more,
  });

const idOf = (uri: string): string => uri.split('/').at(-1) ?? '';

test('a date with an end alone is in Dublin Core and MARC', async () => {
  const object = await api.create(`${base}/digital_objects`, {
    title: 'Scan',
    digital_object_id: 'DO1',
    dates: [endAlone],
  });
  const dc = await api.get(`${base}/digital_objects/dublin_core/${idOf(object)}.xml`);
  expect(dc.text).toContain('<date>1950</date>');
  const marc = await api.get(`${base}/resources/marc21/${idOf(await makeResource('END', {}))}.xml`);
  expect(marc.text).toContain('<subfield code="f">1950</subfield>');
});

test('a title that ends with a comma has no second one before its dates in MARC', async () => {
  const resource = await makeResource('COMMA', { title: 'Papers,' });
  const marc = await api.get(`${base}/resources/marc21/${idOf(resource)}.xml`);
  expect(marc.text).toContain('<subfield code="a">Papers,</subfield>');
});

test('harvesters get the items of a bibliography in MODS, as digital objects have them', async () => {
  const bibliography = {
    jsonmodel_type: 'note_bibliography',
    content: ['About him'],
    items: ['Roe, A history', 'Doe, A life'],
    publish: true,
  };
  await makeResource('BIB', { notes: [bibliography] });
  const harvested = async (): Promise<readonly string[]> => {
    const reply = await api.get('/oai?verb=ListRecords&metadataPrefix=oai_mods', null);
    return [...reply.text.matchAll(/<note type="citation">([^<]*)</g)].map(([, text]) => text ?? '');
  };
  await expect.poll(harvested).toContain('About him');
  expect(await harvested()).toEqual(['About him', 'Roe, A history', 'Doe, A life']);
});
