// What documents show of other records follows these.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, objectsOf } from '#domain/json.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { readAttributeDefinitions, replaceAttributeDefinitions } from '#store/settings/assessment-definitions.ts';
import type { TestIndexer } from '#test/support/indexer.ts';
import { startIndexer, untilIndexed } from '#test/support/indexer.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

const everything: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true };

let store: RecordStore;
let indexer: TestIndexer;

beforeAll(async () => {
  store = await openRecordStore();
  indexer = await startIndexer(store.database);
});
afterAll(async () => {
  expect(indexer.errors).toEqual([]);
  await indexer[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** The document of a record, once the index has come up. */
async function documentOf(uri: string): Promise<JsonObject> {
  await untilIndexed(store.database);
  const [hit] = await postgresSearch(store.database).read([uri], everything);
  return JSON.parse(hit?.stored ?? '{}');
}

const jsonOf = async (uri: string): Promise<JsonObject> => JSON.parse(String((await documentOf(uri))['json']));

it('shows the roles that an agent has now', async () => {
  const agent = await store.create('agent_person', personBody('Numbat'));
  const link = (role: string): JsonObject => ({ linked_agents: [{ ref: agent.uri, role }] });
  const { uri } = await store.create('resource', resourceBody('ROLE', link('creator')));
  expect((await documentOf(agent.uri))['linked_agent_roles']).toEqual(['creator']);
  await store.update(uri, { ...(await store.read(uri)), ...link('subject') });
  expect((await documentOf(agent.uri))['linked_agent_roles']).toEqual(['subject']);
  const both = [...objectsOf(link('subject'), 'linked_agents'), ...objectsOf(link('source'), 'linked_agents')];
  await store.update(uri, { ...(await store.read(uri)), linked_agents: both });
  expect((await documentOf(agent.uri))['linked_agent_roles']).toEqual(['source', 'subject']);
});

it('shows the files that a digital object has now, with the records that have it', async () => {
  const files = (name: string): JsonObject => ({
    file_versions: [{ file_uri: `https://files.example/${name}`, publish: true, is_representative: true }],
  });
  const object = await store.create('digital_object', { title: 'Page', digital_object_id: 'P1', ...files('one') });
  await store.update(object.uri, { ...(await store.read(object.uri)), publish: true });
  const { uri } = await store.create(
    'resource',
    resourceBody('FILES', {
      instances: [{ instance_type: 'digital_object', is_representative: true, digital_object: { ref: object.uri } }],
    }),
  );
  expect(JSON.stringify(await jsonOf(uri)).match(/files\.example\/\w+/g)).toEqual(
    expect.arrayContaining(['files.example/one']),
  );
  await store.update(object.uri, { ...(await store.read(object.uri)), ...files('two') });
  expect(new Set(JSON.stringify(await jsonOf(uri)).match(/files\.example\/\w+/g))).toEqual(
    new Set(['files.example/two']),
  );
});

it('shows for a record the file that a component of its digital object has now', async () => {
  const files = (name: string): JsonObject => ({
    file_versions: [{ file_uri: `https://files.example/${name}`, publish: true, is_representative: true }],
  });
  const object = await store.create('digital_object', { title: 'Album', digital_object_id: 'A1', publish: true });
  const { uri } = await store.create(
    'resource',
    resourceBody('PAGES', {
      instances: [{ instance_type: 'digital_object', is_representative: true, digital_object: { ref: object.uri } }],
    }),
  );
  const shown = async (): Promise<unknown> => objectOf(await jsonOf(uri), 'representative_file_version')?.['file_uri'];
  expect(await shown()).toBeUndefined();
  const page = await store.create('digital_object_component', {
    title: 'Page',
    publish: true,
    digital_object: { ref: object.uri },
    ...files('three'),
  });
  expect(await shown()).toBe('https://files.example/three');
  await store.update(page.uri, { ...(await store.read(page.uri)), ...files('four') });
  expect(await shown()).toBe('https://files.example/four');
  await store.remove(page.uri);
  expect(await shown()).toBeUndefined();
});

it('shows the collections of assessed components by the title that they have now', async () => {
  const person = await store.create('agent_person', personBody('Surveyor'));
  const resource = await store.create('resource', resourceBody('SURVEY', { title: 'Kowari family' }));
  const component = await store.create('archival_object', {
    title: 'Letters',
    level: 'file',
    resource: { ref: resource.uri },
  });
  const { uri } = await store.create('assessment', {
    records: [{ ref: component.uri }],
    surveyed_by: [{ ref: person.uri }],
    survey_begin: '2020-01-01',
  });
  const shown = async (): Promise<unknown> => (await documentOf(uri))['assessment_collections'];
  expect(await shown()).toEqual(['Kowari family']);
  await store.update(resource.uri, { ...(await store.read(resource.uri)), title: 'Kowari and sons' });
  expect(await shown()).toEqual(['Kowari and sons']);
});

it('tells of no repositories that use a record whose documents do not follow that', async () => {
  const location = await store.create('location', { building: 'Annex', barcode: 'a1' });
  await store.create('top_container', {
    indicator: '1',
    container_locations: [{ ref: location.uri, status: 'current', start_date: '2020-01-01' }],
  });
  const own = await store.read(location.uri);
  await store.update(location.uri, { ...own, room: '2' });
  expect(await documentOf(location.uri)).toMatchObject({ room: '2' });
  expect(await documentOf(location.uri)).not.toHaveProperty('used_within_repository');
});

it('shows the definitions of an assessment under the labels that they have now', async () => {
  const define = (definitions: readonly JsonObject[]): Promise<void> =>
    store.database.transaction((tx) =>
      replaceAttributeDefinitions(tx, store.repoId, { definitions: [...definitions] }),
    );
  const own = async (): Promise<JsonObject> =>
    (await readAttributeDefinitions(store.database.reader, store.repoId)).find(({ global }) => !global) ?? {};
  await define([{ label: 'Glass plates', type: 'format' }]);
  const { uri } = await store.create('assessment', {
    records: [{ ref: (await store.create('resource', resourceBody('LABELS'))).uri }],
    surveyed_by: [{ ref: (await store.create('agent_person', personBody('Assessor'))).uri }],
    survey_begin: '2020-01-01',
    formats: [{ definition_id: (await own())['id'], value: 'true' }],
  });
  expect((await documentOf(uri))['assessment_formats']).toEqual(['Glass plates']);
  await define([{ ...(await own()), label: 'Glass negatives' }]);
  expect((await documentOf(uri))['assessment_formats']).toEqual(['Glass negatives']);
});
