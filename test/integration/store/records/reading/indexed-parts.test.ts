// The components that the entries of index notes point at, over HTTP.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';

let api: TestApi;
let repo = 0;
beforeAll(async () => {
  api = await startTestApi();
  repo = await api.repository();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const entry = (reference: string) => ({ jsonmodel_type: 'note_index_item', value: 'Cod', type: 'subject', reference });
const index = (...references: string[]) => ({
  jsonmodel_type: 'note_index',
  content: ['Index'],
  items: references.map(entry),
});

const resource = (id: string, more: object = {}): Promise<string> =>
  api.create(`/repositories/${repo}/resources`, {
    title: 'Papers',
    id_0: id,
    level: 'collection',
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
    dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
    lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
    ...more,
  });
const component = (root: string, ref_id: string, more: object = {}): Promise<string> =>
  api.create(`/repositories/${repo}/archival_objects`, {
    title: 'File',
    level: 'file',
    ref_id,
    resource: { ref: root },
    ...more,
  });
const refsOf = async (uri: string, session?: string): Promise<readonly unknown[]> =>
  ok(await api.get(uri, session)).notes[0].items.map(
    (item: { reference_ref?: { ref: string } }) => item.reference_ref?.ref ?? null,
  );

it('are named in what a resource and a component answer, where they are in the same tree', async () => {
  const root = await resource('I1', { notes: [index('ref1', 'ref2', 'elsewhere')] });
  const other = await resource('I2');
  const one = await component(root, 'ref1');
  const two = await component(root, 'ref2', { notes: [index('ref1')] });
  await component(other, 'elsewhere');
  expect(await refsOf(root)).toEqual([one, two, null]);
  expect(await refsOf(two)).toEqual([one]);
  const listed = ok(await api.get(`/repositories/${repo}/archival_objects?id_set=${two.split('/').at(-1)}`));
  expect(listed[0].notes[0].items[0].reference_ref).toEqual({ ref: one });
});

it('are resolved, follow their address, and are not stored', async () => {
  const root = await resource('I3', { notes: [index('ref3')] });
  const one = await component(root, 'ref3');
  const json = ok(await api.get(`${root}?resolve[]=reference_ref`));
  expect(json.notes[0].items[0].reference_ref).toMatchObject({ ref: one, _resolved: { uri: one, title: 'File' } });
  ok(await api.post(root, json));
  ok(await api.del(one));
  expect(await refsOf(root)).toEqual([null]);
});

it('are not told to those who may not know of them', async () => {
  const root = await resource('I4', { notes: [index('ref4')] });
  const hidden = await component(root, 'ref4');
  const reader = await api.userWith(['view_repository'], repo);
  expect(await refsOf(root, reader)).toEqual([hidden]);
  ok(await api.ask(`${hidden}/suppressed?suppressed=true`, { method: 'POST' }));
  expect(await refsOf(root, reader)).toEqual([null]);
});
