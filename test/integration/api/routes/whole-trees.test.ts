// Whole trees over HTTP: nested, small, in reading order; containers; record types of a graph (contract, behaviour-records 4.1, 4.4).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { orderedRecords, treeContainers } from '#store/trees/whole.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

let api: TestApi;
let repoId = 0;
let root = '';
const uris: { [name: string]: string } = {};
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository('TREE');
  const box = await made('top_containers', { indicator: '1', type: 'box', barcode: 'B1' });
  uris['box'] = box;
  const instance = {
    instance_type: 'mixed_materials',
    sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '3' },
  };
  root = await made('resources', {
    title: 'Papers',
    id_0: 'T',
    id_1: '1',
    level: 'collection',
    publish: true,
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
    dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
    lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  });
  const node = async (name: string, parent: string | null, more: object = {}): Promise<void> => {
    uris[name] = await made('archival_objects', {
      title: name,
      level: 'file',
      ref_id: `ref_${name}`,
      publish: true,
      resource: { ref: root },
      ...(parent === null ? {} : { parent: { ref: uris[parent] } }),
      ...more,
    });
  };
  await node('a', null, { level: 'series', component_id: 'S1' });
  await node('a1', 'a', { instances: [instance, instance] });
  await node('a2', 'a', { publish: false });
  await node('a2x', 'a2');
  await node('b', null, { instances: [instance], level: 'otherlevel', other_level: 'heap' });
});
afterAll(async () => api[Symbol.asyncDispose]());

const made = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);

it('serves the nested tree with the keys that clients read', async () => {
  const reply = await api.get(`${root}/tree`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
  const { children, ...top } = reply.json;
  expect(top).toEqual({
    jsonmodel_type: 'resource_tree',
    title: 'Papers',
    id: Number(root.split('/').at(-1)),
    node_type: 'resource',
    publish: true,
    suppressed: false,
    record_uri: root,
    level: 'collection',
    instance_types: [],
    containers: [],
    has_children: true,
  });
  expect(
    children.map((each: { title: string; has_children: boolean; children: unknown[] }) => [
      each.title,
      each.has_children,
      each.children.length,
    ]),
  ).toEqual([
    ['a', true, 2],
    ['b', false, 0],
  ]);
  const [a1, a2] = children[0].children;
  expect(a1).toMatchObject({
    record_uri: uris['a1'],
    node_type: 'archival_object',
    has_children: false,
    children: [],
    instance_types: ['mixed_materials', 'mixed_materials'],
  });
  expect(a1.containers[0]).toEqual({
    type_1: 'box',
    indicator_1: '1 [B1]',
    type_2: 'folder',
    indicator_2: '3',
    barcode_2: null,
    type_3: null,
    indicator_3: null,
  });
  expect(a2).toMatchObject({ publish: false, has_children: true });
  expect(a2.children[0]).toMatchObject({ title: 'a2x', children: [] });
});

it('resolves the tree of a resource, alone and inside a resolved record', async () => {
  const tree = (await api.get(`${root}/tree`)).json;
  expect((await api.get(`${root}?resolve[]=tree`)).json.tree).toEqual({ ref: `${root}/tree`, _resolved: tree });
  expect((await api.get(`${uris['b']}?resolve[]=resource::tree`)).json.resource._resolved.tree._resolved).toEqual(tree);
  expect((await api.get(`${uris['b']}?resolve[]=resource`)).json.resource._resolved.tree).toEqual({
    ref: `${root}/tree`,
  });
});

it('serves trees of digital objects and classifications, childless ones too', async () => {
  const object = await made('digital_objects', {
    title: 'd',
    digital_object_id: 'D',
    file_versions: [{ file_uri: 'http://x.example/1' }],
  });
  await made('digital_object_components', { title: 'page', component_id: 'p1', digital_object: { ref: object } });
  const tree = (await api.get(`${object}/tree`)).json;
  expect(tree).toMatchObject({
    jsonmodel_type: 'digital_object_tree',
    record_uri: object,
    children: [{ title: 'page', component_id: 'p1', has_children: false, children: [], file_versions: [] }],
  });
  expect(tree.file_versions[0]).toMatchObject({ file_uri: 'http://x.example/1' });
  const classification = await made('classifications', { title: 'c', identifier: 'C' });
  expect((await api.get(`${classification}/tree`)).json).toMatchObject({
    jsonmodel_type: 'classification_tree',
    identifier: 'C',
    children: [],
  });
});

it('serves the small tree', async () => {
  const path = `/bulk_archival_object_updater${root}/small_tree`;
  const { json } = await api.get(path);
  expect(json).toMatchObject({ title: 'Papers', identifier: 'T--1', uri: root });
  expect(json.children[0].children[0]).toEqual({
    title: 'a1',
    uri: uris['a1'],
    ref_id: 'ref_a1',
    container: 'box: 1: [B1], folder: 3',
    has_children: false,
    children: [],
  });
  expect(json.children[0]).toMatchObject({ component_id: 'S1', has_children: true });
  expect((await api.get(path.replace(/\d+\/small_tree/, '99999999/small_tree'))).json).toEqual({
    error: 'Resource not found',
  });
});

it('shows the container of the last instance in the small tree, whatever else the node has', async () => {
  const other = await made('resources', { ...(await api.get(root)).json, id_0: 'LAST', external_ids: [] });
  const shelf = await made('top_containers', { indicator: '2', type: 'carton' });
  const digital = {
    instance_type: 'digital_object',
    digital_object: { ref: await made('digital_objects', { title: 'Scan', digital_object_id: 'SMALL' }) },
  };
  const inBox = (ref = '', more: object = {}): object => ({
    instance_type: 'text',
    sub_container: { top_container: { ref }, ...more },
  });
  const node = (title: string, instances: readonly object[]): Promise<string> =>
    made('archival_objects', { title, level: 'file', resource: { ref: other }, instances });
  const both = [
    inBox(uris['box'], { type_2: 'folder', indicator_2: '3' }),
    inBox(shelf, { type_2: 'folder', indicator_2: '7', type_3: 'reel', indicator_3: '9' }),
  ];
  const ascending = await node('ascending', both);
  await node('descending', both.toReversed());
  await node('digital last', [...both, digital]);
  await node('digital first', [digital, inBox(uris['box'])]);
  await node('digital alone', [digital]);
  const path = `/bulk_archival_object_updater${other}/small_tree`;
  const containers = async () =>
    (await api.get(path)).json.children.map((child: { readonly title: string; readonly container?: string }) => [
      child.title,
      child.container,
    ]);
  const [box, carton] = ['box: 1: [B1], folder: 3', 'carton: 2, folder: 7, reel: 9'];
  expect(await containers()).toEqual([
    ['ascending', carton],
    ['descending', box],
    ['digital last', carton],
    ['digital first', 'box: 1: [B1]'],
    ['digital alone', undefined],
  ]);
  const stored = (await api.get(ascending)).json;
  await api.post(ascending, { ...stored, instances: stored.instances.toReversed() });
  expect((await containers())[0]).toEqual(['ascending', box]);
});

it.each([
  ['ordered_records', orderedRecords, () => [root, uris['b']]],
  ['top_containers', treeContainers, () => [uris['box']]],
])('leaves out of %s what is hidden while a client reads it, with all below', async (_, read, refs) => {
  const view: TreeView = {
    repoId,
    rootKind: resource,
    nodeKind: archivalObject,
    release: 'R-B',
    publishedOnly: false,
    seesSuppressed: false,
  };
  const whole = { database: api.database, view, rootId: Number(root.split('/').at(-1)) };
  const pieces = (await read(whole))[Symbol.asyncIterator]();
  const texts = [(await pieces.next()).value];
  const shown = (await api.get(uris['a'] ?? '')).json;
  await api.post(uris['a'] ?? '', { ...shown, title: 'hidden since', publish: false });
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) texts.push(next.value);
  const told = JSON.parse(texts.join(''));
  expect((told.uris ?? told).map((each: { readonly ref: string }) => each.ref)).toEqual(refs());
  const { lock_version: version } = (await api.get(uris['a'] ?? '')).json;
  await api.post(uris['a'] ?? '', { ...shown, lock_version: version });
});

it('lists published records in reading order, and nothing below what is hidden', async () => {
  const reply = await api.get(`${root}/ordered_records`);
  expect(reply.json).toEqual({
    jsonmodel_type: 'resource_ordered_records',
    uris: [
      { ref: root, display_string: 'Papers', depth: 0, level: 'collection' },
      { ref: uris['a'], display_string: 'a', depth: 1, level: 'series' },
      { ref: uris['a1'], display_string: 'a1', depth: 2, level: 'file' },
      { ref: uris['b'], display_string: 'b', depth: 1, level: 'heap' },
    ],
  });
  expect(reply.text.endsWith('}\n')).toBe(true);
  const hidden = await made('resources', {
    ...(await api.get(root)).json,
    id_0: 'HID',
    publish: false,
    external_ids: [],
  });
  expect((await api.get(`${hidden}/ordered_records`)).json).toEqual({
    jsonmodel_type: 'resource_ordered_records',
    uris: [],
  });
  expect((await api.get(`${hidden}/top_containers`)).json).toEqual([]);
});

it('lists the containers of a collection, each once', async () => {
  expect((await api.get(`${root}/top_containers`)).json).toEqual([{ ref: uris['box'] }]);
  expect((await api.get(`/repositories/${repoId}/resources/99999999/top_containers`)).json).toEqual({
    error: 'Resource not found',
  });
});

it('lists the containers of an accession as refs', async () => {
  const uri = await made('accessions', {
    id_0: 'ACC',
    accession_date: '2020-01-01',
    instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: uris['box'] } } }],
  });
  expect((await api.get(`${uri}/top_containers?resolve[]=container_profile`)).json).toEqual([{ ref: uris['box'] }]);
  const missing = await api.get(`/repositories/${repoId}/accessions/99999999/top_containers`);
  expect([missing.status, missing.json]).toEqual([404, { error: 'Accession not found' }]);
});

it('names the record types of a graph', async () => {
  expect((await api.get(`${uris['a']}/models_in_graph`)).json.toSorted()).toEqual([
    'archival_object',
    'instance',
    'sub_container',
  ]);
  expect((await api.get(`${uris['a2']}/models_in_graph`)).json).toEqual(['archival_object']);
  expect((await api.get(`${root}/models_in_graph`)).json).toEqual(
    expect.arrayContaining(['archival_object', 'extent', 'date', 'lang_material', 'language_and_script', 'instance']),
  );
  expect((await api.get(`${root}/models_in_graph`)).json).not.toContain('resource');
});
