// Connections that reach a replica: a database that is written to and read as of now takes none of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Network } from '#test/support/network.ts';
import { openNetwork, targetOf } from '#test/support/network.ts';
import { runSql } from '#test/support/run-sql.ts';
import type { Primary, Standby } from '#test/support/standby.ts';
import { startPrimary, startStandby } from '#test/support/standby.ts';

const WhereRow = z.strictObject({ standby: column.bool });
const where = sql.type(WhereRow)`SELECT pg_is_in_recovery() AS standby`;

let primary: Primary;
let standby: Standby;
beforeAll(async () => {
  primary = await startPrimary();
  standby = await startStandby(primary);
});
afterAll(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

/** The address of a network that leads to a server. */
function urlThrough(network: Network, url: string): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(network.port);
  return through.href;
}

test('reads, writes and transactions are unavailable while the address leads to a replica, and done once that leads', async () => {
  await using network = await openNetwork(targetOf(standby.url));
  await using database = new Database({ url: urlThrough(network, standby.url), poolSize: 2 });
  const unavailable = { code: 'unavailable' };
  await expect(database.reader.any(where)).rejects.toMatchObject(unavailable);
  await expect(database.transaction((tx) => tx.any(where))).rejects.toMatchObject(unavailable);
  await expect(database.write(sql`CREATE TABLE nowhere ()`)).rejects.toMatchObject(unavailable);
  await expect(database.withClient((client) => client.query('SELECT 1'))).rejects.toMatchObject(unavailable);
  expect(await database.isReachable()).toBe(false);
  expect(database.poolUse).toMatchObject({ total: 0, waiting: 0 });

  await runSql(standby.url, 'SELECT pg_promote()');
  await database.write(sql`CREATE TABLE somewhere ()`);
  expect(await database.reader.one(where)).toEqual({ standby: false });
  expect(await database.isReachable()).toBe(true);
});

test('what only looks may look at a replica', async () => {
  await using other = await startStandby(primary);
  await using database = new Database({ url: other.url, poolSize: 1, anyServer: true });
  expect(await database.reader.one(where)).toEqual({ standby: true });
});
