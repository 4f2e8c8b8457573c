// A service moves in from another by jobs of its own: read, loaded with every address, brought up to date; and its worker may die in the middle.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#domain/config.ts';
import { migrateFrom } from '#domain/jobs/migrate-from.ts';
import { folderOfSource } from '#migrate/folder.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { spawnImportWorker } from '#test/support/import-worker.ts';
import { endOfGlobalJob } from '#test/support/loads.ts';
import { fillWithStates } from '#test/support/make/records-in-states.ts';
import { sharedThreads } from '#test/support/threads.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { handler as loadRecords } from '../../../../apps/worker/jobs/load-records.ts';
import { handler as migrateHandler } from '../../../../apps/worker/jobs/migrate-from.ts';
import { jobOptionsOf } from '../../../../apps/worker/start.ts';
import type { Incumbent } from '../../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../../cli/incumbent.ts';
import { runCli } from '../../cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-migrations-'));
const opened = new AsyncDisposableStack();
let source: TestApi;
let target: TestApi;
let R = '';
beforeAll(async () => {
  source = opened.use(await startTestApi({ worker: 'jobs' }));
  R = await fillWithStates(source);
  target = opened.use(await startTestApi({ worker: 'jobs', environment: environmentFor(source.url) }));
});
afterAll(async () => {
  await opened.disposeAsync();
  rmSync(folder, { recursive: true });
});

const environmentFor = (url: string): { [name: string]: string } => ({
  MUNIMENT_MIGRATION_SOURCES: new URL(url).origin,
  MUNIMENT_MIGRATION_FOLDER: folder,
});
const asked = { jobs: false, requests_at_once: 8, requests_a_second: 1000 };
const migrate = (more: object = {}): Promise<Reply> =>
  target.post('/system/migrations', {
    source: source.url,
    username: 'admin',
    password: adminPassword,
    ...asked,
    ...more,
  });

const Count = z.strictObject({ n: column.int });
const sessionsAt = async (api: TestApi): Promise<number> =>
  (await api.database.reader.one(sql.type(Count)`SELECT count(*)::int AS n FROM session`)).n;

/** Starts a migration, follows it and its load, and gives the job's result. */
async function migrated(more: object = {}): Promise<any> {
  const { status, json } = await migrate(more);
  expect([status, json.error]).toEqual([202, undefined]);
  const { status: end, log } = await endOfGlobalJob(target, json.uri);
  expect([end, log]).toEqual(['completed', expect.stringContaining('Read now: ')]);
  const { result } = (await target.get(json.uri)).json;
  if (result.load !== null) {
    expect((await endOfGlobalJob(target, result.load)).status).toBe('completed');
    expect((await target.get(result.load)).json.reason).toMatchObject({ by: 'request', job: { ref: json.uri } });
  }
  return result;
}

it('loads every record with its address, takes later what has changed, and leaves no session behind', async () => {
  const before = await sessionsAt(source);
  const first = await migrated();
  expect(first).toMatchObject({ problems: 0, load: expect.stringMatching(/^\/jobs\/\d+$/) });
  const resources = (await source.get(`${R}/resources?all_ids=true`)).json as number[];
  expect(resources.length).toBeGreaterThan(0);
  for (const id of resources)
    for (const part of ['', '/tree/root'])
      expect((await target.get(`${R}/resources/${id}${part}`)).json).toEqual(
        (await source.get(`${R}/resources/${id}${part}`)).json,
      );
  expect((await migrated()).load).toBeNull();
  const subject = await source.create('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Lighthouses', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  expect((await target.get(subject)).status).toBe(404);
  expect((await migrated()).load).not.toBeNull();
  expect((await target.get(subject)).json).toEqual((await source.get(subject)).json);
  expect(await sessionsAt(source)).toBe(before);
  const { migrations } = (await target.get('/system/migrations')).json;
  expect(migrations.map((each: any) => [each.status, each.load_status])).toEqual([
    ['completed', 'completed'],
    ['completed', null],
    ['completed', 'completed'],
  ]);
});

it('refuses while what it has read is being loaded, and says by which job', async () => {
  await source.create('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Buoys', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const load = await target.database.transaction(async (tx) => {
    // What a load writes last: until then it runs.
    await tx.run(sql`LOCK TABLE load IN EXCLUSIVE MODE`);
    const { uri } = (await migrate()).json;
    await endOfGlobalJob(target, uri);
    const { result } = (await target.get(uri)).json;
    const { status, log } = await endOfGlobalJob(target, (await migrate()).json.uri);
    expect([status, log]).toEqual(['failed', expect.stringContaining(`is being loaded: ${result.load}`)]);
    return result.load as string;
  });
  expect((await endOfGlobalJob(target, load)).status).toBe('completed');
});

it('fails in words where the session does not hold, and goes on with a new one', async () => {
  const { uri } = (await migrate({ username: undefined, password: undefined, session: 'of nobody' })).json;
  const { status, log } = await endOfGlobalJob(target, uri);
  expect([status, log]).toEqual(['failed', expect.stringContaining('Start the migration again with a new login')]);
  expect(log).not.toContain('of nobody');
});

it('is a command that waits for both jobs', async () => {
  const args = ['--from', source.url, '--server', '--no-jobs', '--requests-a-second', '1000'];
  const env = { MUNIMENT_URL: target.url, MUNIMENT_PASSWORD: adminPassword, MUNIMENT_SOURCE_PASSWORD: adminPassword };
  const { code, stdout, stderr } = await runCli(['migrate', ...args], { env });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Reading ')]);
  expect(stdout).toMatch(/Nothing has changed in|records of .* are here/);
});

/** A source that does not answer where its components are asked for, until it is let go; `held` comes true when it was asked. */
function holdComponents(incumbent: Incumbent): { readonly held: Promise<void>; readonly release: () => void } {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  incumbent.mischief = (_request, _response, url) => {
    if (url.pathname !== '/repositories/2/archival_objects' || !url.searchParams.has('id_set')) return false;
    resolve();
    return true;
  };
  return { held, release: () => (incumbent.mischief = () => false) };
}

it('ends at once when it is canceled while it waits for the source, where its session ends too; the next one runs, and says how much could not be read, and why in a file', async () => {
  const incumbent = opened.use(await startIncumbent(smallHoldings('ArchivesSpace (v4.1.1)')));
  const api = opened.use(await startTestApi({ worker: 'jobs', environment: environmentFor(incumbent.url) }));
  const { held, release } = holdComponents(incumbent);
  const body = { ...asked, source: incumbent.url, username: 'admin', password: 'secret' };
  const { uri } = (await api.post('/system/migrations', body)).json;
  await held;
  expect((await api.post(`${uri}/cancel`)).status).toBe(200);
  // It is shown as canceled from then on; here it has ended.
  await expect.poll(async () => (await api.get(uri)).json.time_finished).toMatch(/UTC$/);
  const { status, log } = await endOfGlobalJob(api, uri);
  expect([status, log]).toEqual(['canceled', expect.stringMatching(/The job was canceled\n$/)]);
  expect((await api.database.reader.any(sql.type(Count)`SELECT 1 AS n FROM source_session`)).length).toBe(0);
  await expect.poll(() => incumbent.requests).toContain('/logout');
  release();
  const next = (await api.post('/system/migrations', body)).json.uri;
  const ended = await endOfGlobalJob(api, next);
  expect(ended.status).toBe('completed');
  const { problems } = (await api.get(next)).json.result;
  expect(ended.log).toContain(`Could not be read: ${problems}; problems.ndjson among the files of this job says why.`);
  const ids = (await api.get(`${next}/output_files`)).json;
  expect(ids).toHaveLength(1);
  const file = await api.get(`${next}/output_files/${ids[0]}`);
  expect(file.headers.get('content-disposition')).toContain('problems.ndjson');
  const lines = file.text.trim().split('\n');
  const stranger = await api.userWith(['view_repository'], 1);
  for (const path of ['', `/${ids[0]}`])
    expect((await api.get(`${next}/output_files${path}`, stranger)).status).toBe(403);
  expect((await api.get(`${next}/output_files/999999`)).json).toEqual({ error: 'File not found' });
  expect(lines).toHaveLength(problems);
  // It has no such list.
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    uri: '/agents/families',
    status: 404,
    reason: expect.any(String),
    file: 'agents_families',
  });
});

it('goes on in its folder when the worker is killed while it reads: nothing is read twice', async () => {
  const incumbent = opened.use(await startIncumbent(smallHoldings('ArchivesSpace (v3.3.1)')));
  const environment = environmentFor(incumbent.url);
  const api = opened.use(await startTestApi({ worker: false, environment }));
  const { held, release } = holdComponents(incumbent);
  const first = await spawnImportWorker(api.databaseUrl, 1, { environment });
  const body = { ...asked, source: incumbent.url, username: 'admin', password: 'secret' };
  const { uri } = (await api.post('/system/migrations', body)).json;
  await held;
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  release();
  const before = incumbent.requests.length;
  // This one is not killed: it works in this process.
  await using connected = connect(api.databaseUrl);
  const second = await startTestWorker(connected, {
    handlers: [migrateHandler, loadRecords],
    options: jobOptionsOf(readConfig(environment)),
    threads: await sharedThreads(),
    readCaller,
  });
  const { status, log } = await endOfGlobalJob(api, uri);
  await second.stop();
  expect([status, log]).toEqual(['completed', expect.stringContaining('archival objects: 250')]);
  // The delete feed is asked for when all is read; what has changed since then is looked for afterwards.
  const rest = incumbent.requests.slice(before);
  const again = rest
    .slice(
      0,
      rest.findIndex((path) => path.startsWith('/delete-feed')),
    )
    .filter((path) => /^\/(subjects|agents\/people)\?id_set=/.test(path));
  expect(again).toEqual([]);
  const lines = readFileSync(join(folder, folderOfSource(incumbent.url), 'archival_objects.ndjson'), 'utf8').trim();
  expect(new Set(lines.split('\n')).size).toBe(250);
  expect(incumbent.requests).toContain('/logout');
});

it('is declared for administrators', () => {
  expect(migrateFrom.needs?.({} as never)).toEqual([{ code: 'administer_system', repoId: null }]);
});
