// Reads on a real streaming replica: who is answered by it, what it must show, and what becomes of statements that it gives up.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appendChange } from '#store/change-log/append.ts';
import { column, CountRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { Moments, toLsn } from '#store/connection/replicas/moments.ts';
import { Replicas } from '#store/connection/replicas/replicas.ts';
import type { Freshness } from '#store/connection/replicas/replicas.ts';
import { onEither } from '#store/connection/replicas/replica-reader.ts';
import type { Standing } from '#store/connection/replicas/replica.ts';
import { readReplicaFacts } from '#store/doctor/replicas.ts';
import { readFacts } from '#store/doctor/facts.ts';
import { readConfig } from '#domain/config.ts';
import { diagnose } from '#domain/doctor/diagnose.ts';
import { limits } from '#domain/doctor/limits.ts';
import { sql } from '#store/connection/sql.ts';
import { fillWithStarted } from '../../../support/first-started.ts';
import { runSql } from '../../../support/run-sql.ts';
import type { Primary, Standby } from '../../../support/standby.ts';
import { startPrimary, startStandby } from '../../../support/standby.ts';

// More than any pause of these tests takes, however busy the machine is.
const lagMs = 300_000;
const migrations = new URL('../../../../db/migrations/', import.meta.url);
const WhereRow = z.strictObject({ standby: column.bool });
const where = sql.type(WhereRow)`SELECT pg_is_in_recovery() AS standby`;

let primary: Primary;
let standby: Standby;
let database: Database;
let replicas: Replicas;

beforeAll(async () => {
  primary = await startPrimary({}, fillWithStarted);
  standby = await startStandby(primary, { max_standby_streaming_delay: '0' });
  await runSql(primary.url, 'CREATE TABLE counted (n int) WITH (autovacuum_enabled = off)');
  database = new Database({ url: primary.url, poolSize: 4 });
  replicas = new Replicas(database, { urls: [standby.url], lagMs, poolSize: 4 });
  await inUse();
});

afterAll(async () => {
  await replicas[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

const standing = async (wanted: Standing, of: Replicas = replicas): Promise<void> => {
  while (of.all[0]?.standing !== wanted) await sleep(10);
};
const inUse = (): Promise<void> => standing('in_use');

/** Where a read of the caller is done: by the standby, or by the primary. */
async function answers(actor: string | null, freshness: Freshness = 'own'): Promise<'replica' | 'primary'> {
  const view = await replicas.viewFor(actor, freshness);
  if (view === null) return 'primary';
  return (await view.database.reader.one(where)).standby ? 'replica' : 'primary';
}

/** A read that ends on the primary alone, and `begun`: that it is under way on the standby. */
const slowly = sql.type(WhereRow)`
  SELECT pg_is_in_recovery() AS standby FROM (SELECT pg_sleep(CASE WHEN pg_is_in_recovery() THEN 3600 ELSE 0 END)) AS slow`;
const begun = (view: Database): Promise<void> =>
  expect
    .poll(() =>
      view.reader.one(
        sql.type(CountRow)`
          SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%THEN 3600%' AND state = 'active' AND pid <> pg_backend_pid()`,
      ),
    )
    .toEqual({ count: 1 });

/** The database as the replica shows it, once it is in use and shows what was hidden. */
async function viewed(): Promise<{ readonly database: Database }> {
  for (;;) {
    const view = await replicas.viewFor(null, 'own');
    if (view !== null) return view;
    await sleep(20);
  }
}

const write = (actor: string): Promise<void> =>
  database.transaction((tx) =>
    appendChange(tx, { kind: 'accession', repoId: 2, op: 'update', actor, id: 1, lockVersion: 1 }),
  );

/** Does `work` while the standby shows nothing new, and waits until it is in use again. */
async function paused(work: () => Promise<void>): Promise<void> {
  await standby.pause();
  try {
    await work();
  } finally {
    await standby.resume();
    await inUse();
  }
}

describe('positions in the log', () => {
  test('are ordered as the log is, and behind a page that has nothing yet the end of the page before', () => {
    expect(toLsn('16/B374D848')).toBe(0x16_b374_d848n);
    expect(toLsn('1/0')).toBeGreaterThan(toLsn('0/FFFFFFFF'));
    expect(toLsn('0/3000018')).toBe(toLsn('0/3000000'));
    expect(toLsn('0/3000028')).toBe(toLsn('0/3000000'));
    expect(toLsn('0/3000040')).toBe(0x3000040n);
  });

  test('tell which moment is replayed, since when one is not, and nothing where that is too long ago', () => {
    const moments = new Moments();
    for (const [snapshot, lsn, at] of [
      ['1:1:', 100n, 1000],
      ['2:2:', 200n, 1200],
      ['3:3:', 200n, 1400],
      ['4:4:', 300n, 1600],
    ] as const)
      moments.add({ snapshot, lsn, at });
    expect(moments.replayedAt(99n, 2000)).toBe(null);
    expect(moments.replayedAt(250n, 2000)?.snapshot).toBe('3:3:');
    expect(moments.replayedAt(250n, 20_000)).toBe(null);
    expect([moments.behindAt(300n, 2000), moments.behindAt(250n, 2000), moments.behindAt(100n, 2000)]).toEqual([
      0, 400, 800,
    ]);
    moments.clear();
    expect(moments.replayedAt(300n, 2000)).toBe(null);
  });
});

test('moments reach as far back as a replica may be behind, however often reads bring new ones', () => {
  const moments = new Moments();
  for (let at = 0; at <= 6000; at += 1) moments.add({ snapshot: `${at}:${at}:`, lsn: BigInt(at), at });
  const shown = moments.replayedAt(1000n, 6000)?.at;
  expect(shown).toBeGreaterThan(900);
  expect(shown).toBeLessThanOrEqual(1000);
  expect(moments.behindAt(1000n, 6000)).toBeGreaterThan(4900);
});

describe('who is answered by a replica', () => {
  test('whoever wrote nothing lately, and whoever wrote what it shows by now', async () => {
    expect(await answers('reader')).toBe('replica');
    expect(await answers(null)).toBe('replica');
    await write('writer');
    await expect.poll(() => answers('writer')).toBe('replica');
  });

  test('not a caller whose writes it lacks, from their commit until it has them; others are', async () => {
    await using elsewhere = new Replicas(database, { urls: [standby.url], lagMs, poolSize: 2 });
    await expect.poll(() => elsewhere.all[0]?.isInUse).toBe(true);
    await paused(async () => {
      await write('writer');
      expect(await answers('writer')).toBe('primary');
      expect(await answers('reader')).toBe('replica');
      // Another process knows of it, too: the database told.
      expect(await elsewhere.viewFor('writer', 'own')).toBe(null);
      expect(await elsewhere.viewFor('reader', 'own')).not.toBe(null);
    });
    await expect.poll(() => answers('writer')).toBe('replica');
  });

  test('not a caller whose transaction was under way when the replica was last up to date', async () => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const writing = database.transaction(async (tx) => {
      await appendChange(tx, { kind: 'accession', repoId: 2, op: 'update', actor: 'slow', id: 2, lockVersion: 1 });
      begun.resolve();
      await mayEnd.promise;
    });
    await begun.promise;
    // Moments are taken meanwhile, in which it is under way.
    await sleep(600);
    await expect.poll(() => answers('slow')).toBe('replica');
    await paused(async () => {
      mayEnd.resolve();
      await writing;
      expect(await answers('slow')).toBe('primary');
    });
  });

  test('nobody, once anything was hidden that it still shows', async () => {
    await paused(async () => {
      await database.write(sql`INSERT INTO search_hiding DEFAULT VALUES`);
      expect(await answers('reader')).toBe('primary');
      expect(await answers(null)).toBe('primary');
    });
    await expect.poll(() => answers('reader')).toBe('replica');
  });

  test('nobody who asks what is new, unless it shows all that is committed', async () => {
    await expect.poll(() => answers('reader', 'all')).toBe('replica');
    await paused(async () => {
      await write('somebody');
      expect(await answers('reader', 'all')).toBe('primary');
      expect(await answers('reader')).toBe('replica');
    });
  });

  test('settled() comes back when it shows what was committed before', async () => {
    await database.write(sql`INSERT INTO counted VALUES (1)`);
    await replicas.settled();
    const view = await viewed();
    expect((await view.database.reader.one(sql.type(CountRow)`SELECT count(*)::int AS count FROM counted`)).count).toBe(
      1,
    );
  });
});

describe('what was written through a view', () => {
  test('is there for what is read through it afterwards', async () => {
    await paused(async () => {
      const view = await viewed();
      expect((await view.database.reader.one(where)).standby).toBe(true);
      await view.database.write(sql`INSERT INTO counted VALUES (2)`);
      expect((await view.database.reader.one(where)).standby).toBe(false);
    });
  });
});

describe('statements that a replica gives up', () => {
  test('are those alone: work goes to the replica unless that is over', async () => {
    await inUse();
    const [replica] = replicas.all;
    if (replica === undefined) throw new Error('no replica');
    const where = (isOver: boolean): Promise<string> =>
      onEither({ replica, isOver: () => isOver, onRefused: () => undefined }, async (place) => place);
    expect([await where(false), await where(true)]).toEqual(['replica', 'primary']);
  });

  test('are done by the primary: of a connection that is ended', async () => {
    const view = await viewed();
    const asked = view.database.reader.one(slowly);
    await begun(view.database);
    await runSql(
      standby.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%THEN 3600%' AND pid <> pg_backend_pid()",
    );
    expect((await asked).standby).toBe(false);
    expect(replicas.served.refused).toBeGreaterThan(0);
    await inUse();
  });

  test('are done by the primary: of a transaction in conflict with what is replayed', async () => {
    await database.write(sql`INSERT INTO counted SELECT n FROM generate_series(1, 1000) n`);
    await replicas.settled();
    const view = await viewed();
    const places: boolean[] = [];
    const count = sql.type(CountRow)`SELECT count(*)::int AS count FROM counted`;
    await view.database.transaction(
      async (tx) => {
        const { standby: isStandby } = await tx.one(where);
        places.push(isStandby);
        await tx.one(count);
        if (!isStandby) return;
        await runSql(primary.url, 'DELETE FROM counted');
        await runSql(primary.url, 'VACUUM counted');
        await sleep(500);
        await tx.one(count);
      },
      { readOnly: true },
    );
    expect(places).toEqual([true, false]);
  });

  test('but not those that are wrong, or that took too long', async () => {
    const view = await viewed();
    const before = replicas.served.refused;
    await expect(view.database.reader.any(sql.type(WhereRow)`SELECT nothing_like_it AS standby`)).rejects.toThrow(
      'nothing_like_it',
    );
    await expect(
      view.database.transaction((tx) => tx.one(sql.type(WhereRow)`SELECT true AS standby FROM pg_sleep(2)`), {
        readOnly: true,
        statementTimeoutMs: 50,
      }),
    ).rejects.toThrow('took too long');
    expect(replicas.served.refused).toBe(before);
  });
});

describe('a replica that is not right', () => {
  test('is left out when it is further behind than it may be, and taken back when it has caught up', async () => {
    await using strict = new Replicas(database, { urls: [standby.url], lagMs: 500, poolSize: 2 });
    await standing('in_use', strict);
    await paused(async () => {
      await write('somebody');
      await standing('behind', strict);
      expect(await strict.viewFor('reader', 'own')).toBe(null);
    });
    await expect.poll(() => strict.viewFor('reader', 'own')).not.toBe(null);
  });

  test('is left out when it dies, with what it had at work done by the primary, and taken back', async () => {
    const view = await viewed();
    const asked = view.database.reader.one(slowly);
    await begun(view.database);
    await standby.kill();
    await standing('unreachable');
    expect((await asked).standby).toBe(false);
    expect(await answers('reader')).toBe('primary');
    await standby.restart();
    await inUse();
    expect(await answers('reader')).toBe('replica');
  });

  test('is taken back when its primary has crashed and lost the end of its log, which was known of', async () => {
    // Nothing writes the log of an open transaction for ten seconds.
    await using own = await startPrimary({ wal_writer_delay: '10s' }, fillWithStarted);
    await using follower = await startStandby(own);
    await using crashed = new Database({ url: own.url, poolSize: 2 });
    await using strict = new Replicas(crashed, { urls: [follower.url], lagMs: 500, poolSize: 2 });
    await standing('in_use', strict);
    await crashed.withClient(async (client) => {
      client.on('error', () => undefined);
      await client.query('BEGIN READ WRITE');
      await client.query("SELECT pg_logical_emit_message(true, 'lost', repeat('x', 500000))");
      await standing('behind', strict);
      await own.crash();
    });
    await expect.poll(() => strict.all[0]?.standing).toBe('in_use');
  });

  test('is told by doctor, and nothing is where it is right', async () => {
    const found = async (urls: readonly string[]): Promise<readonly string[]> => {
      const place = { url: primary.url, pooledUrl: primary.url, migrations, clock: () => Date.now() };
      const facts = await readFacts({ ...place, replicas: { urls, lagMs } });
      return diagnose(facts, limits, readConfig({}), [])
        .filter(({ id }) => id === 'replica_left_out')
        .map(({ says }) => says);
    };
    expect(await found([standby.url])).toEqual([]);
    expect(await readReplicaFacts(database, [], lagMs)).toEqual([]);
    expect(await found([primary.url])).toEqual([expect.stringContaining('takes writes of its own')]);
    expect(await found(['postgresql://nobody@127.0.0.1:1/muniment'])).toEqual([
      'The replica 127.0.0.1:1/muniment is left out: it does not answer.',
    ]);
  });

  test('is left out where it is no replica, or one of other data', async () => {
    // A cluster of its own, since what was started once is the same in every copy; without tables, of which nothing is asked.
    await using another = await startPrimary({}, async () => undefined);
    await using wrong = new Replicas(database, { urls: [another.url, primary.url], lagMs, poolSize: 2 });
    await using others = new Database({ url: another.url, poolSize: 2 });
    await using foreign = new Replicas(others, {
      urls: [standby.url],
      lagMs,
      poolSize: 2,
    });
    await expect.poll(() => wrong.all.map((one) => one.standing)).toEqual(['not_a_replica', 'not_a_replica']);
    await expect.poll(() => foreign.all[0]?.standing).toBe('other_cluster');
  });
});
