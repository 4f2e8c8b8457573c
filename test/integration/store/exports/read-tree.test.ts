// A tree in reading order with its refs in place.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { sql } from '#store/connection/sql.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
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

/**
 * A resource with three series, written as rows: a thousand subseries each in the first and the second, with a file among them. Titles are the numbers of
 * the components in reading order.
 */
async function largeContents(): Promise<number> {
  const kind = kindNamed('archival_object');
  const made = await store.create('resource', resourceBody('contents'));
  const first = 100_000;
  const levels = sql.fragment`SELECT n, CASE WHEN n IN (0, 1002, 2003) THEN 'series' WHEN n = 1 THEN 'file' ELSE 'subseries' END AS level FROM generate_series(0, 2003) n`;
  await store.database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO record (kind, id, repo_id, publish, label, body)
      SELECT 'archival_object', ${first}::int + n, ${store.repoId}, true, n::text,
        json_build_object('jsonmodel_type', 'archival_object', 'title', n::text, 'level', level, 'ref_id', md5(n::text), 'publish', true) FROM (${levels}) made`);
    await bulkLoadTree(
      tx,
      treeUnder(kind, store.repoId, made.id),
      sql.fragment`SELECT ${first}::int + n AS id, ${made.id}::int AS root_id, n AS seq, NULL::int AS position, true AS visible, level,
        ${first}::int + CASE WHEN level = 'series' THEN NULL WHEN n > 1002 THEN 1002 ELSE 0 END AS parent_id FROM (${levels}) made`,
      { keepsPositions: false },
    );
  });
  return made.id;
}

test('tells beforehand of the levels of a table of contents, in reading order; of more than two thousand the least deep ones', async () => {
  const large = await largeContents();
  const contents = async (groups: readonly string[]): Promise<readonly (readonly [depth: number, title: number])[]> =>
    (
      await exportTree(
        store.database,
        { kind: kindNamed('resource'), repoId: store.repoId, id: large },
        { publishedOnly: true, viewer, resolve: [], groups },
      )
    ).groups.map(({ depth, record }) => [depth, Number(record['title'])]);
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => [2, from + n]);
  expect(await contents(['series'])).toEqual([
    [1, 0],
    [1, 1002],
    [1, 2003],
  ]);
  const [before, behind] = [numbers(2, 1001), numbers(1003, 2002)];
  expect(await contents(['subseries'])).toEqual([...before, ...behind]);
  expect(await contents(['series', 'subseries'])).toEqual([
    [1, 0],
    ...before,
    [1, 1002],
    ...behind.slice(0, 997),
    [1, 2003],
  ]);
});
