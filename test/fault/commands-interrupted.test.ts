// Commands that start the embedded server for their time, and are stopped by Ctrl-C in the middle: each says that nothing came of it, leaves nothing that
// looks done, and no server that runs on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { readPostmaster } from '#store/embedded/postmaster.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { startedDataDir } from '#test/support/first-started.ts';
import { cleanEnvironment, projectRoot } from '#test/support/service.ts';

const data = await startedDataDir();
const backup = join(data.path, 'backup.gz');
beforeAll(async () => {
  const server = await startEmbedded({ dataDir: data.path, log: () => undefined });
  const client = new pg.Client(server.url);
  await client.connect();
  // What no compression makes small, so that a backup takes seconds.
  await client.query(`
    INSERT INTO blob (id, file_name, media_type, size_bytes, complete) VALUES ('6b0b8a0e-0000-4000-8000-000000000001', 'a', 'b', 4, true);
    INSERT INTO blob_chunk SELECT '6b0b8a0e-0000-4000-8000-000000000001', n, (SELECT string_agg(sha512((n * 1000 + i)::text::bytea), '') FROM generate_series(1, 1000) i) FROM generate_series(1, 250) n`);
  await client.end();
  await server.stop();
});
afterAll(async () => data[Symbol.asyncDispose]());

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program, sends it SIGINT as soon as `isUnderWay`, and gives how it ended. */
async function interrupted(
  [program, ...args]: readonly [string, ...string[]],
  dataDir: string,
  isUnderWay: (stderr: string) => boolean,
): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/start.mjs', program, ...args], {
    cwd: projectRoot,
    env: cleanEnvironment({ MUNIMENT_DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await expect.poll(() => isUnderWay(stderr) || child.exitCode !== null, { interval: 20 }).toBe(true);
  child.kill('SIGINT');
  await closed;
  return { code: child.exitCode, stdout, stderr };
}

const isServed = (dataDir: string): boolean => readPostmaster(join(dataDir, 'pg')) !== undefined;
const parts = (): readonly string[] => readdirSync(data.path).filter((name) => name.startsWith('backup.gz'));

test('a backup leaves no part of a file', async () => {
  const isWriting = (): boolean => parts().some((name) => statSync(join(data.path, name)).size > 50_000);
  expect(await interrupted(['scripts/backup.ts', backup], data.path, isWriting)).toEqual({
    code: 130,
    stdout: '',
    stderr: 'No backup was made: interrupted\n',
  });
  expect([parts(), isServed(data.path)]).toEqual([[], false]);
});

test('a check finds nothing', async () => {
  const isLooking = (stderr: string): boolean => stderr.includes('checking: ');
  const run = await interrupted(['apps/cli/main.ts', 'check', '--data'], data.path, isLooking);
  expect([run.code, run.stdout, run.stderr]).toEqual([130, '', expect.stringMatching(/\nInterrupted\.\n$/)]);
  expect(isServed(data.path)).toBe(false);
});

test('a restore leaves a database that can be restored into', async () => {
  const restored = join(data.path, 'restored');
  const never = (): boolean => false;
  expect(await interrupted(['scripts/backup.ts', backup], data.path, never)).toMatchObject({ code: 0 });
  const isThere = (): boolean => existsSync(join(restored, 'pg')) && isServed(restored);
  expect(await interrupted(['scripts/restore.ts', backup], restored, isThere)).toEqual({
    code: 130,
    stdout: '',
    stderr: 'Nothing was restored: interrupted\n',
  });
  expect(isServed(restored)).toBe(false);
  expect(await interrupted(['scripts/restore.ts', backup], restored, never)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('rows of'),
  });
});
