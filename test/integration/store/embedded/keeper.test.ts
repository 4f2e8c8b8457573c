// The embedded server is started again where it dies, and only there: neither where it runs nor by a stop.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { KeptServer } from '#store/embedded/keeper.ts';
import { keepEmbedded } from '#store/embedded/keeper.ts';
import { readPostmaster, stopServer } from '#store/embedded/postmaster.ts';
import { runSql } from '#test/support/run-sql.ts';

let used = '';
let root = '';
let dataDir = '';
let events: string[] = [];

/** A data folder that was started and stopped once, of which each test has a copy: making a cluster takes most of what these tests take. */
beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), 'muniment-kept-used-'));
  chmodSync(used, 0o755);
  dataDir = join(used, 'data');
  await (await keep())[Symbol.asyncDispose]();
});
afterAll(() => rmSync(used, { recursive: true, force: true }));

/** Puts a copy of it, with its owners, where a test starts the server. */
function usedDataDir(copy: string): string {
  mkdirSync(dirname(copy), { recursive: true });
  const copied = spawnSync('cp', ['-a', join(used, 'data'), copy], { encoding: 'utf8' });
  expect(copied.stderr).toBe('');
  return copy;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muniment-kept-'));
  chmodSync(root, 0o755); // Where we are root, the server is another user and must get in.
  dataDir = usedDataDir(join(root, 'data'));
  events = [];
});
afterEach(async () => {
  await stopServer(clusterDir(), 5_000);
  rmSync(root, { recursive: true, force: true });
});

const clusterDir = (): string => join(dataDir, 'pg');
const keep = (): Promise<KeptServer> =>
  keepEmbedded({
    dataDir,
    log: (event) => void events.push(event),
    settings: { shared_buffers: '16MB', fsync: 'off' },
  });
const kill = (): boolean => process.kill(readPostmaster(clusterDir())?.pid ?? Number.NaN, 'SIGKILL');
const times = (event: string): number => events.filter((logged) => logged === event).length;

it('starts a server that was killed again, at the same address, and leaves one alone that runs', async () => {
  const server = await keep();
  kill();
  await expect.poll(() => events).toContain('database_restarted');
  await runSql(server.url, 'SELECT');
  // Longer than it takes between two looks.
  await sleep(1500);
  kill();
  await expect.poll(() => times('database_restarted')).toBe(2);
  await server[Symbol.asyncDispose]();
  expect([times('database_died'), times('database_started'), times('database_adopted')]).toEqual([2, 3, 0]);
  expect(events.at(-1)).toBe('database_stopped');
});

it('tries again until the server starts', async () => {
  const server = await keep();
  const version = join(clusterDir(), 'PG_VERSION');
  writeFileSync(version, '17\n');
  kill();
  await expect.poll(() => events).toContain('database_restart_failed');
  writeFileSync(version, '18\n');
  await expect.poll(() => events).toContain('database_restarted');
  await runSql(server.url, 'SELECT');
  await server[Symbol.asyncDispose]();
});

it('is stopped while it cannot start the server, and does not try once more', async () => {
  const server = await keep();
  writeFileSync(join(clusterDir(), 'PG_VERSION'), '17\n');
  kill();
  await expect.poll(() => events).toContain('database_restart_failed');
  events = [];
  await server[Symbol.asyncDispose]();
  expect(events).toEqual(['database_stopped']);
});

it('says that it has moved where the path is too long for a socket, and stops it there', async () => {
  dataDir = usedDataDir(join(root, 'a'.repeat(60), 'b'.repeat(60)));
  const socketDir = (): string => readPostmaster(clusterDir())?.socketDir ?? '';
  const server = await keep();
  const before = socketDir();
  kill();
  await expect.poll(() => events).toContain('database_moved');
  const after = socketDir();
  expect(after).not.toBe(before);
  await server[Symbol.asyncDispose]();
  expect(existsSync(after)).toBe(false);
  // What was killed leaves its own.
  rmSync(before, { recursive: true });
});
