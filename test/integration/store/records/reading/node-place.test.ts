// The place of a node as a read shows it, at any depth, and that what is remembered between reads is never old.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Reader } from '#store/connection/database.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readManyRecords, readRecord, readRecords } from '#store/records/reading/read.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { moveNodes } from '#store/trees/move.ts';
import { PositionMemory } from '#store/trees/position-memory.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let resource: string;
beforeAll(async () => {
  store = await openRecordStore();
  resource = (await store.create('resource', resourceBody('place', { publish: true }))).uri;
});
afterAll(() => store[Symbol.asyncDispose]());

const kind = kindNamed('archival_object');
const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const node = async (title: string, parent: string | null, more: JsonObject = {}): Promise<string> =>
  (
    await store.create('archival_object', {
      title,
      level: 'file',
      publish: true,
      resource: { ref: resource },
      ...(parent === null ? {} : { parent: { ref: parent } }),
      ...more,
    })
  ).uri;
const read = (uri: string): Promise<JsonObject> => store.read(uri);
const everything = { seesSuppressed: true };
const setOf = async (reader: Reader, uris: readonly string[]): Promise<readonly string[]> => {
  const set = await readRecords(reader, new Map([[kind.name, uris.map(idOf)]]), everything);
  return uris.map((uri) => set.get(uri)?.text ?? '');
};
/** The text of a record without memory: in a transaction, alone and as one of a set. It is the same as one of many, whose places are read apart. */
const fresh = (uri: string): Promise<readonly string[]> =>
  store.database.transaction(async (tx) => {
    const texts = [(await readRecord(tx, kind, idOf(uri), store.repoId, everything)).text, ...(await setOf(tx, [uri]))];
    const nodes = await tx.any(sql.type(IdRow)`
      SELECT n.id FROM tree_node t JOIN tree_node n USING (repo_id, kind, root_id) WHERE t.repo_id = ${store.repoId} AND t.kind = 1 AND t.id = ${idOf(uri)}`);
    const many = await readManyRecords(tx, new Map([[kind.name, nodes.map(({ id }) => id)]]), everything);
    expect([many.size, many.get(uri)?.text]).toEqual([nodes.length, texts[0]]);
    return texts;
  });
/** The same from memory. */
const remembered = async (uri: string): Promise<readonly string[]> => {
  const { reader } = store.database;
  return [(await readRecord(reader, kind, idOf(uri), store.repoId, everything)).text, ...(await setOf(reader, [uri]))];
};

test('all ancestors are shown, nearest first, also beyond the levels that are joined', async () => {
  const uris: string[] = [];
  for (let depth = 0; depth < 8; depth++) {
    // Each is the parent of the next.
    uris.push(
      await node(
        `level ${depth}`,
        uris.at(-1) ?? null,
        depth === 2 ? { level: 'otherlevel', other_level: 'a "quoted" one of $& $1' } : {},
      ),
    );
    const record = await read(uris.at(-1) ?? '');
    const above = uris
      .slice(0, -1)
      .map((ref, index) => ({ ref, level: index === 2 ? 'a "quoted" one of $& $1' : 'file' }))
      .toReversed();
    expect(record).toMatchObject({
      position: 0,
      ancestors: [...above, { ref: resource, level: 'collection' }],
      has_unpublished_ancestor: false,
    });
  }
  // The topmost is hidden: seven levels above the last, one above the second.
  const top = await read(uris[0] ?? '');
  await store.update(uris[0] ?? '', { ...top, publish: false });
  for (const [index, uri] of uris.entries()) {
    expect((await read(uri))['has_unpublished_ancestor']).toBe(index > 0);
    expect(await fresh(uri)).toEqual(await remembered(uri));
  }
});

test('positions follow moves, inserts and deletes at once, however often they were read before', async () => {
  const parent = await node('parent', null);
  const uris: string[] = [];
  for (let n = 0; n < 6; n++) uris.push(await node(`child ${n}`, parent));
  const positions = (): Promise<readonly unknown[]> =>
    Promise.all(uris.map(async (uri) => (await read(uri))['position']));
  expect(await positions()).toEqual([0, 1, 2, 3, 4, 5]);
  await store.database.transaction((tx) =>
    moveNodes(tx, treeUnder(kind, store.repoId, idOf(resource)), {
      parentId: idOf(parent),
      position: 0,
      ids: [idOf(uris[5] ?? '')],
    }),
  );
  expect(await positions()).toEqual([1, 2, 3, 4, 5, 0]);
  await store.remove(uris[0] ?? '');
  uris.shift();
  expect(await positions()).toEqual([1, 2, 3, 4, 0]);
  uris.push(await node('first', parent, { position: 0 }));
  expect(await positions()).toEqual([2, 3, 4, 5, 1, 0]);
  for (const uri of uris) expect(await fresh(uri)).toEqual(await remembered(uri));
});

test('a move that is rolled back leaves nothing behind in what is remembered', async () => {
  const parent = await node('undone', null);
  const uris = [await node('a', parent), await node('b', parent)];
  const tree = treeUnder(kind, store.repoId, idOf(resource));
  const swap = (ids: readonly number[], work: () => void): Promise<void> =>
    store.database.transaction(async (tx) => {
      await moveNodes(tx, tree, { parentId: idOf(parent), position: 0, ids });
      expect(
        JSON.parse((await readRecord(tx, kind, idOf(uris[1] ?? ''), store.repoId, { seesSuppressed: true })).text)
          .position,
      ).toBe(0);
      work();
    });
  await expect(
    swap([idOf(uris[1] ?? '')], () => {
      throw new Error('undo');
    }),
  ).rejects.toThrow('undo');
  expect([(await read(uris[0] ?? ''))['position'], (await read(uris[1] ?? ''))['position']]).toEqual([0, 1]);
  // The next write to the tree gives it the version that the undone one had.
  const other = await node('other', null);
  expect([
    (await read(uris[0] ?? ''))['position'],
    (await read(uris[1] ?? ''))['position'],
    (await read(other))['has_unpublished_ancestor'],
  ]).toEqual([0, 1, false]);
});

test('a set of siblings has the positions of one moment, whatever moves meanwhile, also across buckets and trees', async () => {
  const other = (await store.create('resource', resourceBody('place of another', { publish: true }))).uri;
  const parent = await node('crowded', null);
  const uris: string[] = [];
  for (let n = 0; n < 30; n++) uris.push(await node(`one of many ${n}`, parent));
  const strays = [await node('alone', null), await node('elsewhere', null, { resource: { ref: other } })];
  const tree = treeUnder(kind, store.repoId, idOf(resource));
  let isMoving = true;
  const moving = (async () => {
    for (let n = 0; n < 60; n++)
      await store.database.transaction((tx) =>
        moveNodes(tx, tree, { parentId: idOf(parent), position: (n * 7) % 30, ids: [idOf(uris[(n * 11) % 30] ?? '')] }),
      );
    isMoving = false;
  })();
  const seen: (readonly number[])[] = [];
  const look = async (): Promise<readonly number[]> =>
    (await setOf(store.database.reader, [...uris, ...strays])).map((text) => JSON.parse(text).position);
  while (isMoving) seen.push(await look());
  await moving;
  seen.push(await look());
  for (const positions of seen)
    expect(positions.slice(0, 30).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(seen.length).toBeGreaterThan(1);
  for (const uri of [...uris, ...strays]) expect(await remembered(uri)).toEqual(await fresh(uri));
});

test('a node of which nothing is remembered, as there is no room, is read with its position', async () => {
  const parent = await node('roomless', null);
  const uris = [await node('a', parent), await node('b', parent), await node('c', parent)];
  const reader: Reader = { ...store.database.reader, positions: new PositionMemory(2) };
  for (const [position, uri] of uris.entries()) {
    const { text } = await readRecord(reader, kind, idOf(uri), store.repoId, everything);
    expect(JSON.parse(text).position).toBe(position);
    expect(await fresh(uri)).toEqual([text, text]);
  }
});
