// The migration 0029 on keys of slugs as they were stored before it.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await createDatabase();
});
afterAll(() => own.drop());

const migration = readFileSync(
  new URL('../../../../db/migrations/0029_slugs_of_any_case.sql', import.meta.url),
  'utf8',
);

it('brings keys into lower case, but where another record has that one', async () => {
  await runSql(
    own.url,
    `INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ('slug', '', 'Alone', 'resource', 1), ('slug', '', 'Two', 'resource', 2),
      ('slug', '', 'two', 'resource', 3), ('slug', '', 'TRE', 'resource', 4), ('slug', '', 'Tre', 'resource', 5), ('other', '', 'Kept', 'resource', 6)`,
  );
  await runSql(own.url, migration);
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  const { rows } = await client.query<{ id: number; value: string }>(
    "SELECT id, value FROM unique_key WHERE kind = 'resource' ORDER BY id",
  );
  await client.end();
  expect(rows.map(({ value }) => value)).toEqual(['alone', 'Two', 'two', 'tre', 'Tre', 'Kept']);
});
