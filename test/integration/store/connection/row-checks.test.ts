// Rows are checked against what their statements say of them: all of them in tests, the first ones in production.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const Numbered = z.strictObject({ id: column.int, label: column.text });

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 3 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const fault = (message: string): object => ({
  code: 'internal',
  error: 'A row is not as its statement says',
  cause: { message: expect.stringContaining(message) },
});
const named = (text: string) => ({ name: `n${text.length}`, text, parser: Numbered });

describe('a row that is not as its statement says fails with where and why, and not with what is in it', () => {
  it.each([
    [
      'a value of another sort',
      sql.type(Numbered)`SELECT ${'secret'}::text AS id, 'a' AS label`,
      'id: Invalid input: expected',
    ],
    ['a null', sql.type(Numbered)`SELECT 1 AS id, NULL AS label`, 'label: Invalid input: expected string'],
    ['a column too few', sql.type(Numbered)`SELECT 1 AS id`, 'label: Invalid input'],
    ['a column too many', sql.type(Numbered)`SELECT 1 AS id, 'a' AS label, 2 AS more`, 'Unrecognized key: "more"'],
    ['a number with decimals', sql.type(Numbered)`SELECT 1.5 AS id, 'a' AS label`, 'id: Invalid input: expected int'],
  ])('%s', async (_what, query, message) => {
    const { reader } = database;
    const ways = [
      () => reader.any(query),
      () => reader.one(query),
      () => reader.maybeOne(query),
      () => database.write(query),
      () => database.transaction((tx) => tx.any(query)),
    ];
    for (const ask of ways) {
      await expect(ask()).rejects.toMatchObject(fault(message));
      await expect(ask()).rejects.toMatchObject(fault(' AS id'));
      await expect(ask()).rejects.not.toMatchObject(fault('secret'));
    }
  });

  it('in statements with a name, and in gathered reads', async () => {
    const { reader } = database;
    const plain = named("SELECT 1.5 AS id, 'a' AS label");
    const gathered = named('SELECT i AS id, NULL AS label FROM unnest($1::int[]) AS i');
    await expect(reader.named(plain, [])).rejects.toMatchObject(fault(`(${plain.name})`));
    await expect(reader.byId(gathered, 7)).rejects.toMatchObject(fault(`label: Invalid input: expected string`));
    const bound = database.until(new AbortController().signal).reader;
    await expect(bound.byId(gathered, 7)).rejects.toMatchObject(fault(`(${gathered.name})`));
  });
});

it('gives rows as they came', async () => {
  const rows = [
    { id: 1, label: 'a' },
    { id: 2, label: 'b' },
  ];
  const query = sql.type(Numbered)`SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (id, label) ORDER BY id`;
  expect(await database.reader.any(query)).toEqual(rows);
  expect(await database.reader.maybeOne(sql.type(Numbered)`SELECT 1 AS id, 'a' AS label WHERE false`)).toBeNull();
  const gathered = named("SELECT i AS id, 'x' AS label FROM unnest($1::int[]) AS i WHERE i < 9");
  expect(await Promise.all([7, 8, 9].map((id) => database.reader.byId(gathered, id)))).toEqual([
    { id: 7, label: 'x' },
    { id: 8, label: 'x' },
    undefined,
  ]);
});

it('looks at no more rows than it is set to, and at all where nothing is set', async () => {
  const query = sql.type(Numbered)`
    SELECT n AS id, CASE WHEN n < 3 THEN 'a' END AS label FROM generate_series(1, 4) AS n ORDER BY n`;
  await using few = new Database({ url: own.url, poolSize: 1, rowsChecked: 2 });
  await using more = new Database({ url: own.url, poolSize: 1, rowsChecked: 3 });
  expect(await few.reader.any(query)).toHaveLength(4);
  expect(await few.transaction((tx) => tx.any(query))).toHaveLength(4);
  await expect(more.reader.any(query)).rejects.toMatchObject(fault('row 3 of 4'));
  await expect(database.reader.any(query)).rejects.toMatchObject(fault('row 3 of 4'));
});
