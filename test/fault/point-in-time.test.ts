// A recovery to a point in time, as docs/operations.md tells: WAL is archived, a base backup is made under load, much is deleted by an accident, and the
// database is brought back to just before that in a new folder. All that was acknowledged before is there, nothing of what came after, and numbers that
// clients of the feed know do not come again. It is for long runs: usual ones have what the service does on a new timeline
// in test/integration/store/change-log/timelines.test.ts.
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { column, NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { giveTo } from '#store/embedded/account.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { isLong } from '#test/support/long.ts';
import { Probe } from '#test/support/probe.ts';
import { seededRandom } from '#test/support/random.ts';
import type { Service } from '#test/support/service.ts';
import { ask, login, makeDataDir, startService } from '#test/support/service.ts';
import { baseBackup, startPrimary } from '#test/support/standby.ts';
import { z } from 'zod';
import { Client } from './schedule/client.ts';
import { password } from './schedule/deployment.ts';
import { Stored } from './schedule/stored.ts';

const TimeRow = z.strictObject({ at: column.text });
const FileRow = z.strictObject({ file: column.text });
const ArchivedRow = z.strictObject({ isArchived: column.bool });

it.runIf(isLong)('brings back what was acknowledged before an accident, and goes on from there', async () => {
  const archive = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
  chmodSync(archive, 0o777);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(archive, { recursive: true, force: true }));
  const primary = opened.use(
    await startPrimary({ archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` }),
  );
  const data = opened.use(makeDataDir());
  const variables = (url: string): { readonly [name: string]: string } => ({
    DATABASE_URL: url,
    MUNIMENT_DATA_DIR: data.path,
    MUNIMENT_ADMIN_PASSWORD: password,
    MUNIMENT_LOGIN_RATE_LIMIT: '0',
    MUNIMENT_WORKER_THREADS: '1',
  });
  const start = async (url: string, program: string): Promise<Service> =>
    opened.use(await startService(variables(url), program));

  // A base backup while there are writes.
  const api = await start(primary.url, 'apps/api/main.ts');
  const worker = await start(primary.url, 'apps/worker/main.ts');
  const session = await login(api, password);
  const { body: repository } = await ask(api, '/repositories', session, { repo_code: 'drill', name: 'Drill' });
  const probe = opened.use(new Probe(api.url, session, String(repository['uri'])));
  await probe.untilWritten();
  const folder = opened.use(makeDataDir());
  const restored = join(folder.path, 'pg');
  await baseBackup(primary, restored);
  await probe.untilWritten();

  // The point: nobody writes, and a job waits for a worker.
  const goOn = await probe.pause();
  expect(await worker.stop()).toBe(0);
  const { body: job } = await ask(api, '/system/reindex?rewrite=true', session, {});
  const before = new Map(probe.acknowledged);
  await using database = new Database({ url: primary.url, poolSize: 1 });
  const { at } = await database.reader.one(sql.type(TimeRow)`SELECT clock_timestamp()::text AS at`);
  await sleep(50);

  // More is written, and then an accident: all that was there goes.
  goOn();
  const lastWorker = await start(primary.url, 'apps/worker/main.ts');
  await probe.untilWritten();
  await probe.pause();
  const after = [...probe.acknowledged.keys()].filter((uri) => !before.has(uri));
  expect(after.length).toBeGreaterThan(0);
  const named = [...before.keys()].map((uri) => `record_uris[]=${uri}`).join('&');
  const accident = await ask(api, `/batch_delete?${named}`, session, {});
  expect(accident.status).toBe(200);
  const [lost = ''] = before.keys();
  expect((await ask(api, lost, session)).status).toBe(404);
  const client = new Client(() => [api.url], seededRandom(1));
  await client.login();
  expect(await new Stored(database, client).rest()).toEqual([]);
  const last = async (of: Database): Promise<number> =>
    (await of.reader.one(sql.type(NumberRow)`SELECT n FROM sequencer`)).n;
  const seen = await last(database);
  for (const service of [lastWorker, api]) expect(await service.stop()).toBe(0);

  // What is archived is all there is: the folder of the old server is not looked at again.
  const { file } = await database.reader.one(sql.type(FileRow)`SELECT pg_walfile_name(pg_switch_wal()) AS file`);
  const archived = sql.type(ArchivedRow)`
    SELECT coalesce(last_archived_wal >= ${file}, false) AS "isArchived" FROM pg_stat_archiver`;
  await expect.poll(async () => (await database.reader.one(archived)).isArchived).toBe(true);

  const options = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${at}'`,
    "recovery_target_action = 'promote'",
  ];
  writeFileSync(join(restored, 'postgresql.auto.conf'), options.join('\n'));
  writeFileSync(join(restored, 'recovery.signal'), '');
  if (process.geteuid?.() === 0) giveTo(restored, statSync(join(primary.folder, 'pg')));
  const server = await startEmbedded({ dataDir: folder.path, log: () => undefined });
  opened.defer(() => server.stop());

  const again = await start(server.url, 'apps/api/main.ts');
  await start(server.url, 'apps/worker/main.ts');
  const uris = new Set([...before.keys(), ...after]);
  const found = new Map<string, unknown>();
  for (const uri of uris) {
    const { status, body } = await ask(again, uri, session);
    if (status === 200) found.set(uri, body['title']);
  }
  expect(found).toEqual(before);

  // The job runs, the index says what the records say, and nothing is broken.
  await using recovered = new Database({ url: server.url, poolSize: 2 });
  const other = new Client(() => [again.url], seededRandom(2));
  await other.login();
  const stored = new Stored(recovered, other);
  expect(await stored.rest()).toEqual([]);
  expect((await ask(again, String(job['uri']), session)).body['status']).toBe('completed');
  expect(await stored.violations()).toEqual([]);
  expect(await stored.searchContentFaults()).toEqual([]);

  // The feed goes on, beyond every number that a client may have seen.
  const { body: created } = await ask(again, `${String(repository['uri'])}/accessions`, session, {
    id_0: 'later',
    title: 'Later',
    accession_date: '2026-01-01',
  });
  expect(created['status']).toBe('Created');
  await expect.poll(async () => (await stored.feedNumbers(['accession'], seen)).length).toBe(1);
  const [number] = await stored.feedNumbers(['accession'], seen);
  expect(number).toBeGreaterThan(1_000_000);
});
