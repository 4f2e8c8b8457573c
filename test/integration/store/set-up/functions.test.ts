// Functions of the database that are one expression become part of the plan of whoever calls them: called for each row they cost twenty times as much.
import { afterAll, expect, test } from 'vitest';
import { uriOf } from '#domain/addresses.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { connectToOwn } from '#test/support/database.ts';

const { client, drop } = await connectToOwn();
afterAll(drop);

test('what is one expression is nowhere called in a plan', async () => {
  const { rows } = await client.query<{ name: string; types: readonly string[] }>(`
    SELECT proname AS name, proargtypes::regtype[]::text[] AS types FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosqlbody IS NOT NULL AND NOT proretset ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toContain('record_uri');
  const called: string[] = [];
  for (const { name, types } of rows) {
    // OFFSET 0 keeps the arguments from being known to the planner.
    const values = ['1', ...types.map((type, at) => `NULL::${type} AS a${at}`)].join(', ');
    const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN VERBOSE SELECT ${name}(${types.map((_, at) => `v.a${at}`).join(', ')}) FROM (SELECT ${values} OFFSET 0) v`,
    );
    if (plan.some((line) => line['QUERY PLAN'].includes(`${name}(`))) called.push(name);
  }
  expect(called).toEqual([]);
});

test('the address of a record is the same here and there, for all kinds', async () => {
  const wanted = allKinds.map((kind) => uriOf(kind, 7, kind.scope === 'repository' ? 3 : null));
  const { rows } = await client.query<{ uri: string }>(
    'SELECT record_uri(kind, 7, repo_id) AS uri FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS u (kind, repo_id, place) ORDER BY place',
    [allKinds.map(({ name }) => name), allKinds.map(({ scope }) => (scope === 'repository' ? 3 : null))],
  );
  expect(rows.map(({ uri }) => uri)).toEqual(wanted);
});
