// A server that does not answer any more, and tells nobody: what waits for it ends.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { limitAnswers, watchAnswers } from '#store/connection/answers.ts';
import { Database } from '#store/connection/database.ts';
import { openPool } from '#store/connection/pool.ts';
import { isServerAway } from '#store/connection/pg-errors.ts';
import { sql } from '#store/connection/sql.ts';
import { openNetwork, targetOf } from '#test/support/network.ts';
import { AnyRow } from '#test/support/rows.ts';

const through = (port: number): string => {
  const there = new URL(inject('clusterUrl'));
  there.hostname = '127.0.0.1';
  there.port = String(port);
  return there.href;
};

it('a statement that is never answered ends with its connection, where the server would have given it up', async () => {
  await using network = await openNetwork(targetOf(inject('clusterUrl')));
  await using database = new Database({
    url: through(network.port),
    poolSize: 4,
    statementTimeoutMs: 500,
    answerGraceMs: 200,
  });
  const answer = () => database.reader.any(sql.type(AnyRow)`SELECT 1 AS one`);
  const ways = {
    reader: answer,
    transaction: () => database.transaction((tx) => tx.any(sql.type(AnyRow)`SELECT 1 AS one`)),
    client: () => database.withClient((client) => client.query('SELECT 1 AS one')),
  };
  for (const way of Object.values(ways)) {
    await answer();
    network.strand();
    await expect(way()).rejects.toThrow(/not reachable|Connection terminated/);
    expect(await answer()).toEqual([{ one: 1 }]);
  }
});

it('what has more time has it, and what has none to end it waits', async () => {
  await using database = new Database({
    url: inject('clusterUrl'),
    poolSize: 4,
    statementTimeoutMs: 300,
    answerGraceMs: 100,
  });
  const slow = sql.type(AnyRow)`SELECT pg_sleep(1)::text AS slept`;
  expect(await database.transaction((tx) => tx.any(slow), { statementTimeoutMs: 5000 })).toEqual([{ slept: '' }]);
  const lent = await database.withClient(
    (client) => client.query('SET statement_timeout = 0; SELECT pg_sleep(1); RESET statement_timeout'),
    { statementTimeoutMs: 0 },
  );
  expect(lent).toHaveLength(3);
  // The server still ends what takes too long, and the connection stays.
  await expect(database.reader.any(slow)).rejects.toThrow('took too long');
});

it('statements of a connection have their time one after another', async () => {
  const pool = new pg.Pool({ connectionString: inject('clusterUrl'), max: 1 });
  const client = await pool.connect();
  watchAnswers(client, 500, 200);
  limitAnswers(client, undefined);
  const taken = Array.from({ length: 5 }, () => client.query('SELECT pg_sleep(0.3)'));
  expect(await Promise.all(taken)).toHaveLength(5);
  client.release();
  await pool.end();
});

it('a server that accepts connections and says nothing is given up', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = openPool({ url: through(port), poolSize: 1, connectMs: 300 }, () => undefined);
  const given = await pool.query('SELECT 1').catch((error: unknown) => error);
  expect(isServerAway(given)).toBe(true);
  await pool.end();
  server.close();
});
