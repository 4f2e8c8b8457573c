// Readers: what writes is refused outside transactions, and values come in one form.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reader } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 5 });
  await database.transaction((tx) => tx.run(sql`CREATE TABLE trial (n serial PRIMARY KEY)`));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});
beforeEach(() => database.transaction((tx) => tx.run(sql`TRUNCATE trial`)));

const kept = async (reader: Reader = database.reader): Promise<number> =>
  (await reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM trial`)).n;

const refused = { code: 'internal', cause: { code: '25006' } };

describe('a write through a Reader', () => {
  it.each([
    ['an INSERT', (reader: Reader) => reader.any(sql.type(AnyRow)`INSERT INTO trial VALUES (1)`)],
    [
      'a write in a WITH',
      (reader: Reader) =>
        reader.one(sql.type(AnyRow)`
      WITH w AS (INSERT INTO trial VALUES (1)) SELECT 1`),
    ],
    [
      'the next number of a sequence',
      (reader: Reader) =>
        reader.maybeOne(sql.type(AnyRow)`
      SELECT nextval('trial_n_seq')`),
    ],
    ['a lock on rows', (reader: Reader) => reader.any(sql.type(AnyRow)`SELECT n FROM trial FOR UPDATE`)],
    [
      'a prepared statement',
      (reader: Reader) =>
        reader.named({ name: 'trial', text: 'DELETE FROM trial WHERE n = $1', parser: z.never() }, [1]),
    ],
    [
      'a gathered read',
      (reader: Reader) =>
        reader.byId({ name: 'trial_ids', text: 'DELETE FROM trial WHERE n = ANY ($1)', parser: z.never() }, 1),
    ],
  ])('fails: %s', async (_what, write) => {
    await expect(write(database.reader)).rejects.toMatchObject(refused);
    await expect(write(database.until(new AbortController().signal).reader)).rejects.toMatchObject(refused);
    expect(await kept()).toBe(0);
  });

  it('fails on connections that have written before, and after a transaction that failed', async () => {
    await Promise.all([1, 2, 3, 4].map((n) => database.write(sql.type(AnyRow)`INSERT INTO trial VALUES (${n})`)));
    await expect(database.write(sql.type(AnyRow)`INSERT INTO trial VALUES (1)`)).rejects.toMatchObject({
      code: 'conflict',
    });
    const writes = Array.from({ length: 10 }, () => database.reader.any(sql.type(AnyRow)`DELETE FROM trial`));
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected');
    expect(await kept()).toBe(4);
  });

  it('fails in a transaction that says it only reads', async () => {
    const writing = database.transaction((tx) => tx.run(sql`DELETE FROM trial`), { readOnly: true });
    await expect(writing).rejects.toMatchObject(refused);
  });
});

it('gives times, json and numbers in one form', async () => {
  const row = await database.reader.one(sql.type(AnyRow)`
    SELECT timestamptz '2026-11-22 01:02:03.9+00' AS at, date '2026-11-22' AS day, '{"a": 1}'::json AS text, '{"a": 1}'::jsonb AS parsed, 12::bigint AS n, 1.5::numeric AS x`);
  expect(row).toEqual({
    at: '2026-11-22T01:02:03Z',
    day: '2026-11-22',
    text: '{"a": 1}',
    parsed: { a: 1 },
    n: 12,
    x: 1.5,
  });
});

it('tells no row from one, and fails where there must be one', async () => {
  expect(await database.reader.maybeOne(sql.type(AnyRow)`SELECT FROM trial`)).toBeNull();
  await expect(database.reader.one(sql.type(AnyRow)`SELECT n FROM trial`)).rejects.toThrow(
    'no row: SELECT n FROM trial',
  );
  expect(
    await database.reader.byId(
      { name: 'trial_none', text: 'SELECT n AS id FROM trial WHERE n = ANY ($1)', parser: IdRow },
      1,
    ),
  ).toBeUndefined();
});
