// The migration 0066: how PostgreSQL looks for nodes before it has ever seen any.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { connectToOwn } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';

const { url, client, drop } = await connectToOwn();
afterAll(drop);

const migration = readFileSync(new URL('../../../../db/migrations/0066_nodes_looked_up.sql', import.meta.url), 'utf8');

/** The index by which a plan for any values looks, as functions of the database have theirs. */
async function indexFor(condition: string, values: number): Promise<string> {
  await client.query(`SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan`);
  await client.query(`PREPARE look AS SELECT id FROM tree_node WHERE ${condition}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: object }] }>(
    `EXPLAIN (FORMAT json) EXECUTE look (${Array.from({ length: values }, () => '1').join(', ')})`,
  );
  await client.query('DEALLOCATE look');
  return /"Index Name":"(\w+)"/.exec(JSON.stringify(rows[0]?.['QUERY PLAN']))?.[1] ?? 'none';
}

const oneNode = 'repo_id = $1 AND kind = $2 AND id = $3';
const listOfNodes = 'repo_id = $1 AND kind = $2 AND root_id = $3 AND list_id = $4';
const count = async (): Promise<number> =>
  (await client.query<{ n: number }>('SELECT count(*)::int AS n FROM tree_node')).rows[0]?.n ?? Number.NaN;

describe('in a new database', () => {
  it('one node is looked for by its id, and a list by its place', async () => {
    expect(await count()).toBe(0);
    expect(await indexFor(oneNode, 3)).toBe('tree_node_pkey');
    expect(await indexFor(listOfNodes, 4)).toBe('tree_node_order');
  });

  it('the same holds for the nodes that come, before they are counted', async () => {
    await client.query('ALTER TABLE tree_node SET (autovacuum_enabled = false)');
    await client.query(
      `INSERT INTO tree_node (ord, repo_id, id, root_id, bucket, kind, visible) SELECT n, 7, n, 1, 1, 1, true FROM generate_series(1, 3000) AS n`,
    );
    expect(await indexFor(oneNode, 3)).toBe('tree_node_pkey');
    expect(await indexFor(listOfNodes, 4)).toBe('tree_node_order');
  });
});

it('nodes that are there stay', async () => {
  await client.query(migration);
  expect(await count()).toBe(3000);
});

it('nodes that somebody is making while it runs stay', async () => {
  await client.query('TRUNCATE tree_node');
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO tree_node (ord, repo_id, id, root_id, bucket, kind, visible) VALUES (1, 7, 1, 1, 1, 1, true)`,
  );
  const migrated = runSql(url, migration);
  await expect
    .poll(
      async () =>
        (await client.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'tree_node'::regclass`)).rowCount,
    )
    .toBe(1);
  await client.query('COMMIT');
  await migrated;
  expect(await count()).toBe(1);
});
