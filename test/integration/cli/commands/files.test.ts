// `muniment files`, and what doctor, check, backup and restore say of files that are outside of the database.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBlob } from '#store/files/blobs.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { holding } from '#test/support/held-table.ts';
import { withoutTemplate } from '#test/support/database.ts';
import { isLong } from '#test/support/long.ts';
import type { S3Server } from '#test/support/s3-server.ts';
import { startS3 } from '#test/support/s3-server.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let s3: S3Server;
let api: TestApi;
const files = filesForTests();
const run = (args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<Run> =>
  runCli(args, {
    cwd: files.folder,
    env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, DATABASE_URL: api.databaseUrl, ...env },
  });
beforeAll(async () => {
  s3 = await startS3();
  api = await startTestApi({ worker: 'jobs', environment: { ...s3.environment(), MUNIMENT_FILES_NEW: 'database' } });
  await writeBlob(api.database, [Buffer.alloc(1000)]);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});

it('tells where files are, and moves them', async () => {
  expect((await run(['files'])).stdout).toMatch(
    /PLACE +FILES +SIZE\ndatabase +1 +1\.0 kB\nNew files go into the database\.\n$/,
  );
  expect(await run(['files', 'move', '--to', 's3'])).toEqual({
    code: 0,
    stdout: 'The files are moved.\n',
    stderr: expect.stringMatching(/^ {2}(Waiting for the worker|Moving files)\n/),
  });
  expect((await run(['files'])).stdout).toMatch(/s3:\/\/archive\/muniment +1 /);
});

it('are moved by a job that is waited for or not, and tells where it does not come to its end', async () => {
  // Whoever holds the table of files holds up the job, too.
  const { moving, job } = await holding(api.database, { table: 'blob', against: 'writers' }, async (isMet) => {
    const asked = run(['files', 'move', '--to', 'database', '--json']);
    await isMet();
    const [id]: readonly number[] = (await api.get('/jobs?all_ids=true')).json.toReversed();
    expect(await run(['jobs', '--cancel', `/jobs/${id}`])).toMatchObject({ code: 0 });
    return { moving: asked, job: `/jobs/${id}` };
  });
  const canceled = await moving;
  const errors = ['1 files, 1000 bytes, to the database', 'The job was canceled'];
  expect([canceled.code, JSON.parse(canceled.stdout)]).toEqual([
    1,
    {
      error: ['Not all files were moved: canceled.', ...errors].join('\n  '),
      details: { job, errors },
    },
  ]);
  const begun = await run(['files', 'move', '--to', 's3', '--no-wait', '--json']);
  const told = JSON.parse(begun.stdout);
  expect([begun.code, begun.stderr, told]).toEqual([0, '', { job: expect.any(Number), done: false }]);
  expect(await run(['jobs', '--follow', `/jobs/${told.job}`])).toMatchObject({ code: 0 });
});

it('the doctor and the check tell of them, with the storage and without', async () => {
  const doctor = async (env: { readonly [name: string]: string }): Promise<string> =>
    (await run(['doctor'], env)).stdout;
  const told = await doctor(s3.environment());
  expect(told).toMatch(/Files: 1 in s3:\/\/archive\/muniment/);
  expect(told).not.toContain('cannot be used');
  expect(await doctor({ ...s3.environment(), MUNIMENT_FILES_SECRET_ACCESS_KEY: 'x' })).toContain(
    'MUNIMENT_FILES_SECRET_ACCESS_KEY is not the secret',
  );
  expect(await run(['check', '--data', '--read-files'], s3.environment())).toMatchObject({ code: 0 });
  expect(await run(['check', '--data'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 files outside of the database'),
  });
});

it('the check tells of the database where the storage does not answer', async () => {
  await api.database.transaction((tx) =>
    tx.run(
      sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id) VALUES ('accession', 99999, 0, 'subjects', 'subject', 99999, 2)`,
    ),
  );
  await s3.kill();
  const away = await run(['check', '--data'], s3.environment());
  await s3.start();
  await api.database.transaction((tx) => tx.run(sql`DELETE FROM link WHERE source_id = 99999`));
  expect(away).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/1 links from records[^]*1 storages of files that do/),
  });
  expect(away.stdout).toContain('nobody answers at the endpoint of MUNIMENT_FILES_URL');
});

// Backups and restores have tests of their own; that a check names missing objects is in the tests of the job that moves files.
it.runIf(isLong)(
  'a backup says which files it does not have; a restored database finds them, or the check names them',
  async () => {
    const backup = join(files.folder, 'backup.gz');
    await using target = await withoutTemplate();
    const script = async (name: string, url: string): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, [`scripts/${name}.ts`, backup], {
          env: { ...process.env, DATABASE_URL: url, ...s3.environment() },
        })
      ).stdout;
    const says = 'Not in it: 1 files (1000 bytes) in s3://archive/muniment.';
    expect(await script('backup', api.databaseUrl)).toContain(says);
    // This object is of a later time.
    await api.database.settings.files?.put('files/later', one());
    expect(await script('restore', target.url)).toContain(says);
    const checked = await run(['check', '--data', '--database', target.url, '--json'], s3.environment());
    expect([checked.code, JSON.parse(checked.stdout)]).toEqual([0, { ok: true, unknown_objects: 1, violations: [] }]);
    for (const { path } of await s3.objects()) await rm(path);
    expect(await run(['check', '--data', '--database', target.url], s3.environment())).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 files whose object is not in the storage'),
    });
  },
);

async function* one(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('later');
}
