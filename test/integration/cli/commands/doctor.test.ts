// `muniment doctor`: every finding is provoked on a real server and told; docs/operations.md tells of each.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { diagnose } from '#domain/doctor/diagnose.ts';
import type { Finding } from '#domain/doctor/finding.ts';
import type { Limits } from '#domain/doctor/limits.ts';
import { limits } from '#domain/doctor/limits.ts';
import { Listener } from '#store/connection/listener.ts';
import { readFacts } from '#store/doctor/facts.ts';
import { noteBackup, sampleSize } from '#store/doctor/work.ts';
import { openPresence } from '#store/queue/presence.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';
import { runSql } from '#test/support/run-sql.ts';
import { ofRestrictedUser } from '#test/support/database.ts';
import { cleanEnvironment, makeDataDir, projectRoot } from '#test/support/service.ts';
import { runCli } from '../run-cli.ts';

const migrations = new URL('../../../../db/migrations/', import.meta.url);
const seen = new Set<string>();
let store: RecordStore;
let url = '';
beforeAll(async () => {
  store = await openRecordStore();
  ({ url } = store.database.settings);
  operator = new pg.Client({ connectionString: url });
  await operator.connect();
});
afterAll(async () => {
  await operator.end();
  await store[Symbol.asyncDispose]();
});

type Look = {
  readonly env?: { readonly [name: string]: string };
  readonly limits?: Partial<Limits>;
  readonly url?: string;
  readonly clock?: () => number;
};

const look = async (how: Look = {}): Promise<readonly Finding[]> => {
  const place = how.url ?? url;
  const facts = await readFacts({ url: place, pooledUrl: place, migrations, clock: how.clock ?? (() => Date.now()) });
  return diagnose(facts, { ...limits, ...how.limits }, readConfig(how.env ?? {}), []);
};
// One connection for all that is made wrong and right: most of what a statement by itself costs is connecting for it.
let operator: pg.Client;
/** The findings of an id that there are while a database is so; they must be gone when it is put right. */
async function provoked(
  id: string,
  [wrong, right]: readonly [wrong: string, right: string],
  how: Look = {},
): Promise<readonly Finding[]> {
  await operator.query(wrong);
  const found = (await look(how)).filter((each) => each.id === id);
  seen.add(id);
  await operator.query(right);
  expect((await look()).filter((each) => each.id === id && each.level !== 'notice')).toEqual([]);
  return found;
}
const told = (found: readonly Finding[]): readonly string[] => found.map(({ level, says }) => `${level}: ${says}`);

const anHourAgo = `now() - interval '61 minutes'`;
const cases: readonly (readonly [id: string, words: RegExp, wrong: string, right: string, how?: Look])[] = [
  [
    'migrations_pending',
    /^problem: Migrations have not run: 0039_installation\.sql\.$/,
    `CREATE TABLE kept AS SELECT * FROM migration; DELETE FROM migration WHERE name = '0039_installation.sql'`,
    `INSERT INTO migration SELECT * FROM kept WHERE name = '0039_installation.sql'`,
  ],
  [
    'migrations_unknown',
    /^problem: .* does not have: 9999_next\.sql\.$/,
    `INSERT INTO migration VALUES ('9999_next.sql', '')`,
    `DELETE FROM migration WHERE name = '9999_next.sql'`,
  ],
  [
    'migrations_changed',
    /^problem: .*: 0001_records\.sql\.$/,
    `UPDATE migration SET sha256 = 'x' WHERE name = '0001_records.sql'`,
    `UPDATE migration SET sha256 = (SELECT sha256 FROM kept WHERE name = '0001_records.sql') WHERE name = '0001_records.sql'`,
  ],
  [
    'autovacuum_off',
    /^problem: Autovacuum is off for webhook\.$/,
    'ALTER TABLE webhook SET (autovacuum_enabled = false)',
    'ALTER TABLE webhook RESET (autovacuum_enabled)',
  ],
  [
    'vacuum_behind',
    /^warning: The table size_sample has 60000 dead rows beside 0 live ones, and many since 16 minutes\.$/,
    `ALTER TABLE size_sample SET (autovacuum_enabled = false);
      INSERT INTO size_sample SELECT now() - interval '20 years' + n * interval '1 s', 1 FROM generate_series(1, 60000) n; DELETE FROM size_sample; INSERT INTO table_behind VALUES ('size_sample', now() - interval '16 minutes'); SELECT pg_stat_force_next_flush()`,
    "TRUNCATE size_sample, table_behind; ALTER TABLE size_sample RESET (autovacuum_enabled); SELECT pg_stat_reset_single_table_counters('size_sample'::regclass)",
  ],
  [
    'wraparound',
    /^problem: \d+ % of the transaction numbers/,
    'SELECT',
    'SELECT',
    { limits: { wraparound: [-1, -1] } },
  ],
  [
    'replication_slot_idle',
    /^warning: Nobody reads from the replication slot doctor_test, for which the server keeps .* of its log/,
    `SELECT pg_create_physical_replication_slot('doctor_test', true)`,
    `SELECT pg_drop_replication_slot('doctor_test')`,
  ],
  [
    'read_only_by_default',
    /^problem: /,
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
    "BEGIN READ WRITE; DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$; COMMIT",
  ],
  [
    'read_only_by_default',
    /^problem: /,
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = 1', current_database()); END $$",
    "BEGIN READ WRITE; DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$; COMMIT",
  ],
  [
    'ids_running_out',
    /^warning: 93 % of the numbers of accession_id_seq/,
    `SELECT setval('accession_id_seq', 2000000000)`,
    `SELECT setval('accession_id_seq', 1)`,
  ],
  [
    'queue_waits',
    /^problem: 1 jobs are queued, and the oldest that is due waits since 61 minutes\.$/,
    `INSERT INTO job (visible, type, mailbox, is_long, payload, run_after) VALUES (false, 'report', 'm', false, '{}', ${anHourAgo})`,
    'DELETE FROM job',
  ],
  [
    'jobs_failed',
    /^warning: Jobs failed in the last day: 2 × report, 1 × merge, 1 × undo-merge\.$/,
    `INSERT INTO job (visible, type, mailbox, is_long, payload, status, time_finished) SELECT false, type, 'm', false, '{}', 'failed', at
      FROM (VALUES ('report', now()), ('report', now()), ('merge', now()), ('merge', now() - interval '2 days')) AS job (type, at);
      -- A request that was refused, and one for which something broke.
      INSERT INTO job (visible, type, mailbox, is_long, payload, status, time_finished, outcome) SELECT false, 'undo-merge', 'm', false, '{}', 'failed', now(), json_build_object('failure', json_build_object('code', code))
      FROM unnest(ARRAY['conflict', 'not_found', 'internal']) AS code`,
    'DELETE FROM job',
  ],
  [
    'changes_not_in_feed',
    /^problem: The oldest change that is not in the feed is 61 minutes old/,
    `UPDATE change SET at = ${anHourAgo}`,
    'SELECT sequence_changes()',
  ],
  [
    'index_behind',
    /^problem: Search is 61 minutes behind; \d+ records/,
    `INSERT INTO reindex_due (kind, id, lane, at) VALUES ('subject', 1, 0, ${anHourAgo})`,
    `DELETE FROM reindex_due; INSERT INTO follower (name, n) SELECT name, s.n FROM sequencer s, unnest('{search,oai}'::text[]) AS name ON CONFLICT (name) DO UPDATE SET n = excluded.n`,
  ],
  [
    'harvesters_behind',
    /^warning: What harvesters see by OAI-PMH is 61 minutes behind\.$/,
    `INSERT INTO oai_due VALUES (false, false, 1, ${anHourAgo})`,
    'DELETE FROM oai_due',
  ],
  [
    'webhooks_behind',
    /^warning: Webhooks are told of changes that are 61 minutes old\.$/,
    `SELECT sequence_changes(); UPDATE feed SET at = ${anHourAgo}; INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's');
      INSERT INTO follower (name, n) VALUES ('webhooks', 0) ON CONFLICT (name) DO UPDATE SET n = 0`,
    `DELETE FROM webhook`,
  ],
  [
    'webhook_fails',
    /^warning: The webhook \d+ does not take its deliveries \(HTTP 500\): 1 wait, the oldest since 61 minutes\.$/,
    `WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, attempts, reason, create_time, last_attempt) SELECT id, '{}', 3, 'HTTP 500', ${anHourAgo}, now() FROM hook`,
    'DELETE FROM webhook',
  ],
  [
    'webhook_gave_up',
    /^warning: 1 deliveries of the webhook \d+ were given up in the last day \(HTTP 410\)\.$/,
    `WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, attempts, reason, status, last_attempt) SELECT id, '{}', 12, 'HTTP 410', 'dead', now() FROM hook`,
    'DELETE FROM webhook',
  ],
  [
    'disk_full_soon',
    /^problem: The disk will be full in (less than a day|\d days): the disk of the database has .* left, and grows by .* TB a day\.$/,
    // As if the database had grown by many terabytes since.
    `INSERT INTO size_sample VALUES (now() - interval '2 days', -100e12)`,
    'DELETE FROM size_sample',
  ],
  [
    'disk_low',
    /^problem: Imports are refused: the disk/,
    'SELECT',
    'SELECT',
    { env: { MUNIMENT_DISK_RESERVE_MB: '1000000000' } },
  ],
];

describe('muniment doctor', () => {
  for (const [id, words, wrong, right, how = {}] of cases)
    it(`tells of ${id}`, async () => {
      expect(told(await provoked(id, [wrong, right], how))).toEqual([expect.stringMatching(words)]);
    });

  it('tells of an index that was not finished', async () => {
    await runSql(url, 'CREATE TABLE twice AS SELECT 1 AS n FROM generate_series(1, 2)');
    await expect(runSql(url, 'CREATE UNIQUE INDEX CONCURRENTLY twice_key ON twice (n)')).rejects.toThrow('twice_key');
    expect(told(await provoked('invalid_index', ['SELECT', 'DROP TABLE twice']))).toEqual([
      'problem: Indexes are not used, and kept at every write all the same: twice_key.',
    ]);
  });

  it('tells of a transaction that stays open', async () => {
    const begun = performance.now();
    await store.database.transaction(async (tx) => {
      await tx.run({ sql: 'SELECT pg_sleep(0.01)', values: [] });
      const found = (await look({ limits: { transactionSeconds: 0.001 } })).filter(
        ({ id }) => id === 'old_transaction',
      );
      const [words = '', ...others] = told(found);
      const seconds = /^warning: A transaction of muniment is open since (\d+) s/.exec(words)?.[1];
      expect(Number(seconds), words).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 1000));
      expect(others).toEqual([]);
      seen.add('old_transaction');
    });
    expect((await look({ limits: { transactionSeconds: 0 } })).some(({ id }) => id === 'old_transaction')).toBe(false);
  });

  it('tells of connections near their limit, and of pools that are too large for it', async () => {
    const { pathname } = new URL(url);
    const name = pathname.slice(1);
    await using listener = new Listener({ url, onError: () => undefined });
    const unsubscribe = await listener.subscribe('doctor_test', () => undefined);
    expect(
      told(await provoked('pool_too_large', ['SELECT', 'SELECT'], { env: { MUNIMENT_POOL_SIZE: '500' } })),
    ).toEqual([
      expect.stringMatching(
        /^warning: 1 processes with a MUNIMENT_POOL_SIZE of 500 may open 505 connections; the server takes 19\d\.$/,
      ),
    ]);
    const found = await provoked('connections_near_limit', [
      `ALTER DATABASE ${name} CONNECTION LIMIT 3`,
      `ALTER DATABASE ${name} CONNECTION LIMIT -1`,
    ]);
    expect(told(found)).toEqual([expect.stringMatching(/^(warning|problem): \d of 3 connections are in use\.$/)]);
    unsubscribe();
  });

  it('tells where no worker runs, more gravely where there is work for one', async () => {
    const levels = async (): Promise<readonly string[]> =>
      (await look()).filter(({ id }) => id === 'no_worker').map(({ level }) => level);
    await runSql(url, `DELETE FROM job; SELECT sequence_changes(); UPDATE follower SET n = (SELECT n FROM sequencer)`);
    expect(await levels()).toEqual(['warning']);
    await runSql(url, `INSERT INTO reindex_due (kind, id, lane) VALUES ('subject', 1, 0)`);
    expect(await levels()).toEqual(['problem']);
    const presence = await openPresence(url, () => undefined);
    expect(await levels()).toEqual([]);
    await presence.close();
    await runSql(url, 'DELETE FROM reindex_due');
    seen.add('no_worker');
  });

  it('tells how old the newest backup is, and that none is known', async () => {
    const backups = async (): Promise<readonly string[]> =>
      told((await look()).filter(({ id }) => id.startsWith('backup')));
    expect(await backups()).toEqual(['notice: No backup by npm run backup is known.']);
    await noteBackup(store.database, new Date(Date.now() - 5 * 86_400_000).toISOString(), 1000);
    expect(await backups()).toEqual(['warning: The newest backup by npm run backup is 5 days old.']);
    await using folder = makeDataDir();
    const made = spawnSync(process.execPath, ['scripts/backup.ts', join(folder.path, 'backup.gz')], {
      cwd: projectRoot,
      env: cleanEnvironment({ DATABASE_URL: url }),
      encoding: 'utf8',
    });
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(await backups()).toEqual([]);
    for (const id of ['backup_unknown', 'backup_old']) seen.add(id);
  });

  it('tells of clocks that are apart, either way', async () => {
    const skew = async (ms: number): Promise<readonly string[]> =>
      told((await look({ clock: () => Date.now() + ms })).filter(({ id }) => id === 'clock_skew'));
    expect(await skew(60_000)).toEqual([
      'warning: The clock of the database server is 60 s behind that of this machine.',
    ]);
    expect(await skew(-60_000)).toEqual([
      'warning: The clock of the database server is 60 s before that of this machine.',
    ]);
    expect(await skew(0)).toEqual([]);
    seen.add('clock_skew');
  });

  it('tells of a server that archives in vain, and of one that a crash would cost its data', async () => {
    const unsafe = (await look()).filter(({ id }) => id === 'unsafe_settings');
    // The cluster of the tests is so, to be quick.
    expect(told(unsafe)).toEqual([
      expect.stringMatching(/^problem: PostgreSQL runs with fsync and full_page_writes off/),
    ]);
    await using data = makeDataDir();
    const server = await startEmbedded({
      dataDir: data.path,
      log: () => undefined,
      settings: { archive_mode: 'on', archive_command: 'false' },
    });
    try {
      const failing = async (): Promise<readonly Finding[]> =>
        (await look({ url: server.url })).filter(({ id }) => id === 'archiving_fails');
      expect((await look({ url: server.url })).some(({ id }) => id === 'unsafe_settings')).toBe(false);
      expect(await failing()).toEqual([]);
      await runSql(server.url, 'CREATE TABLE one (n int)');
      await runSql(server.url, 'SELECT pg_switch_wal()');
      await expect.poll(failing).toEqual([expect.objectContaining({ level: 'problem' })]);
    } finally {
      await server.stop();
    }
    for (const id of ['unsafe_settings', 'archiving_fails']) seen.add(id);
  });

  it('knows growth from what the service notes four times a day', async () => {
    expect([await sampleSize(store.database), await sampleSize(store.database)]).toEqual([true, false]);
    await runSql(url, `UPDATE size_sample SET at = at - interval '7 hours'`);
    expect(await sampleSize(store.database)).toBe(true);
    await runSql(url, 'DELETE FROM size_sample');
  });

  it('ends with 1 and says what to do, as text and as JSON; changes nothing', async () => {
    // Beside one that is misspelled, those of whoever runs commands.
    const env = { DATABASE_URL: url, MUNIMENT_DATADIR: 'x', MUNIMENT_PROFILE: 'y', MUNIMENT_SOURCE_PASSWORD: 'z' };
    const run = await runCli(['doctor'], { env });
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(run.stdout).toContain(
      'warning  settings\n         No settings are called MUNIMENT_DATADIR.\n         → They do nothing: misspelled?',
    );
    seen.add('settings');
    const json = JSON.parse((await runCli(['doctor', '--json', '--database', url])).stdout);
    expect(json).toMatchObject({ ok: false, facts: { server: { migrations: { pending: [] } }, work: { workers: 0 } } });
    expect(json.findings.map(({ level }: Finding) => level)).toEqual(
      json.findings
        .map(({ level }: Finding) => level)
        .toSorted((one: string, other: string) => rank(one) - rank(other)),
    );
  });

  it('looks into an empty database as a user who may nothing else', async () => {
    await using empty = await ofRestrictedUser();
    const found = await look({ url: empty.url });
    expect(told(found.filter(({ id }) => id.startsWith('migrations')))).toEqual([
      expect.stringMatching(/^problem: Migrations have not run: 0001_records\.sql, .* and \d+ more\.$/),
    ]);
    // Who may not know where the data are sees no disk.
    expect(found.map(({ id }) => id)).toContain('disk_not_seen');
    seen.add('disk_not_seen');
  });

  it('fails in words where the database is away, without its password', async () => {
    const run = await runCli(['doctor', '--database', 'postgresql://me:hush@127.0.0.1:1/none']);
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not reachable') });
    expect(run.stderr).not.toContain('hush');
  });

  it('is told of in the documentation, finding by finding', () => {
    // Through a real pooler: test/integration/store/connection/pgbouncer.test.ts.
    seen.add('pooler_drops_settings');
    // Of a real replica: test/integration/store/connection/replicas.test.ts.
    seen.add('replica_left_out');
    // Of a storage of files: test/unit/domain/doctor/files.test.ts.
    for (const id of ['files_unreachable', 'file_storage_fails', 'files_by_place', 'objects_not_removed']) seen.add(id);
    const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('## What is wrong, or will be'));
    const rows = section.slice(0, section.indexOf('\n## ', 3)).matchAll(/^\| (`[^|]*)\|/gm);
    const documented = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, id]) => id));
    expect(documented.toSorted()).toEqual([...seen].toSorted());
  });
});

const rank = (level: string): number => ['problem', 'warning', 'notice'].indexOf(level);
