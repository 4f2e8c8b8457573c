// The planner knows a tree as soon as somebody reads all of it: after a job, and while its components come one by one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { renewOutgrownStatistics, renewStatistics } from '#store/maintenance/statistics.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { siblingsAsRows } from '#test/support/large-tree.ts';
import { untilFollowed } from '#test/support/settled.ts';

let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  // Without a worker, nothing but the test renews them.
  api = await startTestApi({ worker: false });
  await leftAlone(api);
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

/** Autovacuum comes when it likes. */
async function leftAlone({ database }: TestApi): Promise<void> {
  await database.transaction(async (tx) => tx.run(sql`ALTER TABLE tree_node SET (autovacuum_enabled = false)`));
}

const Known = z.strictObject({ rows: column.int });
/** How many nodes the planner believes in; -1: it has never looked. */
async function known(of = api): Promise<number> {
  const { rows } = await of.database.reader.one(
    sql.type(Known)`SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'tree_node'::regclass`,
  );
  return rows;
}
const grow = async (code: string, count: number): Promise<unknown> => siblingsAsRows(api, repoId, { code, count });

test('a table that has outgrown its statistics gets new ones, and others keep theirs', async () => {
  await renewOutgrownStatistics(api.database);
  expect(await known()).toBe(-1);
  await grow('A', 600);
  await renewStatistics(api.database, 600);
  expect(await known()).toBe(600);
  await grow('B', 300);
  await renewStatistics(api.database, 300);
  expect(await known()).toBe(600);
  await grow('C', 900);
  await renewOutgrownStatistics(api.database);
  expect(await known()).toBe(1800);
});

test('after very many records they are new whatever was there: the planner may not know their repository', async () => {
  const before = await known();
  await grow('D', 10);
  await renewStatistics(api.database, 1000);
  expect(await known()).toBe(before + 10);
});

test('waits for no vacuum that is at the table', async () => {
  await grow('E', 4000);
  const before = await known();
  await api.database.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE tree_node IN SHARE UPDATE EXCLUSIVE MODE`);
    await renewOutgrownStatistics(api.database);
    expect(await known()).toBe(before);
  });
  await renewOutgrownStatistics(api.database);
  expect(await known()).toBeGreaterThan(4000);
});

test('whoever indexes has them before it reads: a tree that comes by single requests', async () => {
  await using own = await startTestApi();
  await leftAlone(own);
  const repository = await own.repository();
  // Else the worker, which has the repository or the resource to index yet, looks a moment before the last component, and sees no need to look again.
  await siblingsAsRows(own, repository, { code: 'A', count: 600, between: () => untilFollowed(own.database) });
  expect(await known(own)).toBe(-1);
  await own.create(`/repositories/${repository}/archival_objects`, {
    title: 'One more',
    level: 'file',
    resource: { ref: `/repositories/${repository}/resources/1` },
  });
  await expect.poll(async () => known(own)).toBeGreaterThan(600);
});
