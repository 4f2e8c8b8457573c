// Statements that are sent at once: each sees what those before it did, and all fail with the first that does.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { copyText } from '#store/batch-import/copy.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { outside } from '#test/support/outside.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 5 });
  await database.transaction((tx) => tx.run(sql`CREATE TABLE trial (n int PRIMARY KEY)`));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});
beforeEach(() => database.transaction((tx) => tx.run(sql`TRUNCATE trial`)));

const count = sql.type(NumberRow)`SELECT count(*)::int AS n FROM trial`;
const kept = async (): Promise<number> => (await database.reader.one(count)).n;

it('gives what each work gave, in their order, each having seen what those before it did', async () => {
  const given = await database.transaction((tx) =>
    tx.together(() => [
      tx.one(count),
      tx.run(sql`INSERT INTO trial VALUES (1), (2)`),
      tx.one(count),
      false,
      tx.run(sql`DELETE FROM trial WHERE n = 1`),
      tx.any(sql.type(NumberRow)`SELECT n FROM trial`),
    ]),
  );
  expect(given).toEqual([{ n: 0 }, 2, { n: 2 }, false, 1, [{ n: 2 }]]);
  expect(await kept()).toBe(1);
});

it('sends the next statement of a work behind the first ones of all others', async () => {
  const order = await database.transaction((tx) =>
    tx.together(() => [
      (async () => {
        await tx.run(sql`INSERT INTO trial VALUES (1)`);
        return (await tx.one(count)).n;
      })(),
      tx.run(sql`INSERT INTO trial VALUES (2)`),
      tx.run(sql`INSERT INTO trial VALUES (3)`),
    ]),
  );
  expect(order).toEqual([3, 1, 1]);
});

it('takes works of a work along, each in its turn', async () => {
  const given = await database.transaction((tx) =>
    tx.together(() => [
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      tx.together(() => [tx.one(count), tx.run(sql`INSERT INTO trial VALUES (2)`)]),
      tx.one(count),
    ]),
  );
  expect(given).toEqual([1, [{ n: 1 }, 1], { n: 2 }]);
});

it('sees what another committed while the statement before waited for it', async () => {
  await database.transaction((tx) => tx.run(sql`INSERT INTO trial VALUES (10)`));
  const [holder, waiter] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  const holding = database.transaction(async (tx) => {
    await tx.run(sql`UPDATE trial SET n = n + 1`);
    waiter.resolve(await pidOf(tx));
    await holder.promise;
  });
  const held = await waiter.promise;
  const waiting = database.transaction((tx) =>
    tx.together(() => [tx.run(sql`UPDATE trial SET n = n + 100`), tx.any(sql.type(NumberRow)`SELECT n FROM trial`)]),
  );
  await expect
    .poll(
      async () =>
        (
          await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${held}::int = ANY(pg_blocking_pids(pid))`)
        ).n,
    )
    .toBe(1);
  holder.resolve();
  await holding;
  expect(await waiting).toEqual([1, [{ n: 111 }]]);
});

const pidOf = async (tx: Transaction): Promise<number> =>
  (await tx.one(sql.type(NumberRow)`SELECT pg_backend_pid() AS n`)).n;

it('fails as the first work does that fails, once all have ended, and nothing is kept', async () => {
  const ended: string[] = [];
  const failing = database.transaction((tx) =>
    tx.together(() => [
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      // Found out when its statement is answered: behind that of the next.
      tx.run(sql`DELETE FROM trial WHERE n = 404`).then((changed) => {
        if (changed === 0) throw fail('not_found', 'There is no 404');
      }),
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      tx.run(sql`INSERT INTO trial VALUES (5)`).finally(() => void ended.push('the last')),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: 'not_found', error: 'There is no 404' });
  expect([ended, await kept()]).toEqual([['the last'], 0]);
  const refused = database.transaction((tx) =>
    tx.together(() => [
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      tx.one(count),
    ]),
  );
  await expect(refused).rejects.toMatchObject({ code: 'conflict' });
  expect(await kept()).toBe(0);
});

it('fails for what went wrong, and not for what came of it in a work that stands before that', async () => {
  const failing = database.transaction((tx) =>
    tx.together(() => [
      // Its second statement is sent when that of the other has failed.
      tx.run(sql`INSERT INTO trial VALUES (1)`).then(() => tx.run(sql`INSERT INTO trial VALUES (2)`)),
      tx.run(sql`INSERT INTO trial VALUES (1)`),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: 'conflict' });
});

it('is begun anew where a work behind another waited for too long, as any statement is', async () => {
  await database.transaction((tx) => tx.run(sql`INSERT INTO trial VALUES (10)`));
  let tries = 0;
  await database.transaction(async (tx) => {
    await tx.run(sql`UPDATE trial SET n = 11`);
    await outside(() =>
      database.transaction((impatient) =>
        impatient.together(() => [
          impatient.run(sql`SET LOCAL lock_timeout = 20`).then(() => impatient.one(count)),
          (tries += 1) > 1 ? undefined : impatient.run(sql`UPDATE trial SET n = 12`),
        ]),
      ),
    );
  });
  expect([tries, await kept()]).toEqual([2, 1]);
});

it('leaves the connection as it was, for savepoints and COPY too, whatever came of it', async () => {
  await database.transaction(async (tx) => {
    const failing = tx.nested(() => tx.together(() => [tx.run(sql`INSERT INTO trial VALUES (1), (1)`), tx.one(count)]));
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    await copyText(tx, 'trial', ['n'], [Buffer.from('7\n8\n')]);
    expect(await tx.together(() => [tx.one(count), tx.run(sql`DELETE FROM trial WHERE n = 8`)])).toEqual([{ n: 2 }, 1]);
  });
  expect(await kept()).toBe(1);
});

it('fails where the server ends the connection in the middle, and the next transaction has another', async () => {
  const cut = database.transaction(async (tx) => {
    const pid = await pidOf(tx);
    return tx.together(() => [
      tx.run(sql`INSERT INTO trial VALUES (1)`),
      tx.run(sql`SELECT pg_sleep(30)`),
      tx.run(sql`INSERT INTO trial VALUES (2)`),
      outside(() => database.write(sql`SELECT pg_terminate_backend(${pid}::int) FROM pg_sleep(0.1)`)),
    ]);
  });
  await expect(cut).rejects.toThrow();
  expect(await kept()).toBe(0);
});
