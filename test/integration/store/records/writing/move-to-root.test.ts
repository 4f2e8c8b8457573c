// A component goes to another resource: while it is held up, those who work elsewhere in both trees are not, and what is put below it meanwhile goes along.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { transferComponent } from '#store/transfers/component.ts';
import { checkTrees } from '#store/trees/invariants.ts';
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

const component = async (root: string, parent: string | null = null): Promise<{ uri: string; id: number }> =>
  store.create('archival_object', {
    title: 'N',
    level: 'file',
    ref_id: `r${(made += 1)}`,
    resource: { ref: root },
    ...(parent === null ? {} : { parent: { ref: parent } }),
  });
let made = 0;

test('holds neither tree while it waits for a record', async () => {
  const [from, to] = [
    await store.create('resource', resourceBody('F')),
    await store.create('resource', resourceBody('T')),
  ];
  const top = await component(from.uri);
  const child = await component(from.uri, top.uri);
  let below = '';
  await store.database.withClient(async (client) => {
    await client.query('BEGIN READ WRITE');
    await client.query(`SELECT FROM record WHERE kind = 'archival_object' AND id = ${child.id} FOR UPDATE`);
    const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
    const moving = store.database.transaction((tx) =>
      transferComponent(
        tx,
        { repoId: store.repoId, componentId: top.id, resourceId: to.id, actor: 'tester', agentUri },
        { at: '2026-01-01T00:00:00Z', generatedValues },
      ),
    );
    // A failure is told where it is awaited.
    moving.catch(() => undefined);
    try {
      await expect
        .poll(
          async () =>
            (
              await store.database.reader.one(sql.type(NumberRow)`
                SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${Number(pid)}::int = ANY(pg_blocking_pids(pid))`)
            ).n,
        )
        .toBe(1);
      for (const { uri } of [from, to]) await component(uri);
      below = (await component(from.uri, child.uri)).uri;
    } finally {
      await client.query('COMMIT');
    }
    await moving;
  });
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
