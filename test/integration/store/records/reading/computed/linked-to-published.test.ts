// Whether a heading is linked to a published record: of few and of very many links, hidden by themselves, by what is above them, and by their repository.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { accession, event } from '#domain/kinds/index.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let count = 0;
beforeAll(async () => {
  store = await openRecordStore();
  await publish(`/repositories/${store.repoId}`, true);
});
afterAll(() => store[Symbol.asyncDispose]());

const publish = async (uri: string, is: boolean): Promise<void> =>
  void (await store.update(uri, { ...(await store.read(uri)), publish: is }));
const isLinked = async (uri: string): Promise<unknown> => (await store.read(uri))['is_linked_to_published_record'];

const makeSubject = async (): Promise<string> =>
  (
    await store.create('subject', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: `Pilots ${count++}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    })
  ).uri;

/** A resource, a series below it, and so many files below that, which link to the subject. */
async function makeTree(
  subject: string,
  { files, resource, series, file }: { files: number; resource: boolean; series: boolean; file: boolean },
): Promise<{ readonly resource: string; readonly series: string; readonly files: readonly string[] }> {
  const root = await store.create('resource', resourceBody(`P${count++}`, { publish: resource }));
  const part = (publishIt: boolean, more: JsonObject) =>
    store.create('archival_object', {
      title: 'Part',
      level: 'file',
      publish: publishIt,
      resource: { ref: root.uri },
      ...more,
    });
  const upper = await part(series, {});
  const made: string[] = [];
  for (let n = 0; n < files; n++)
    made.push((await part(file, { parent: { ref: upper.uri }, subjects: [{ ref: subject }] })).uri);
  return { resource: root.uri, series: upper.uri, files: made };
}

it('asks a component, what is above it, and the repository', async () => {
  const subject = await makeSubject();
  expect(await isLinked(subject)).toBe(false);
  const tree = await makeTree(subject, { files: 2, resource: false, series: false, file: false });
  const [first = ''] = tree.files;
  expect(await isLinked(subject)).toBe(false);
  await publish(first, true);
  expect(await isLinked(subject)).toBe(false);
  await publish(tree.series, true);
  expect(await isLinked(subject)).toBe(false);
  await publish(tree.resource, true);
  expect(await isLinked(subject)).toBe(true);
  await publish(`/repositories/${store.repoId}`, false);
  expect(await isLinked(subject)).toBe(false);
  await publish(`/repositories/${store.repoId}`, true);
  await publish(tree.series, false);
  expect(await isLinked(subject)).toBe(false);
});

it('takes records of no tree, and no event', async () => {
  const subject = await makeSubject();
  const body = { accession_date: '2000-01-01', subjects: [{ ref: subject }] };
  const gift = await store.create(accession.name, { ...body, id_0: 'G1', publish: false });
  expect(await isLinked(subject)).toBe(false);
  await publish(gift.uri, true);
  expect(await isLinked(subject)).toBe(true);

  const agent = await store.create('agent_person', personBody('Bilby, Bo'));
  await store.create(event.name, {
    event_type: 'accession',
    date: { date_type: 'single', label: 'creation', begin: '1900' },
    linked_records: [{ ref: gift.uri, role: 'source' }],
    linked_agents: [{ ref: agent.uri, role: 'authorizer' }],
  });
  expect(await isLinked(agent.uri)).toBe(false);
});

it('finds the one that is public behind all that are not', async () => {
  const subject = await makeSubject();
  // More than are tried first.
  const hidden = await makeTree(subject, { files: 101, resource: true, series: false, file: true });
  expect(await isLinked(subject)).toBe(false);
  await makeTree(subject, { files: 1, resource: true, series: true, file: true });
  expect(await isLinked(subject)).toBe(true);
  expect(hidden.files).toHaveLength(101);
});

it('asks what is above the components of a digital object, too', async () => {
  const agent = (await store.create('agent_person', personBody('Bilby, Be'))).uri;
  const object = await store.create('digital_object', { title: 'Object', digital_object_id: 'd', publish: true });
  const part = (publishIt: boolean, more: JsonObject): Promise<{ readonly uri: string }> =>
    store.create('digital_object_component', {
      title: 'Part',
      component_id: `p${count++}`,
      publish: publishIt,
      digital_object: { ref: object.uri },
      ...more,
    });
  const upper = await part(false, {});
  await part(true, { parent: { ref: upper.uri }, linked_agents: [{ ref: agent, role: 'creator' }] });
  expect(await isLinked(agent)).toBe(false);
  await publish(upper.uri, true);
  expect(await isLinked(agent)).toBe(true);
  await publish(object.uri, false);
  expect(await isLinked(agent)).toBe(false);
});
