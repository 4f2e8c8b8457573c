// The LISTEN connection: delivery, reconnection, and a bell that loses no wake.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Database } from '#store/connection/database.ts';
import { Listener, createWaker } from '#store/connection/listener.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createDatabase();
  database = new Database({ url: testDatabase.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const notify = async (channel: string, payload: string) =>
  database.reader.any(sql.type(AnyRow)`SELECT pg_notify(${channel}, ${payload})`);
const connections = async () =>
  (
    await database.reader.any(sql.type(z.strictObject({ pid: column.int }))`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'muniment listener' AND datname = current_database()`)
  ).map(({ pid }) => pid);

test('delivers to every subscriber of the channel and to no other, until it leaves', async () => {
  await using listener = new Listener({ url: testDatabase.url });
  const heard: string[] = [];
  await listener.subscribe('one', (payload) => heard.push(`a ${payload}`));
  const leave = await listener.subscribe('one', (payload) => heard.push(`b ${payload}`));
  await listener.subscribe('two', (payload) => heard.push(`c ${payload}`));
  heard.length = 0;
  await notify('one', '1');
  await expect.poll(() => heard).toEqual(['a 1', 'b 1']);
  leave();
  await notify('one', '2');
  await notify('two', '3');
  await expect.poll(() => heard).toEqual(['a 1', 'b 1', 'a 2', 'c 3']);
  expect(await connections()).toHaveLength(1);
});

test('connects again when its connection is killed, says that something may be missed, and hears again', async () => {
  await using listener = new Listener({ url: testDatabase.url });
  const heard: (string | null)[] = [];
  await listener.subscribe('one', (payload) => heard.push(payload));
  heard.length = 0;
  for (const round of ['1', '2', '3']) {
    const before = await connections();
    await database.reader.any(sql.type(AnyRow)`
      SELECT pg_terminate_backend(pid) FROM unnest(${sql.array(before, 'int4')}) AS pid`);
    await expect.poll(() => heard).toEqual([null]);
    await notify('one', round);
    await expect.poll(() => heard).toEqual([null, round]);
    heard.length = 0;
  }
});

test('closes while it cannot connect', async () => {
  const url = new URL(testDatabase.url);
  url.pathname = '/no_such_database';
  const errors: Error[] = [];
  const listener = new Listener({ url: url.href, onError: (error) => errors.push(error) });
  await listener.subscribe('one', () => undefined);
  expect(errors.length).toBeGreaterThan(0);
  await listener[Symbol.asyncDispose]();
});

test('ends the next wait at once for a wake that came while nobody waited', async () => {
  const bell = createWaker();
  bell.wake();
  // Days: who waited for them would hang.
  await bell.wait(2 ** 31 - 1);
  await bell.wait(20);
  const stop = new AbortController();
  stop.abort();
  await bell.wait(2 ** 31 - 1, stop.signal);
});
