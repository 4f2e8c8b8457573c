// Transactions: savepoints undo their own work alone, and effects wait for the commit.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
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

const kept = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM trial`)).n;

it('undoes in a savepoint what fails there, and nothing else', async () => {
  await database.transaction(async (tx) => {
    expect(await tx.run(sql`INSERT INTO trial VALUES (1), (2)`)).toBe(2);
    const failing = tx.nested(async () => {
      await tx.run(sql`INSERT INTO trial VALUES (3)`);
      await tx.run(sql`INSERT INTO trial VALUES (1)`);
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    expect(await tx.nested(() => tx.run(sql`INSERT INTO trial VALUES (4)`))).toBe(1);
  });
  expect(await kept()).toBe(3);
});

it('does once after the commit what is to be done then, and nothing after a rollback', async () => {
  const seen: number[] = [];
  const note = async (fails: boolean): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO trial DEFAULT VALUES`);
      const effect = (): void => void seen.push(1);
      tx.afterCommit(effect);
      tx.afterCommit(effect);
      expect(seen).toEqual([]);
      if (fails) throw new Error('no more');
    });
  await expect(note(true)).rejects.toThrow('no more');
  await note(false);
  expect([seen, await kept()]).toEqual([[1], 1]);
});

it('does not pass for stored where the work went on behind a statement that failed', async () => {
  const seen: number[] = [];
  const swallowing = database.transaction(async (tx) => {
    tx.afterCommit(() => void seen.push(1));
    await tx.run(sql`INSERT INTO trial VALUES (1)`);
    await tx.run(sql`INSERT INTO trial VALUES (1)`).catch(() => undefined);
    return 'done';
  });
  await expect(swallowing).rejects.toThrow('nothing of it is stored');
  expect([seen, await kept()]).toEqual([[], 0]);
});

it('refuses a transaction inside a transaction', async () => {
  const inside = database.transaction(() => database.transaction(async () => undefined));
  await expect(inside).rejects.toThrow('a transaction inside a transaction');
});
