// A tree in reading order with its refs in place.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { openRecordStore, personBody, resourceBody } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
let id = 0;
const nodes: number[] = [];
const viewer = { seesSuppressed: true, mayView: () => true };
const open = (more: object = {}): ReturnType<typeof exportTree> =>
  exportTree(
    store.database,
    { kind: kindNamed('resource'), repoId: store.repoId, id },
    { publishedOnly: false, viewer, resolve: ['linked_agents'], blockSize: 2, ...more },
  );
const titles = async (more: object = {}): Promise<unknown[]> =>
  (await Array.fromAsync((await open(more)).blocks)).flat().map(({ record, depth }) => [depth, record['title']]);

beforeAll(async () => {
  store = await openRecordStore();
  const agent = await store.create('agent_person', personBody('Anna'));
  ({ id } = await store.create('resource', resourceBody('T')));
  const resource = { ref: `/repositories/${store.repoId}/resources/${id}` };
  const node = async (title: string, parent: number | null, publish = true): Promise<number> => {
    const made = await store.create('archival_object', {
      title,
      level: 'file',
      publish,
      resource,
      linked_agents: [{ ref: agent.uri, role: 'creator' }],
      ...(parent === null ? {} : { parent: { ref: `/repositories/${store.repoId}/archival_objects/${parent}` } }),
    });
    nodes.push(made.id);
    return made.id;
  };
  const a = await node('a', null);
  const hidden = await node('hidden', a, false);
  await node('below hidden', hidden);
  await node('b', a);
  await node('c', null);
});
afterAll(() => store[Symbol.asyncDispose]());

test('gives every node after its parent, with its depth and its agents', async () => {
  expect(await titles()).toEqual([
    [1, 'a'],
    [2, 'hidden'],
    [3, 'below hidden'],
    [2, 'b'],
    [1, 'c'],
  ]);
  const tree = await open();
  expect([tree.count, tree.deepest, tree.root.depth]).toEqual([5, 3, 0]);
  const [first] = (await Array.fromAsync(tree.blocks)).flat();
  expect(first?.record).toMatchObject({ linked_agents: [{ _resolved: { title: 'Anna' } }] });
});

test('leaves out what is unpublished with all below it', async () => {
  expect(await titles({ publishedOnly: true })).toEqual([
    [1, 'a'],
    [2, 'b'],
    [1, 'c'],
  ]);
});

test('leaves out what was unpublished or deleted after the order was read', async () => {
  const tree = await open({ publishedOnly: true });
  const uri = `/repositories/${store.repoId}/archival_objects/${nodes[0]}`;
  await store.update(uri, { ...(await store.read(uri)), publish: false });
  expect((await Array.fromAsync(tree.blocks)).flat().map(({ record }) => record['title'])).toEqual(['c']);
  await store.update(uri, { ...(await store.read(uri)), publish: true });
});

test('begins behind a node, and refuses one that is not in the tree', async () => {
  expect(await titles({ after: nodes[2] })).toEqual([
    [2, 'b'],
    [1, 'c'],
  ]);
  await expect(open({ after: 99_999 })).rejects.toMatchObject({ code: 'bad_parameter' });
});

test('ends before its next block when it is told to', async () => {
  const stop = new AbortController();
  const tree = await open({ signal: stop.signal });
  await tree.blocks.next();
  stop.abort();
  await expect(tree.blocks.next()).rejects.toMatchObject({ name: 'AbortError' });
});
