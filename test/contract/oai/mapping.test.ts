// Every row of the table of Dublin Core (contract behaviour-oai.md 11), as a harvester gets it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { change, makeComponent, makeResource, oai } from './records.ts';
import { readOaiReply, statementsIn } from '#test/support/oai-reply.ts';

let api: TestApi;
let resource: string;
let component: string;
beforeAll(async () => {
  api = await startTestApi({
    environment: { MUNIMENT_PUBLIC_URL: 'https://archives.example.org', MUNIMENT_ARKS: 'true' },
  });
  const repoId = await api.repository('MAP');
  await change(api, `/repositories/${repoId}`, { publish: true, name: 'Archive' });
  const person = (primary_name: string) =>
    api.create('/agents/people', {
      publish: true,
      names: [{ primary_name, name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    });
  const subject = (term: string, ...types: readonly string[]) =>
    api.create('/subjects', {
      vocabulary: '/vocabularies/1',
      source: 'local',
      terms: types.map((term_type, n) => ({ term: `${term}${n}`, term_type, vocabulary: '/vocabularies/1' })),
    });
  const single = (type: string, publish = true) => ({
    jsonmodel_type: 'note_singlepart',
    type,
    content: [`${type} text`],
    publish,
  });
  const multi = (type: string) => ({
    jsonmodel_type: 'note_multipart',
    type,
    publish: true,
    subnotes: [{ jsonmodel_type: 'note_text', content: `<p><title>${type}</title> &amp; text</p>`, publish: true }],
  });
  resource = await makeResource(api, repoId, 'MA1', {
    title: 'Papers',
    id_1: 'b',
    id_2: 'c',
    finding_aid_title: 'Guide',
    dates: [
      { date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' },
      { date_type: 'single', label: 'copyright', expression: 'c. 1960' },
      { date_type: 'single', label: 'publication', begin: '1970' },
    ],
    extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet', container_summary: '2 boxes' }],
    lang_materials: [
      { language_and_script: { language: 'eng', script: 'Latn' } },
      {
        notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['In English'], publish: true }],
      },
    ],
    linked_agents: [
      { role: 'creator', ref: await person('Maker') },
      { role: 'creator', ref: await person('Helper'), relator: 'ctb' },
      { role: 'creator', ref: await person('Printer'), relator: 'pbl' },
      { role: 'source', ref: await person('Giver') },
      { role: 'subject', ref: await person('Described') },
    ],
    subjects: [
      { ref: await subject('Place', 'topical', 'geographic') },
      { ref: await subject('Genre', 'genre_form') },
      { ref: await subject('Topic', 'topical') },
    ],
    notes: [
      single('physdesc'),
      multi('dimensions'),
      multi('bioghist'),
      single('abstract'),
      multi('scopecontent'),
      multi('odd'),
      multi('arrangement'),
      multi('originalsloc'),
      multi('altformavail'),
      multi('separatedmaterial'),
      multi('relatedmaterial'),
      multi('custodhist'),
      multi('acqinfo'),
      multi('accessrestrict'),
      multi('userestrict'),
      single('physfacet'),
      single('abstract', false),
    ],
  });
  component = await makeComponent(api, resource, 'Part', { component_id: 'p1', notes: [single('abstract')] });
});
afterAll(async () => api[Symbol.asyncDispose]());

async function statements(uri: string, metadataPrefix: 'oai_dc' | 'oai_dcterms'): Promise<readonly string[]> {
  const { records } = readOaiReply(await oai(api, { verb: 'GetRecord', metadataPrefix, identifier: uri }));
  return statementsIn(records[0]?.metadata ?? '').map((line) => line.replace(/ark:[^ ]*$/, 'ARK'));
}

const about = (names: { readonly [row: string]: string | null }): readonly string[] => {
  const note = (name: string, type: string): readonly string[] =>
    names[name] === null ? [] : [`${names[name] ?? name}: ${type} & text`];
  return [
    ...note('originals', 'originalsloc'),
    ...note('originals', 'altformavail'),
    ...note('originals', 'separatedmaterial'),
    ...note('originals', 'relatedmaterial'),
    ...note('history', 'custodhist'),
    ...note('history', 'acqinfo'),
    ...note('access', 'accessrestrict'),
    ...note('use', 'userestrict'),
  ];
};

it('oai_dc has every row in order', async () => {
  expect(await statements(resource, 'oai_dc')).toEqual([
    'publisher: Archive',
    'identifier: MA1.b.c',
    expect.stringMatching(/^identifier: .*ARK$/),
    `identifier: https://archives.example.org${resource}`,
    'creator: Maker',
    'contributor: Helper',
    'publisher: Printer',
    'title: Papers',
    'date: 1900 -- 1950',
    'date: c. 1960',
    'date: 1970',
    'format: 3 Linear Feet; 2 boxes',
    'format: physdesc text',
    'format: dimensions & text',
    'language: eng',
    'language: Latn',
    'language: In English',
    'description: bioghist & text',
    'description: abstract text',
    'description: scopecontent & text',
    'description: odd & text',
    'description: arrangement & text',
    ...about({ originals: 'relation', history: null, access: 'rights', use: 'rights' }),
    'coverage: Place0 -- Place1',
    'type: Genre0',
    'subject: Topic0',
    'subject: Described',
    'type: physfacet text',
  ]);
});

it('oai_dcterms has every row in order', async () => {
  expect(await statements(resource, 'oai_dcterms')).toEqual([
    'publisher: Archive',
    'identifier: MA1.b.c',
    expect.stringMatching(/^identifier: .*ARK$/),
    `identifier: https://archives.example.org${resource}`,
    'creator: Maker',
    'contributor: Helper',
    'publisher: Printer',
    'title: Papers',
    'alternative: Guide',
    'date: 1900 -- 1950',
    'dateCopyrighted: c. 1960',
    'issued: 1970',
    'extent: 3 Linear Feet; 2 boxes',
    'extent: physdesc text',
    'extent: dimensions & text',
    'language: eng',
    'language: Latn',
    'language: In English',
    'description: bioghist & text',
    'abstract: abstract text',
    'description: scopecontent & text',
    'description: odd & text',
    'description: arrangement & text',
    ...about({ originals: 'relation', history: 'provenance', access: 'accessRights', use: 'rights' }),
    'coverage: Place0 -- Place1',
    'type: Genre0',
    'subject: Topic0',
    'subject: Described',
    'type: physfacet text',
  ]);
});

it('a component takes what it lacks from above, and names what it is part of', async () => {
  const found = await statements(component, 'oai_dcterms');
  expect(found).toEqual(
    expect.arrayContaining([
      'identifier: p1',
      'creator: Maker',
      'title: Part',
      'date: 1900 -- 1950',
      'extent: 3 Linear Feet; 2 boxes',
      'language: eng',
      'abstract: abstract text',
      'accessRights: accessrestrict & text',
      'isPartOf: Papers, MA1.b.c',
    ]),
  );
  // What is not among the things inherited stays where it is.
  expect(found.join('\n')).not.toMatch(/bioghist|custodhist|Topic0|Described/);
  expect(await statements(component, 'oai_dc')).toContain('relation: Papers, MA1.b.c');
});
