// The change log under fire: fifty writers with delays, rollbacks and savepoints, two sequencers and a follower, whose connections are
// cut and whose process is killed. Nothing may be missed, doubled or invented, and each record's changes keep their order.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appendChange } from '#store/change-log/append.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { follow, followChunk, readFollowerLags } from '#store/change-log/followers.ts';
import { adoptCluster, readSequencerState, runSequencer, sequenceChanges } from '#store/change-log/sequencer.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import type { RowQuery } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { startedDataDir } from '#test/support/first-started.ts';
import { amount, isLong } from '#test/support/long.ts';
import { testProgram } from '#test/support/test-programs.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';

let testDatabase: TestDatabase;
let connected: Connected;
beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url, 60);
  await makeTables(connected);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

async function makeTables({ database }: Connected): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE hot (id int PRIMARY KEY, lock_version int NOT NULL DEFAULT 0)`);
    await tx.run(sql`INSERT INTO hot SELECT generate_series(1, 40)`);
    // What was committed: written in the writer's own transaction, so it is the truth to compare with.
    await tx.run(sql`CREATE TABLE truth (id int NOT NULL, lock_version int NOT NULL, PRIMARY KEY (id, lock_version))`);
    await tx.run(sql`CREATE TABLE followed (n bigint PRIMARY KEY, id int, lock_version int)`);
  });
}

const one = async <Row>(text: RowQuery<Row>): Promise<Row> => connected.database.reader.one(text);

/** One write as the service does it: the record's row, then its change, in one transaction with pauses. */
async function write({ database }: Connected, pauseMs: number): Promise<void> {
  await database.transaction(async (tx) => {
    // An early transaction id: the transaction is old when it commits.
    if (Math.random() < 0.5) await tx.run(sql`SELECT pg_current_xact_id()`);
    if (Math.random() < 0.7) await sleep(Math.random() * pauseMs);
    const change = async (): Promise<void> => {
      const id = 1 + Math.floor(Math.random() * 40);
      const { lockVersion } = await tx.one(sql.type(z.strictObject({ lockVersion: column.int }))`
        UPDATE hot SET lock_version = lock_version + 1 WHERE id = ${id} RETURNING lock_version AS "lockVersion"`);
      await appendChange(tx, { kind: 'test', id, repoId: null, op: 'update', actor: null, lockVersion });
      await tx.run(sql`INSERT INTO truth VALUES (${id}, ${lockVersion})`);
    };
    if (Math.random() < 0.3) {
      await tx
        .nested(async () => {
          await change();
          if (Math.random() < 0.5) throw new Error('undone');
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
    }
    await change();
    await sleep(Math.random() * 10);
    if (Math.random() < 0.15) throw new Error('rolled back');
  });
}

/** A sequencer in a process of its own, to be killed. */
function spawnSequencer(): ChildProcess {
  return spawn(process.execPath, [testProgram('sequencer')], {
    env: { ...process.env, TEST_DATABASE_URL: testDatabase.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** So many writes are compared at least. */
const enough = 200;

async function expectExact({ database }: Connected): Promise<void> {
  const lost = await database.reader.one(sql.type(
    z.strictObject({
      missed: column.int,
      invented: column.int,
      doubled: column.int,
      inverted: column.int,
      holes: column.int,
      published: column.int,
    }),
  )`
    SELECT (SELECT count(*) FROM truth t WHERE NOT EXISTS (SELECT FROM feed f WHERE f.kind = 'test' AND f.id = t.id AND f.lock_version = t.lock_version)) AS missed,
      (SELECT count(*) FROM feed f WHERE kind = 'test' AND NOT EXISTS (SELECT FROM truth t WHERE f.id = t.id AND f.lock_version = t.lock_version)) AS invented,
      (SELECT count(*) - count(DISTINCT (id, lock_version)) FROM feed WHERE kind = 'test') AS doubled,
      (SELECT count(*) FROM (SELECT lock_version - lag(lock_version) OVER (PARTITION BY id ORDER BY n) AS step FROM feed WHERE kind = 'test') s WHERE step <= 0) AS inverted,
      (SELECT max(n) - min(n) + 1 - count(*) FROM feed) AS holes,
      (SELECT count(*) FROM feed WHERE kind = 'test') AS published`);
  expect({ ...lost, published: lost.published >= enough }).toEqual({
    missed: 0,
    invented: 0,
    doubled: 0,
    inverted: 0,
    holes: 0,
    published: true,
  });
  // What the follower did is what was published, each entry once.
  expect(
    await database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT count(*) FROM (SELECT n, id, lock_version FROM feed EXCEPT SELECT n, id, lock_version FROM followed) m) AS missed,
      (SELECT count(*) FROM followed) - (SELECT count(*) FROM feed) AS more`),
  ).toEqual({ missed: 0, more: 0 });
}

type Fire = {
  readonly at: Connected;
  readonly seconds: number;
  readonly expected: (error: Error) => boolean;
  readonly chaos: (until: number) => Promise<void>;
};

/** Fifty writers, a sequencer and a stumbling follower while `chaos` goes on; then the comparison. */
async function fire({ at, seconds, expected, chaos }: Fire): Promise<void> {
  const { database, listener, url } = at;
  const stop = new AbortController();
  // Its own pool, so that its connections can be cut apart from the writers'.
  const sequencing = connect(`${url}${url.includes('?') ? '&' : '?'}application_name=muniment_sequencing`, 2);
  const onError = (): void => undefined;
  const loops = [
    runSequencer({ database: sequencing.database, listener: sequencing.listener, signal: stop.signal, onError }),
    follow(
      database,
      'copy',
      async (entries, tx) => {
        await tx.run(
          sql`INSERT INTO followed SELECT * FROM ${sql.unnest(
            entries.map(({ n, id, lockVersion }) => [n, id, lockVersion]),
            ['int8', 'int4', 'int4'],
          )}`,
        );
        // Effect and position are one: a handler that fails now leaves neither.
        if (Math.random() < 0.1) throw new Error('the follower stumbles');
      },
      { listener, signal: stop.signal, onError },
    ),
  ];
  const until = performance.now() + seconds * 1000;
  let written = 0;
  const writers = Array.from({ length: 50 }, async () => {
    // As many as tell something, on a machine that has other work too.
    while (performance.now() < until || written < enough) {
      await write(at, 400).then(
        () => void (written += 1),
        async (error: Error) => {
          if (error.message !== 'rolled back' && !expected(error)) throw error;
          if (error.message !== 'rolled back') await sleep(50);
        },
      );
    }
  });
  await Promise.all([...writers, chaos(until)]);
  await expect.poll(async () => readSequencerState(database)).toMatchObject({ waitingSeconds: 0 });
  await expect.poll(async () => (await readFollowerLags(database))[0]?.entries).toBe(0);
  stop.abort();
  await Promise.all(loops);
  await sequencing[Symbol.asyncDispose]();
  await expectExact(at);
}

describe('under fire', () => {
  test('misses, doubles and invents nothing while sequencers are killed and their connections cut', async () => {
    const chaos = async (until: number): Promise<void> => {
      while (performance.now() < until) {
        const child = spawnSequencer();
        await sleep(300 + Math.random() * 700);
        // Whoever runs a round at this moment, child or loop, and the loops' pool.
        await command(
          testDatabase.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()
          AND (query LIKE '%sequence_changes%' OR application_name = 'muniment_sequencing')`,
        );
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    };
    await fire({ at: connected, seconds: amount(4, 8), expected: () => false, chaos });
  });

  test('misses, doubles and invents nothing while a process of PostgreSQL is killed and the server recovers', async () => {
    await using data = await startedDataDir();
    // The machine does not fall, so what PostgreSQL wrote is there after the crash even without fsync.
    const server = await startEmbedded({
      dataDir: data.path,
      log: () => undefined,
      settings: { fsync: 'off', shared_buffers: '64MB' },
    });
    try {
      await using at = connect(server.url, 60);
      await makeTables(at);
      let crashes = 0;
      const chaos = async (until: number): Promise<void> => {
        while (performance.now() < until - 1500 || crashes < 2) {
          await sleep(1200);
          const client = new pg.Client({ connectionString: server.url });
          client.on('error', () => undefined);
          try {
            await client.connect();
            const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
            process.kill(rows[0]?.pid ?? process.pid, 'SIGKILL');
            crashes += 1;
          } finally {
            await client.end().catch(() => undefined);
          }
          while (
            !(await command(server.url, 'SELECT 1').then(
              () => true,
              () => false,
            ))
          )
            await sleep(50);
        }
      };
      const expected = (error: Error): boolean => 'code' in error && error.code === 'unavailable';
      await fire({ at, seconds: amount(4, 7), expected, chaos });
      expect(crashes).toBeGreaterThan(1);
    } finally {
      await server.stop();
    }
  });
});

async function command(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(text).finally(async () => client.end());
}

describe('rounds', () => {
  test('gives what every process waits for a time, after which the server takes it from one that is frozen', async () => {
    const { database } = connected;
    const Setting = z.strictObject({ limit: column.text });
    const limit = sql.type(Setting)`SELECT current_setting('idle_in_transaction_session_timeout') AS "limit"`;
    expect(await database.write(limit)).toEqual([{ limit: '15s' }]);
    expect(await database.reader.one(limit)).toEqual({ limit: '0' });
    await database.transaction((tx) =>
      appendChange(tx, { kind: 'frozen', id: 1, repoId: null, op: 'update', actor: null, lockVersion: 1 }),
    );
    await sequenceChanges(database);
    const seen: unknown[] = [];
    await followChunk(database, 'frozen', async () => undefined);
    await followChunk(database, 'frozen', async (_entries, tx) => void seen.push(await tx.one(limit)));
    expect(seen).toEqual([{ limit: '5min' }]);
    await database.write(sql`DELETE FROM follower WHERE name = 'frozen'`);
  });

  test.runIf(isLong)('goes on in another process where the one with the lease is frozen', async () => {
    const { database } = connected;
    const children = [spawnSequencer(), spawnSequencer()];
    const write = async (): Promise<number> => {
      await database.transaction((tx) =>
        appendChange(tx, { kind: 'frozen', id: 1, repoId: null, op: 'update', actor: null, lockVersion: 1 }),
      );
      await sleep(5);
      return (await readSequencerState(database)).waitingSeconds;
    };
    try {
      // Until one is frozen between its statement and the commit.
      for (let waiting = 0, turn = 0; waiting < 1; turn++) {
        const child = children[turn % 2];
        child?.kill('SIGCONT');
        for (const until = performance.now() + Math.random() * 300; performance.now() < until;) await write();
        child?.kill('SIGSTOP');
        for (const until = performance.now() + 1200; performance.now() < until;) waiting = await write();
        if (waiting < 1) child?.kill('SIGCONT');
      }
      await expect.poll(write, { timeout: 30_000 }).toBeLessThan(1);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
    await expect.poll(() => sequenceChanges(database)).toBe(0);
  });

  test('publishes a transaction that began before others and commits after them', async () => {
    const { database } = connected;
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let began = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const late = database.transaction(async (tx) => {
      await appendChange(tx, { kind: 'late', id: 1, repoId: null, op: 'create', actor: 'ann', lockVersion: 0 });
      began();
      await mayCommit;
    });
    await hasBegun;
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'early', id: 2, repoId: 7, op: 'delete', actor: null, lockVersion: 3 }),
    );
    expect(await sequenceChanges(database)).toBe(1);
    commit();
    await late;
    expect(await sequenceChanges(database)).toBe(1);
    expect(
      await database.reader.any(sql.type(AnyRow)`
        SELECT kind, id, repo_id, op, actor, lock_version FROM feed ORDER BY n DESC LIMIT 2`),
    ).toEqual([
      { kind: 'late', id: 1, repo_id: null, op: 'create', actor: 'ann', lock_version: 0 },
      { kind: 'early', id: 2, repo_id: 7, op: 'delete', actor: null, lock_version: 3 },
    ]);
  });

  test('writes a batch as rows of a thousand ids and gives it to followers in small chunks', async () => {
    const { database } = connected;
    const ids = Array.from({ length: 7500 }, (_, index) => index + 1);
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'batch', ids, repoId: 2, op: 'create', actor: null }),
    );
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'batch', ids: [], repoId: 2, op: 'create', actor: null }),
    );
    const { n } = await one(sql.type(NumberRow)`SELECT n FROM sequencer`);
    expect(await sequenceChanges(database)).toBe(8);
    await database.write(sql.type(AnyRow)`INSERT INTO follower VALUES ('chunks', ${n})`);
    const chunks: number[][] = [];
    while (
      (await followChunk(
        database,
        'chunks',
        async (entries) => void chunks.push(entries.flatMap((entry) => entry.ids ?? [])),
      )) > 0
    );
    expect(chunks.map(({ length }) => length)).toEqual([5000, 2500]);
    expect(chunks.flat()).toEqual(ids);
  });

  test('moves the log over after a restore into another cluster, under numbers that clients never saw', async () => {
    const { database } = connected;
    expect(await adoptCluster(database)).toBe(false);
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'unseen', id: 1, repoId: null, op: 'create', actor: null, lockVersion: 0 }),
    );
    const before = await one(sql.type(NumberRow)`SELECT n FROM sequencer`);
    // As after a restore: another cluster's mark, and a position far beyond this cluster's transaction ids.
    await database.write(sql.type(AnyRow)`UPDATE sequencer SET cluster = 1, position = '9000000000:9000000000:'`);
    expect(await adoptCluster(database)).toBe(true);
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'unseen', id: 2, repoId: null, op: 'create', actor: null, lockVersion: 0 }),
    );
    expect(await sequenceChanges(database)).toBe(1);
    const entries = await database.reader.any(sql.type(z.strictObject({ n: column.int, id: column.int }))`
      SELECT n, id FROM feed WHERE kind = 'unseen' ORDER BY n`);
    expect(entries).toEqual([
      { n: before.n + 1_000_000, id: 1 },
      { n: before.n + 1_000_001, id: 2 },
    ]);
  });
});
