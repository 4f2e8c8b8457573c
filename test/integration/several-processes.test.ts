// From one machine to several: a backup of a running `npm start` is restored into a server of one's own, on which two APIs and two
// workers start at the same moment and share sessions, records and jobs. Its user owns the database and may nothing else.
import { spawnSync } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startedDataDir } from '#test/support/first-started.ts';
import { isLong } from '#test/support/long.ts';
import type { Service } from '#test/support/service.ts';
import { adminPasswordOf, ask, cleanEnvironment, login, projectRoot, startService } from '#test/support/service.ts';
import { ofRestrictedUser } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const data = await startedDataDir();
let external: TestDatabase;
let session = '';
const running: Service[] = [];

beforeAll(async () => {
  external = await ofRestrictedUser();
});
afterAll(async () => {
  for (const service of running) await service.stop();
  await external.drop();
  await data[Symbol.asyncDispose]();
});

const runScript = (
  script: string,
  file: string,
  variables: { readonly [name: string]: string },
): { readonly status: number | null; readonly output: string } => {
  // As npm runs it: with the compiled code that is kept, it takes half as much to start.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', script, file], {
    cwd: projectRoot,
    env: cleanEnvironment(variables),
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
};
const start = async (program: string): Promise<Service> => {
  const service = await startService(
    { DATABASE_URL: external.url, MUNIMENT_DATA_DIR: join(data.path, 'unused') },
    program,
  );
  running.push(service);
  return service;
};

const file = join(data.path, 'backup.gz');
let single: Service;

test('a backup is made of the running service', async () => {
  single = await startService({ MUNIMENT_DATA_DIR: data.path });
  running.push(single);
  session = await login(single, adminPasswordOf(data.path));
  expect((await ask(single, '/repositories', session, { repo_code: 'first', name: 'First' })).body).toMatchObject({
    uri: '/repositories/2',
  });
  expect(
    (
      await ask(single, '/subjects', session, {
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [{ term: 'Tides', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      })
    ).body,
  ).toMatchObject({ uri: '/subjects/1' });
  // Of another run that is at work, and of one that was killed.
  const [others, killed] = [`${file}.part-0123abcd`, `${file}.part-89abcdef`];
  for (const part of [others, killed]) writeFileSync(part, 'half');
  const long = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(killed, long, long);
  // As npm runs it that was called in another folder than that of the package.
  const called = { npm_lifecycle_event: 'backup', INIT_CWD: data.path, MUNIMENT_DATA_DIR: data.path };
  expect(runScript('scripts/backup.ts', basename(file), called)).toMatchObject({
    status: 0,
    output: expect.stringMatching(/\/backup\.gz: \d+ rows of \d+ tables/),
  });
  expect(existsSync(file)).toBe(true);
  expect([existsSync(others), existsSync(killed)]).toEqual([true, false]);
  // The backup found the server of the service and left it running.
  expect((await ask(single, '/subjects/1', session)).status).toBe(200);
});

// Their words are tried without processes in test/integration/store/backup/backup.test.ts and test/integration/cli/database-url.test.ts.
test.runIf(isLong)('no backup is made beside folders or of none, and none restored over records', () => {
  const beside = runScript('scripts/backup.ts', join(data.path, 'no-such-folder', 'backup.gz'), {
    MUNIMENT_DATA_DIR: data.path,
  });
  expect(beside).toMatchObject({ status: 1, output: expect.stringMatching(/^No backup was made: ENOENT.*\n$/) });
  // A wrong name of the data folder makes no database there.
  expect(runScript('scripts/backup.ts', file, { MUNIMENT_DATA_DIR: join(data.path, 'run') })).toMatchObject({
    status: 1,
    output: expect.stringContaining('There is no database in'),
  });
  expect(runScript('scripts/restore.ts', file, { MUNIMENT_DATA_DIR: data.path })).toMatchObject({
    status: 1,
    output: expect.stringContaining('The database is not empty'),
  });
});

test('the backup is restored into an external server', async () => {
  expect(await single.stop()).toBe(0);
  const called = { npm_lifecycle_event: 'restore', INIT_CWD: data.path, DATABASE_URL: external.url };
  expect(runScript('scripts/restore.ts', basename(file), called)).toMatchObject({
    status: 0,
    output: expect.stringContaining('restored'),
  });
});

test('two APIs and two workers start at once and share sessions, records and jobs', async () => {
  const [one, two, ...workers] = await Promise.all(
    ['apps/api/main.ts', 'apps/api/main.ts', 'apps/worker/main.ts', 'apps/worker/main.ts'].map(start),
  );
  if (one === undefined || two === undefined) throw new Error('not started');
  // The session is the one that the single machine gave.
  for (const api of [one, two])
    expect((await ask(api, '/subjects/1', session)).body).toMatchObject({ title: 'Tides', lock_version: 0 });
  const second = await login(two, adminPasswordOf(data.path));
  expect((await ask(one, '/users/current-user', second)).body).toMatchObject({ username: 'admin' });

  const importSubject = async (api: Service, number: number): Promise<void> => {
    const reply = await fetch(`${api.url}/repositories/2/batch_imports`, {
      method: 'POST',
      headers: { 'x-service-session': session },
      body: JSON.stringify([
        {
          jsonmodel_type: 'subject',
          uri: `/subjects/import-${number}`,
          source: 'local',
          vocabulary: '/vocabularies/1',
          terms: [{ term: `Quay ${number}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
        },
      ]),
    });
    expect(await reply.text()).toContain('/subjects/');
  };
  await importSubject(one, 1);
  const done = (worker: Service): number => worker.output().split('"event":"job_completed"').length - 1;
  // Lines of a log come when they come: the reply may be here before.
  await expect.poll(() => workers.map(done).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  // Whichever worker did it goes; the other does the next one.
  const [busy, other] = done(workers[0] ?? one) > 0 ? workers : workers.toReversed();
  await busy?.kill();
  const before = other === undefined ? 0 : done(other);
  await importSubject(two, 2);
  await expect.poll(() => (other === undefined ? 0 : done(other))).toBeGreaterThan(before);
  for (const api of [one, two])
    expect(Object.values((await ask(api, '/subjects?all_ids=true', session)).body).length).toBe(3);
  // A session that ends on one ends on the other.
  expect((await ask(two, '/logout', second, {})).status).toBe(200);
  await expect.poll(async () => (await ask(one, '/users/current-user', second)).status).toBe(412);
});
