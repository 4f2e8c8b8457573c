// A worker while PostgreSQL is not there: it waits and tries again, and does not spin. A client that waits for an import is not told that it failed.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, inject, it } from 'vitest';
import { Database } from '#store/connection/database.ts';
import { dropClient, endClient } from '#store/connection/end-client.ts';
import { Listener } from '#store/connection/listener.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { anonymous } from '#domain/access/caller.ts';
import { startWorker } from '../../apps/worker/running/worker.ts';
import { openPresence } from '#store/queue/presence.ts';
import { startTestApi } from '../support/api.ts';
import { startImport } from '../support/moves-beside-import.ts';
import { openNetwork, targetOf } from '../support/network.ts';
import { createDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { AnyRow } from '../support/rows.ts';
import { connect, noThreads, startTestWorker } from '../support/worker.ts';
import { makeTraceTable, step } from '../support/worker-jobs.ts';

const through = (url: string, port: number): string => {
  const there = new URL(url);
  return `postgresql://${there.username}${there.password === '' ? '' : `:${there.password}`}@127.0.0.1:${port}${there.pathname}`;
};
const nowhere = 'postgresql://muniment@127.0.0.1:1/muniment';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

it('tells a presence that cannot be opened once, by its exception alone', async () => {
  let lost = 0;
  await expect(
    openPresence(nowhere, () => {
      lost += 1;
    }),
  ).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(lost).toBe(0);
});

it('tries again with pauses', async () => {
  const database = new Database({ url: nowhere, poolSize: 2 });
  const listener = new Listener({ url: nowhere });
  const failures: string[] = [];
  // The listener connects at its first subscription and would wait for the database: this worker is told by its own poll.
  const quiet = Object.assign(Object.create(listener), { subscribe: async () => () => undefined });
  const worker = await startWorker({
    database,
    listener: quiet,
    directUrl: nowhere,
    handlers: [],
    threads: noThreads,
    concurrency: 1,
    readCaller: async () => anonymous,
    log: (event) => {
      failures.push(event);
    },
    pollMs: 100,
    recoverMs: 100,
  });
  ends.push(
    () => worker.stop(),
    () => database[Symbol.asyncDispose](),
    () => listener[Symbol.asyncDispose](),
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(failures.filter((event) => event === 'worker_claim_failed').length).toBeLessThanOrEqual(12);
  expect(failures).not.toContain('worker_presence_lost');
});

it('runs jobs once where its presence ended in the database alone, and stops then', async () => {
  const testDatabase = await createDatabase();
  ends.push(() => testDatabase.drop());
  const connected = connect(testDatabase.url);
  ends.unshift(() => connected[Symbol.asyncDispose]());
  await makeTraceTable(connected.database);
  await using network = await openNetwork(targetOf(testDatabase.url));
  const events: { event: string; fields: object }[] = [];
  const worker = await startTestWorker(
    { ...connected, url: through(testDatabase.url, network.port) },
    { events, recoverMs: 50 },
  );
  const presences = async () =>
    connected.database.reader.any(sql.type(AnyRow)`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'muniment worker presence' AND datname = current_database()`);
  const run = async (note: string, ms: number) => {
    const { jobId } = await connected.database.transaction((tx) =>
      enqueueJob(tx, step, { box: 'a', note, ms, failTimes: 0, code: '' }),
    );
    return waitForJob(connected.database, connected.listener, jobId);
  };
  try {
    // A worker that has run a job knows its number: what is lost before that is lost otherwise (below).
    await run('before', 0);
    network.strand();
    await expect.poll(presences).toHaveLength(0);
    events.splice(0);
    expect(await run('one', 500)).toEqual({ note: 'one', attempt: 1 });
    // Whoever waits hears of the end by the database, maybe before the worker tells of it.
    await expect
      .poll(() => events.map(({ event }) => event))
      .toEqual(['worker_presence_lost', 'job_started', 'job_completed']);
    expect(await presences()).toHaveLength(1);
    network.strand();
  } finally {
    await worker.stop();
  }
});

it('a presence that is lost before its number is answered is given up', async () => {
  const testDatabase = await createDatabase();
  ends.push(() => testDatabase.drop());
  await using connected = connect(testDatabase.url);
  await using network = await openNetwork(targetOf(testDatabase.url));
  await connected.database.transaction(async (tx) => {
    await tx.run(sql`ALTER SEQUENCE worker_number INCREMENT BY 1`);
    const opening = openPresence(through(testDatabase.url, network.port), () => undefined);
    const given = opening.catch((error: unknown) => error);
    await expect.poll(() => lockWaits(connected.database)).toBe(1);
    network.strand();
    expect(await given).toMatchObject({ message: 'Query read timeout' });
  });
});

it('a worker whose connections ended in the database alone goes on', async () => {
  const testDatabase = await createDatabase();
  ends.push(() => testDatabase.drop());
  await using near = connect(testDatabase.url);
  await makeTraceTable(near.database);
  await using network = await openNetwork(targetOf(testDatabase.url));
  const url = through(testDatabase.url, network.port);
  await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 500, answerGraceMs: 200 });
  await using listener = new Listener({ url, heartbeatMs: 500 });
  const worker = await startTestWorker({ ...near, database, listener, url }, { recoverMs: 50 });
  const run = async () => {
    const { jobId } = await near.database.transaction((tx) =>
      enqueueJob(tx, step, { box: 'a', note: 'one', ms: 0, failTimes: 0, code: '' }),
    );
    return waitForJob(near.database, near.listener, jobId);
  };
  await run();
  network.strand();
  expect(await run()).toMatchObject({ note: 'one' });
  await worker.stop();
});

it('a connection whose end the server does not answer is ended without it, and one that was dropped at once', async () => {
  await using network = await openNetwork(targetOf(inject('clusterUrl')));
  const client = new pg.Client({ connectionString: through(inject('clusterUrl'), network.port) });
  const dropped = new pg.Client({ connectionString: through(inject('clusterUrl'), network.port) });
  await Promise.all([client.connect(), dropped.connect()]);
  const told = [client, dropped].map((each) => new Promise<void>((resolve) => void each.once('end', resolve)));
  dropped.on('error', () => undefined);
  dropClient(dropped);
  network.strand();
  await endClient(client);
  await Promise.all(told);
});

it('a listener whose connection ended in the database alone ends where it is told to', async () => {
  const testDatabase = await createDatabase();
  ends.push(() => testDatabase.drop());
  await using network = await openNetwork(targetOf(testDatabase.url));
  const listener = new Listener({ url: through(testDatabase.url, network.port) });
  await listener.subscribe('any', () => undefined);
  network.strand();
  await listener[Symbol.asyncDispose]();
});

it('tells who waits for a batch import how it ended, also where the database was away meanwhile', async () => {
  await using network = await openNetwork(targetOf(inject('clusterUrl')));
  await using api = await startTestApi({ through: (url) => through(url, network.port) });
  const repoId = await api.repository();
  const importing = startImport({ url: api.url, session: api.session, repoId }, 'away', 300);
  await importing.saving;
  network.away();
  // Longer than whoever waits takes between two looks.
  await sleep(2500);
  network.heal();
  await importing.ended;
  const { json } = await api.get(`/repositories/${repoId}/archival_objects?all_ids=true`);
  expect(json).toHaveLength(300);
});
