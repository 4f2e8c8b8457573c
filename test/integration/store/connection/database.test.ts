// Single statements that commit by themselves, and writers that leave reads a connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reader } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
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

describe('Database.write', () => {
  it('commits one statement and gives its rows', async () => {
    expect(await database.write(sql.type(NumberRow)`INSERT INTO trial VALUES (7) RETURNING n`)).toEqual([{ n: 7 }]);
    expect(await kept()).toBe(1);
  });

  it('stays where the transaction beside it rolls back', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO trial VALUES (1)`);
      await database.write(sql.type(AnyRow)`INSERT INTO trial VALUES (2)`);
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await kept()).toBe(1);
  });

  it('comes to its end where every turn to write is taken by a transaction that waits for it', async () => {
    let begun = 0;
    await Promise.all(
      [1, 2, 3, 4].map((n) =>
        database.transaction(async () => {
          begun += 1;
          while (begun < 4) await sleep(5);
          await database.write(sql.type(AnyRow)`INSERT INTO trial VALUES (${n})`);
        }),
      ),
    );
    expect(await kept()).toBe(4);
  });
});

it('leaves reads a connection however many writers wait', async () => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const writers = Array.from({ length: 12 }, (_, n) =>
    database.transaction(async (tx) => {
      await hold;
      await tx.run(sql`INSERT INTO trial VALUES (${n})`);
    }),
  );
  await expect.poll(() => database.poolUse.waiting).toBe(8);
  expect(await kept()).toBe(0);
  // A transaction that only reads waits for no writer either.
  expect(await database.transaction((tx) => kept(tx), { readOnly: true })).toBe(0);
  release();
  await Promise.all(writers);
  expect(await kept()).toBe(12);
  expect(database.poolUse).toMatchObject({ waiting: 0 });
  expect(database.poolUse.total).toBeLessThanOrEqual(5);
});

it('keeps as many connections open as it is asked to, however long nobody asks, and closes the others', async () => {
  const settings = { url: own.url, poolSize: 5, idleMs: 50 };
  await using asked = new Database({ ...settings, keptOpen: 2 });
  await using other = new Database(settings);
  const processes = (from: Database): Promise<readonly number[]> =>
    Promise.all(
      [1, 2, 3, 4].map(async () => {
        const slow = sql.type(NumberRow)`SELECT pg_backend_pid() AS n FROM pg_sleep(0.1)`;
        return (await from.reader.one(slow)).n;
      }),
    );
  const before = await processes(asked);
  await processes(other);
  await expect.poll(() => other.poolUse.total).toBe(0);
  await expect.poll(() => asked.poolUse.total).toBe(2);
  await sleep(200);
  expect(asked.poolUse).toMatchObject({ total: 2, idle: 2 });
  const after = await processes(asked);
  expect(after.filter((process) => before.includes(process))).toHaveLength(2);
});
