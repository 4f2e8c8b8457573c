// A component goes to another resource: while it is held up, those who work elsewhere in both trees are not, and what is put below it meanwhile goes along.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { lockStored } from '#store/records/writing/revise.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { transferComponent } from '#store/transfers/component.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { counting } from '#test/support/count-statements.ts';
import { beside } from '#test/support/lock-waits.ts';
import { outside } from '#test/support/outside.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../../apps/generated-values.ts';

let store: RecordStore;
let agentUri = '';
beforeAll(async () => {
  store = await openRecordStore();
  agentUri = (await store.create('agent_person', personBody('Bilby, Bo'))).uri;
});
afterAll(() => store[Symbol.asyncDispose]());

const root = (): Promise<{ uri: string; id: number }> => store.create('resource', resourceBody(`R${(made += 1)}`));
const component = async (root: string, parent: string | null = null): Promise<{ uri: string; id: number }> =>
  store.create('archival_object', {
    title: 'N',
    level: 'file',
    ref_id: `r${(made += 1)}`,
    resource: { ref: root },
    ...(parent === null ? {} : { parent: { ref: parent } }),
  });
let made = 0;
const waitingFor = (pid: number) => sql.type(NumberRow)`
  SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${pid}::int = ANY(pg_blocking_pids(pid))`;

const placeOf = (id: number): string =>
  `SELECT FROM tree_node WHERE repo_id = ${store.repoId} AND kind = 1 AND id = ${id} FOR UPDATE`;

/** Holds something by a statement, begins a move that waits for it, and lets go when others have worked beside it. */
async function besideHeld(hold: string, move: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  await store.database.withClient(async (client) => {
    await client.query('BEGIN READ WRITE');
    await client.query(hold);
    const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
    const moving = move();
    // A failure is told where it is awaited.
    moving.catch(() => undefined);
    try {
      await expect.poll(async () => (await store.database.reader.one(waitingFor(Number(pid)))).n).toBe(1);
      await work();
    } finally {
      await client.query('COMMIT');
    }
    await moving;
  });
}

const transfer = (top: number, to: number): Promise<string> =>
  store.database.transaction((tx) =>
    transferComponent(
      tx,
      { repoId: store.repoId, componentId: top, resourceId: to, actor: 'tester', agentUri },
      { at: '2026-01-01T00:00:00Z', generatedValues },
    ),
  );

test('has written all else when it takes the trees, and holds them for three statements', async () => {
  const [from, to] = [await root(), await root()];
  const top = await component(from.uri);
  const child = await component(from.uri, top.uri);
  let before = 0;
  let event = '';
  const held = await store.database.transaction(async (tx) => {
    const counted = counting(tx);
    await transferComponent(
      counted.tx,
      { repoId: store.repoId, componentId: top.id, resourceId: to.id, actor: 'tester', agentUri },
      { at: '2026-01-01T00:00:00Z', generatedValues },
      async (uri) => {
        [before, event] = [counted.count(), uri];
        // Nobody is held up yet.
        await outside(() => component(from.uri));
        await outside(() => component(to.uri));
      },
    );
    return counted.count() - before;
  });
  // Before the first of them the triggers of single nodes are quieted; behind the trees a bucket that was emptied is deleted at most.
  expect(held).toBeLessThanOrEqual(5);
  expect(await store.read(event)).toMatchObject({ event_type: 'component_transfer' });
  for (const { uri } of [top, child]) expect((await store.read(uri))['resource']).toEqual({ ref: to.uri });
});

test.each([
  ['record', (id: number) => `SELECT FROM record WHERE kind = 'archival_object' AND id = ${id} FOR UPDATE`],
  ['place', (id: number) => placeOf(id)],
] as const)('holds neither tree while it waits for a %s of what is below', async (_, hold) => {
  const [from, to] = [await root(), await root()];
  const top = await component(from.uri);
  const child = await component(from.uri, top.uri);
  let below = '';
  await besideHeld(
    hold(child.id),
    () => transfer(top.id, to.id),
    async () => {
      for (const { uri } of [from, to]) await component(uri);
      below = (await component(from.uri, child.uri)).uri;
    },
  );
  for (const uri of [top.uri, child.uri, below])
    expect(await store.read(uri)).toMatchObject({ resource: { ref: to.uri } });
  const { n } = await store.database.reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM change WHERE kind = 'archival_object' AND op = 'update' AND id = ${Number(below.split('/').at(-1))}`);
  expect(n).toBe(1);
  const keys = await store.database.reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM unique_key WHERE kind = 'archival_object' AND scope LIKE ${`%${to.uri}`}`);
  expect(keys.n).toBe(4);
  expect(await checkTrees(store.database.reader)).toEqual([]);
});

test('a save that names another resource holds neither tree while it waits for what is below', async () => {
  const [from, to] = [await root(), await root()];
  const top = await component(from.uri);
  const child = await component(from.uri, top.uri);
  let below = '';
  const body = { ...(await store.read(top.uri)), resource: { ref: to.uri } };
  await besideHeld(
    placeOf(child.id),
    () => store.update(top.uri, body),
    async () => {
      for (const { uri } of [from, to]) await component(uri);
      below = (await component(from.uri, child.uri)).uri;
    },
  );
  for (const uri of [top.uri, child.uri, below])
    expect(await store.read(uri)).toMatchObject({ resource: { ref: to.uri } });
  const keys = await store.database.reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM unique_key WHERE kind = 'archival_object' AND scope LIKE ${`%${to.uri}`}`);
  expect(keys.n).toBe(4);
});

test('changes nothing where what is below is moved out of it meanwhile', async () => {
  const [from, to] = [await root(), await root()];
  const top = await component(from.uri);
  const child = await component(from.uri, top.uri);
  const below = await component(from.uri, child.uri);
  const mayEnd = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<number>();
  const leaving = store.database.transaction(async (tx) => {
    await moveNodes(tx, treeUnder(archivalObject, store.repoId, from.id), {
      parentId: null,
      position: null,
      ids: [child.id],
    });
    begun.resolve((await tx.one(sql.type(NumberRow)`SELECT pg_backend_pid() AS n`)).n);
    await mayEnd.promise;
  });
  const pid = await begun.promise;
  const moving = transfer(top.id, to.id).catch((error: unknown) => error);
  await expect.poll(async () => (await store.database.reader.one(waitingFor(pid))).n).toBe(1);
  mayEnd.resolve();
  await leaving;
  expect(await moving).toMatchObject({ code: 'conflict', error: 'What is to be moved was moved meanwhile' });
  for (const { uri } of [top, child, below])
    expect(await store.read(uri)).toMatchObject({ resource: { ref: from.uri } });
  expect(await checkTrees(store.database.reader)).toEqual([]);
  await transfer(top.id, to.id);
  expect(await store.read(below.uri)).toMatchObject({ resource: { ref: from.uri } });
  expect(await checkTrees(store.database.reader)).toEqual([]);
});

test('who holds components for a change, behind a transfer, is told the root that they have since', async () => {
  const [from, to] = [await root(), await root()];
  const { id } = await component(from.uri);
  const held = await beside(
    store.database,
    (tx) =>
      transferComponent(
        tx,
        { repoId: store.repoId, componentId: id, resourceId: to.id, actor: 'tester', agentUri },
        { at: '2026-01-01T00:00:00Z', generatedValues },
      ),
    () => store.database.transaction((tx) => lockStored(tx, archivalObject, [id], store.repoId)),
  );
  expect(held).toMatchObject([{ id, rootId: to.id }]);
});
