// The formats that go out over HTTP: every endpoint, its refusals, validity, and what never goes out
// (contract behaviour-exports 1, 4 to 9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { ExportFormat } from '#test/support/export-faults.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import type { ExportRecords } from '#test/support/make/export-records.ts';
import { makeExportRecords, marker } from '#test/support/make/export-records.ts';

let api: TestApi;
let repoId = 0;
let uris: ExportRecords;
let reader = '';
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  const made = await api.post('/repositories', {
    repo_code: 'EXP',
    name: 'Export repository',
    org_code: 'ORG',
    country: 'US',
    url: 'http://example.org/',
    publish: true,
  });
  repoId = Number(made.json.id);
  uris = await makeExportRecords(api, repoId);
  reader = await api.userWith(['view_repository'], repoId);
});
afterAll(async () => api[Symbol.asyncDispose]());

const idOf = (uri: string): string => uri.split('/').at(-1) ?? '';
const base = (): string => `/repositories/${repoId}`;

/** Every document: its path with the query that brings unpublished parts, and the format it has to be valid as. */
const documents = (): readonly { readonly path: string; readonly all: string; readonly format: ExportFormat }[] => [
  {
    path: `${base()}/resources/marc21/${idOf(uris.resource)}.xml`,
    all: 'include_unpublished_marc=true',
    format: 'MARCXML',
  },
  {
    path: `${base()}/digital_objects/dublin_core/${idOf(uris.digitalObject)}.xml`,
    all: 'include_unpublished=true',
    format: 'Dublin Core',
  },
  {
    path: `${base()}/digital_objects/mods/${idOf(uris.digitalObject)}.xml`,
    all: 'include_unpublished=true',
    format: 'MODS',
  },
  {
    path: `${base()}/digital_objects/mets/${idOf(uris.digitalObject)}.xml`,
    all: 'include_unpublished=true',
    format: 'METS',
  },
  {
    path: `${base()}/digital_objects/mets/${idOf(uris.digitalObject)}.xml?dmd=dc`,
    all: 'include_unpublished=true',
    format: 'METS',
  },
  ...(
    [
      ['people', uris.person],
      ['families', uris.family],
      ['corporate_entities', uris.corporate],
    ] as const
  ).flatMap(([folder, uri]): ReturnType<typeof documents> => [
    {
      path: `${base()}/archival_contexts/${folder}/${idOf(uri)}.xml`,
      all: 'include_unpublished=true',
      format: 'EAC-CPF 2010',
    },
    {
      path: `${base()}/archival_contexts/${folder}/${idOf(uri)}.xml?eac2=true`,
      all: 'include_unpublished=true',
      format: 'EAC-CPF 2.0',
    },
    {
      path: `${base()}/agents/${folder}/marc21/${idOf(uri)}.xml`,
      all: 'include_unpublished=true',
      format: 'MARCXML',
    },
  ]),
];

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe('the documents', () => {
  it('are XML that ends with a newline', async () => {
    for (const { path } of documents()) {
      const reply = await api.get(path);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'application/xml']);
      expect(reply.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<[^]*>\n$/);
    }
  });

  it('are valid, with unpublished parts and without', async () => {
    for (const { path, all, format } of documents())
      for (const asked of [path, withQuery(path, all)])
        expect([asked, exportFaults(format, (await api.get(asked)).text)]).toEqual([asked, []]);
  });

  it('hold nothing unpublished, whoever asks', async () => {
    for (const { path } of documents())
      for (const session of [api.session, reader])
        expect([path, (await api.get(path, session)).text.includes(marker)]).toEqual([path, false]);
  });

  it('hold unpublished notes where a reader of the repository asks for them', async () => {
    for (const { path, all } of documents().filter(({ path: each }) => /resources|digital_objects|people/.test(each)))
      expect([path, (await api.get(withQuery(path, all), reader)).text.includes(marker)]).toEqual([path, true]);
  });

  it('hold no contacts of agents', async () => {
    for (const { path, all } of documents())
      expect((await api.get(withQuery(path, all), reader)).text).not.toMatch(/Secret|secret@/);
  });

  it('refuse a flag that is neither true nor false', async () => {
    for (const { path, all } of documents())
      expect((await api.get(withQuery(path, all.replace('true', 'maybe')))).status).toBe(400);
  });
});

describe('EAC-CPF', () => {
  it('is there for anonymous callers where the agent is published, and never with unpublished parts', async () => {
    const path = `${base()}/archival_contexts/people/${idOf(uris.person)}.xml`;
    for (const asked of [path, `${path}?include_unpublished=true`]) {
      const reply = await api.get(asked, null);
      expect([
        reply.status,
        reply.text.includes(marker),
        reply.text.includes('<part localType="surname">Muster</part>'),
      ]).toEqual([200, false, true]);
    }
  });

  it('does not tell anonymous callers of unpublished agents', async () => {
    for (const ending of ['xml', 'xml/metadata']) {
      const path = `${base()}/archival_contexts/people/${idOf(uris.hidden)}.${ending}`;
      expect([(await api.get(path, null)).status, (await api.get(path, null)).json]).toEqual([
        404,
        { error: 'AgentPerson not found' },
      ]);
      expect((await api.get(path, reader)).status).toBe(200);
    }
  });

  it('comes as version 2.0 where that is asked for', async () => {
    const { text } = await api.get(`${base()}/archival_contexts/people/${idOf(uris.person)}.xml?eac2=true`, null);
    expect(text).toContain('<eac xmlns="https://archivists.org/ns/eac/v2"');
    expect(text).toContain('<entityType value="person"/>');
    expect(text).toContain(
      `<relation><targetEntity targetType="resource" valueURI="http://localhost:8081${uris.resource}"><part>Papers of Anna &amp; others</part></targetEntity><relationType>creatorOf</relationType></relation>`,
    );
  });

  it('tells what the agent made, with the address of the public site', async () => {
    const { text } = await api.get(`${base()}/archival_contexts/people/${idOf(uris.person)}.xml`, null);
    expect(text).toContain(
      `<resourceRelation resourceRelationType="creatorOf" xlink:type="simple" xlink:href="http://localhost:8081${uris.resource}"><relationEntry>Papers of Anna &amp; others</relationEntry></resourceRelation>`,
    );
    expect(text).toContain(uris.component);
    expect(text).toContain(uris.digitalObject);
  });
});

describe('refusals', () => {
  it('come without a session and without view_repository, except for EAC-CPF', async () => {
    const outsider = await api.userWith(['view_repository'], await api.repository());
    for (const { path } of documents().filter(({ path: each }) => !each.includes('archival_contexts'))) {
      for (const session of [null, outsider])
        expect([path, (await api.get(path, session)).status]).toEqual([path, 403]);
      const metadata = path.replace(/\?.*/, '').concat('/metadata');
      for (const session of [null, outsider])
        expect([metadata, (await api.get(metadata, session)).status]).toEqual([metadata, 403]);
    }
  });

  it('name the kind of what is not there', async () => {
    const missing: readonly (readonly [string, string])[] = [
      ['resources/marc21', 'Resource'],
      ['digital_objects/dublin_core', 'DigitalObject'],
      ['digital_objects/mods', 'DigitalObject'],
      ['digital_objects/mets', 'DigitalObject'],
      ['archival_contexts/people', 'AgentPerson'],
      ['archival_contexts/families', 'AgentFamily'],
      ['archival_contexts/corporate_entities', 'AgentCorporateEntity'],
      ['agents/people/marc21', 'AgentPerson'],
      ['agents/families/marc21', 'AgentFamily'],
      ['agents/corporate_entities/marc21', 'AgentCorporateEntity'],
    ];
    for (const [folder, model] of missing) {
      for (const ending of ['xml', 'xml/metadata']) {
        const reply = await api.get(`${base()}/${folder}/99999999.${ending}`);
        expect([folder, reply.status, reply.json]).toEqual([folder, 404, { error: `${model} not found` }]);
      }
    }
  });

  it('come for records of another repository', async () => {
    const other = await api.repository();
    expect((await api.get(`/repositories/${other}/resources/marc21/${idOf(uris.resource)}.xml`)).status).toBe(404);
    expect((await api.get(`/repositories/${other}/digital_objects/mets/${idOf(uris.digitalObject)}.xml`)).status).toBe(
      404,
    );
  });
});

describe('metadata', () => {
  it('names the files', async () => {
    const wanted: readonly (readonly [string, RegExp])[] = [
      [`resources/marc21/${idOf(uris.resource)}`, /^MS\.1_\d{8}_\d{6}_UTC__marc21\.xml$/],
      [`digital_objects/dublin_core/${idOf(uris.digitalObject)}`, /^DO_1_\d{8}_\d{6}_UTC__dc\.xml$/],
      [`digital_objects/mods/${idOf(uris.digitalObject)}`, /^DO_1_\d{8}_\d{6}_UTC__mods\.xml$/],
      [`digital_objects/mets/${idOf(uris.digitalObject)}`, /^DO_1_\d{8}_\d{6}_UTC__mets\.xml$/],
      [`archival_contexts/people/${idOf(uris.person)}`, /^n_1_Muster_\d{8}_\d{6}_UTC__eac\.xml$/],
      [`archival_contexts/families/${idOf(uris.family)}`, /^Muster_\d{8}_\d{6}_UTC__eac\.xml$/],
      [`agents/corporate_entities/marc21/${idOf(uris.corporate)}`, /^n_77_Acme_\d{8}_\d{6}_UTC__marc\.xml$/],
    ];
    for (const [path, pattern] of wanted) {
      const { json } = await api.get(`${base()}/${path}.xml/metadata`);
      expect([path, json]).toEqual([path, { filename: expect.stringMatching(pattern), mimetype: 'application/xml' }]);
    }
  });
});
