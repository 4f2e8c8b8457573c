// Import jobs of AtoM's sheets through a real worker: what is stored, told, refused, and only validated.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { EndedImport, ImportJobs } from '../../../support/import-job.ts';
import { openImportJobs } from '../../../support/import-job.ts';

let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs();
});
afterAll(() => imports[Symbol.asyncDispose]());

/** A sheet with the line ends of spreadsheet programs. */
const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/formats/atom-csv/${name}.csv`, import.meta.url), 'utf8').replaceAll(
    /\r?\n/g,
    '\r\n',
  );
const run = async (import_type: string, file: string, more: JsonObject = {}): Promise<EndedImport> =>
  imports.runJob([file], { import_type, ...more });
const first = async ({ records }: EndedImport, kind: string, index = 0): Promise<JsonObject> =>
  imports.read(records.filter((uri) => uri.includes(`/${kind}/`)).toSorted(byId)[index] ?? '');
const byId = (a: string, b: string): number => Number(a.split('/').at(-1)) - Number(b.split('/').at(-1));

describe('archival descriptions of AtoM', () => {
  test('are found to be good or not without storing anything', async () => {
    const before = await imports.contents();
    const ended = await run('atom_description_csv', fixture('descriptions'), { only_validate: '1' });
    expect(ended.failure, ended.log).toBeNull();
    expect(ended.log).toContain('Only validated');
    expect(await imports.contents()).toEqual(before);
    const bad = await run('atom_description_csv', fixture('descriptions').replace('\n102,101', '\n102,777'), {
      only_validate: '1',
    });
    expect(bad.log).toMatch(/No row has the legacyId 777/);
    expect(bad.failure).toMatchObject({ code: 'import_failed' });
  });

  test('become resources with their trees, and all that has no place is told', async () => {
    const ended = await run('atom_description_csv', fixture('descriptions'));
    expect(ended.failure, ended.log).toBeNull();
    expect(ended.value).toMatchObject({
      created: {
        resource: 2,
        archival_object: 2,
        top_container: 1,
        digital_object: 1,
        agent_person: 1,
        agent_family: 1,
        agent_corporate_entity: 1,
      },
    });
    expect(await first(ended, 'resources')).toMatchObject({
      id_0: 'MS-9',
      title: 'Papers of Anna Harbour',
      level: 'fonds',
      publish: true,
      extents: [{ number: '2', extent_type: 'linear_feet' }],
      lang_materials: [
        { language_and_script: { language: 'eng', script: 'Latn' } },
        { language_and_script: { language: 'fre', script: 'Latn' } },
        { notes: [{ content: ['Some Breton'] }] },
      ],
      finding_aid_language: 'eng',
      finding_aid_script: 'Latn',
      finding_aid_description_rules: 'isadg',
      finding_aid_status: 'completed',
      dates: [
        { begin: '1890', end: '1930' },
        { begin: '1930', label: 'record_keeping' },
      ],
      external_ids: [
        { external_id: '101', source: 'AtoM legacyId' },
        { external_id: 'HA-101' },
        { external_id: 'H9', source: 'Old number' },
        { external_id: '77', source: 'Barcode' },
      ],
    });
    const [series, letter] = [await first(ended, 'archival_objects'), await first(ended, 'archival_objects', 1)];
    expect(series).toMatchObject({ title: 'Letters', component_id: 'MS-9-1', level: 'series' });
    expect(letter).toMatchObject({
      title: 'Letter to the pilots',
      level: 'item',
      publish: false,
      parent: { ref: series['uri'] },
      dates: [{ expression: '12 May 1904', begin: '1904-05-12' }],
    });
    expect(JSON.stringify(letter['notes'])).toContain('A letter, \\"urgent\\",\\r\\nof two leaves');
    expect(await first(ended, 'resources', 1)).toMatchObject({ id_0: 'MS-10', dates: [{ expression: 'undated' }] });
    for (const told of [
      /line 1, shelfColour: no column of this import/,
      /accessionNumber: .*2009-12/,
      /repository: the repository is that of the import: Harbour Archives/,
      /culture: a translation.*fr: Papiers d'Anna Harbour/,
      /extentAndMedium: .*stands in/,
      /eventActors: .*of a person: Harbour, Anna/,
    ])
      expect(ended.log).toMatch(told);
  });

  test('of identifiers that are there are refused, all of them', async () => {
    const before = await imports.contents();
    const again = await run('atom_description_csv', fixture('descriptions'));
    expect(again.log).toMatch(/id_0 : That ID is already in use/);
    expect(await imports.contents()).toEqual(before);
  });
});

test('authority records of AtoM become agents, and are found again by their names', async () => {
  const ended = await run('atom_authority_csv', fixture('authorities'));
  expect(ended.failure, ended.log).toBeNull();
  expect(ended.value).toMatchObject({
    reused: 2,
    created: { agent_corporate_entity: 1, agent_person: 1, agent_family: 1 },
  });
  expect(await first(ended, 'corporate_entities')).toMatchObject({
    title: 'Harbour Commission',
    agent_record_identifiers: [{ record_identifier: 'HA-C1' }],
    agent_record_controls: [{ language: 'eng', maintenance_agency: 'HA', publication_status: 'approved' }],
    agent_identifiers: [{ entity_identifier: 'HC-1' }],
  });
  expect(ended.log).toMatch(/revisionHistory: .*Made 2010/);
});

test('accessions of AtoM become accessions with their donors, containers and events', async () => {
  const ended = await run('atom_accession_csv', fixture('accessions'));
  expect(ended.failure, ended.log).toBeNull();
  const accession = await first(ended, 'accessions');
  expect(accession).toMatchObject({
    id_0: '2009/12',
    accession_date: '2009-12-03',
    acquisition_type: 'gift',
    resource_type: 'papers',
    provenance: 'Her heirs\n\nKept in an attic',
    general_note: 'Location: Room 2\nPhysical transfer, 2009-12-03, Jo: Wet day\nAppraisal, 2010-01-04',
    extents: [{ number: '3', extent_type: 'linear_feet' }],
    collection_management: {
      processing_status: 'in_progress',
      processing_priority: 'high',
      processing_plan: 'Dry first',
    },
    linked_agents: [{ role: 'creator' }, { role: 'source' }],
    external_ids: [{ source: 'Barcode' }, { source: 'Legacy ID' }],
  });
  expect(accession['instances']).toHaveLength(2);
  expect(await first(ended, 'accessions', 1)).toMatchObject({
    id_0: '2010/1',
    general_note: 'Received extent: two crates',
  });
  expect(ended.log).toMatch(/alternativeIdentifierNotes: .*smudged/);
});

test('of a donor who gave twice every address is kept, and what is told of nobody is in the log', async () => {
  const ended = await run(
    'atom_accession_csv',
    [
      'accessionNumber,donorName,donorCity,donorTelephone,creators,eventTypes,alternativeIdentifierTypes,accessionEventNotes',
      'D1,"Doe, Jane",Brest,12,"Doe, Jane",,,',
      'D2,"Doe, Jane",Quimper,34,,,,',
      'D3,"Doe, Jane",Brest,12,,,,|Wet',
      'D4,,,56,,Custody,Barcode,',
    ].join('\r\n'),
  );
  expect(ended.failure, ended.log).toBeNull();
  expect(ended.value).toMatchObject({ created: { accession: 4, agent_person: 1 } });
  // Not every reader is shown how to reach somebody.
  const stored = await imports.database.reader.one(sql.type(z.strictObject({ contacts: column.text }))`
    SELECT body::jsonb->>'agent_contacts' contacts FROM record
    WHERE kind = 'agent_person' AND id = ${Number(
      ended.records
        .find((uri) => uri.includes('/people/'))
        ?.split('/')
        .at(-1),
    )}`);
  expect(JSON.parse(stored.contacts)).toMatchObject([
    { name: 'Doe, Jane', city: 'Brest', telephones: [{ number: '12' }] },
    { name: 'Doe, Jane', city: 'Quimper', telephones: [{ number: '34' }] },
  ]);
  expect(await first(ended, 'accessions', 2)).toMatchObject({ general_note: 'Wet' });
  for (const told of [
    /line 5, donorTelephone: of a donor without a name: 56/,
    /line 5, eventTypes: an event of which neither actor nor date is told: Custody/,
    /line 5, alternativeIdentifierTypes: the label of no identifier.*: Barcode/,
  ])
    expect(ended.log).toMatch(told);
});
