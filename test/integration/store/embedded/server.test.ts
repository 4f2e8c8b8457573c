// The embedded server over its life: first start, kill -9 of Node, kill -9 of PostgreSQL, stop, as root and as an ordinary user.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '#store/embedded/server.ts';
import { processState, readPostmaster, stopServer } from '#store/embedded/postmaster.ts';
import { testProgram } from '../../../support/test-programs.ts';

const isRoot = process.getuid?.() === 0;
const ordinary = { uid: 65534, gid: 65534 };
/** Killed processes lose nothing without fsync, only a halted machine does; and these tests make a cluster each. */
const small = { shared_buffers: '16MB', fsync: 'off' };

if (!isRoot) console.warn('SKIPPED: not root, so changing the user PostgreSQL runs as cannot be tried.');

let root = '';
let children: ChildProcess[] = [];

/** A data directory that was started and stopped once: making a cluster takes most of what these tests take. */
let used = '';
/** What there was of it at its first start. */
let first: { readonly adopted: boolean; readonly row: unknown; readonly mode: number };
let firstFiles: readonly string[];
beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), 'muniment-embedded-used-'));
  chmodSync(used, 0o755);
  // As a start leaves it that was cut off while it made the cluster.
  mkdirSync(join(used, 'data', 'pg.new-4194304'), { recursive: true });
  const server = await start(join(used, 'data'));
  const [row] = await query(
    server.url,
    `SELECT current_database() AS db, current_setting('server_encoding') AS encoding,
      current_setting('timezone') AS zone, current_setting('listen_addresses') AS addresses, current_setting('max_connections') AS connections,
      (SELECT datlocprovider::text || ' ' || datlocale FROM pg_database WHERE datname = 'muniment') AS locale`,
  );
  first = { adopted: server.adopted, row, mode: statSync(join(used, 'data', 'run')).mode & 0o777 };
  firstFiles = readdirSync(join(used, 'data')).sort();
  await server.stop();
});
afterAll(() => rmSync(used, { recursive: true, force: true }));

/** Puts a copy of it, with its owners, where a test starts the server. */
function usedDataDir(dataDir = join(root, 'data')): string {
  mkdirSync(dirname(dataDir), { recursive: true });
  const copied = spawnSync('cp', ['-a', join(used, 'data'), dataDir], { encoding: 'utf8' });
  expect(copied.stderr).toBe('');
  return dataDir;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muniment-embedded-'));
  chmodSync(root, 0o755);
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  const clusters = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('postmaster.pid'),
  );
  for (const name of clusters) await stopServer(join(root, dirname(name)), 5_000);
  rmSync(root, { recursive: true, force: true });
});

const start = (dataDir: string, events: string[] = [], settings = small) =>
  startEmbedded({ dataDir, log: (event) => events.push(event), settings });

/** Starts the server from another Node, as another user where asked. */
async function startElsewhere(
  dataDir: string,
  user: { uid?: number; gid?: number } = {},
  role = 'service',
): Promise<{ child: ChildProcess; url: string; adopted: boolean; uid: number }> {
  const child = spawn(process.execPath, [testProgram('embedded'), dataDir, role], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('the other process ended without starting the server');
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The processes whose working directory is the cluster: PostgreSQL's and nobody else's. */
function serversIn(clusterDir: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === clusterDir;
    } catch {
      return false;
    }
  });
}

function pidOf(dataDir: string): number {
  return readPostmaster(join(dataDir, 'pg'))?.pid ?? Number.NaN;
}

describe('starting', () => {
  it('makes a cluster that sorts by code point, in UTF-8 and UTC, reachable by socket only', () => {
    expect(first).toEqual({
      row: {
        db: 'muniment',
        encoding: 'UTF8',
        zone: 'UTC',
        addresses: '',
        connections: '200',
        locale: 'b C.UTF-8',
      },
      adopted: false,
      mode: 0o700,
    });
  });

  it('gives a URL that slonik understands too, the server none of our environment, and runs it as another user where Node is root', async () => {
    const { createPool, sql } = await import('slonik');
    const { createPgDriverFactory } = await import('@slonik/pg-driver');
    const { z } = await import('zod');
    process.env['MUNIMENT_SECRET_OF_TEST'] = 'x';
    const server = await start(usedDataDir());
    delete process.env['MUNIMENT_SECRET_OF_TEST'];
    const pool = await createPool(server.url, { driverFactory: createPgDriverFactory() });
    expect(await pool.oneFirst(sql.type(z.object({ db: z.string() }))`SELECT current_database() AS db`)).toBe(
      'muniment',
    );
    await pool.end();
    const pid = pidOf(join(root, 'data'));
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('MUNIMENT_SECRET_OF_TEST');
    if (isRoot) expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    await server.stop();
  });

  it('puts the socket elsewhere where the path of the data directory is too long for one', async () => {
    const dataDir = usedDataDir(join(root, 'a'.repeat(60), 'b'.repeat(60)));
    const server = await start(dataDir);
    const socketDir = readPostmaster(join(dataDir, 'pg'))?.socketDir ?? '';
    expect(socketDir).toContain('muniment-socket-');
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(existsSync(socketDir)).toBe(false);
  });

  it('says what PostgreSQL wrote where PostgreSQL refuses to start', async () => {
    const wrong = startEmbedded({
      dataDir: usedDataDir(),
      log: () => undefined,
      settings: { wal_compression: 'lz4' },
    });
    await expect(wrong).rejects.toThrow(/did not start.*wal_compression/s);
  });

  it('refuses data of another major version and tells how to move it', async () => {
    const dataDir = usedDataDir();
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toThrow(/written by PostgreSQL 17.*export.*import/s);
  });

  it('makes the cluster anew where the first start was cut off in the middle of making it', () => {
    expect(firstFiles).toEqual(['owner.pid', 'pg', 'postgresql.log', 'run']);
  });
});

describe('stopping', () => {
  it('leaves no process, socket or lock file, and all that was written', async () => {
    const dataDir = usedDataDir();
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(serversIn(join(dataDir, 'pg')).length).toBeGreaterThan(3);
    await server.stop();
    await server.stop();
    expect(serversIn(join(dataDir, 'pg'))).toEqual([]);
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
    const second = await start(dataDir);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it('is left to the process that started the server while that one lives', async () => {
    const dataDir = usedDataDir();
    const other = await startElsewhere(dataDir);
    const events: string[] = [];
    const guest = await start(dataDir, events);
    expect(guest.adopted).toBe(true);
    await guest.stop();
    expect(events).toContain('database_left_running');
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await ended(other.child, 'SIGTERM');
    expect(serversIn(join(dataDir, 'pg'))).toEqual([]);
  });

  it("is the service's that began while a command had the server, and that command's no more", async () => {
    const dataDir = usedDataDir();
    const command = await startElsewhere(dataDir, {}, 'command');
    const service = await start(dataDir);
    expect(service.adopted).toBe(true);
    await ended(command.child, 'SIGTERM');
    expect(await query(service.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await service.stop();
    expect(serversIn(join(dataDir, 'pg'))).toEqual([]);
    expect(existsSync(join(dataDir, 'owner.pid'))).toBe(false);
  });
});

describe('after a crash', () => {
  it('adopts the server that a killed Node left, with what it committed, and stops it', async () => {
    const dataDir = usedDataDir();
    const other = await startElsewhere(dataDir);
    await query(other.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = pidOf(dataDir);
    await ended(other.child, 'SIGKILL');
    expect(processState(pid)).toBe('running');
    const next = await start(dataDir);
    expect(next.adopted).toBe(true);
    expect(pidOf(dataDir)).toBe(pid);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
    expect(serversIn(join(dataDir, 'pg'))).toEqual([]);
  });

  it('starts again after PostgreSQL itself was killed, with what was committed', async () => {
    const dataDir = usedDataDir();
    const first = await start(dataDir);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(pidOf(dataDir), 'SIGKILL');
    const next = await start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it('starts again after PostgreSQL and its Node were killed together', async () => {
    const dataDir = usedDataDir();
    const other = await startElsewhere(dataDir);
    const pid = pidOf(dataDir);
    // The postmaster first: it stays a zombie, or nearly one, until whoever inherits it asks for its exit code.
    process.kill(pid, 'SIGKILL');
    await ended(other.child, 'SIGKILL');
    const next = await start(dataDir);
    expect(next.adopted).toBe(false);
    await next.stop();
  });

  it('starts where the lock file names a process that is somebody else by now', async () => {
    const dataDir = usedDataDir();
    const user = statSync(join(dataDir, 'pg'));
    const stranger = spawn('sleep', ['60'], { uid: user.uid, gid: user.gid, cwd: '/' });
    children.push(stranger);
    const lock = join(dataDir, 'pg', 'postmaster.pid');
    writeFileSync(lock, `${stranger.pid}\n${join(dataDir, 'pg')}\n1\n5432\n${join(dataDir, 'run')}\n\n0 0\nready   \n`);
    chownSync(lock, user.uid, user.gid);
    cpSync(lock, join(dataDir, 'run', '.s.PGSQL.5432.lock'));
    chownSync(join(dataDir, 'run', '.s.PGSQL.5432.lock'), user.uid, user.gid);
    const events: string[] = [];
    const server = await start(dataDir, events);
    expect(events).toContain('database_stale_lock_removed');
    expect(processState(stranger.pid ?? 0)).toBe('running');
    await server.stop();
  });

  it('lets two processes that start at the same moment end with one server', async () => {
    const dataDir = usedDataDir();
    const both = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)]);
    expect(both.map((server) => server.adopted).sort()).toEqual([false, true]);
    expect(both[0].url).toBe(both[1].url);
  });
});

describe.skipIf(!isRoot)('users', () => {
  it("runs as root's namesake in a user namespace where the data directory is closed to others", async (context) => {
    if (spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status !== 0) {
      console.warn('SKIPPED: user namespaces are forbidden here, so the road through them cannot be tried.');
      context.skip();
    }
    chmodSync(root, 0o700);
    const events: object[] = [];
    const server = await startEmbedded({
      dataDir: join(root, 'data'),
      log: (event, fields) => events.push({ event, ...fields }),
      settings: small,
    });
    expect(events).toContainEqual(expect.objectContaining({ event: 'database_initialised', road: 'user_namespace' }));
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.stop();
    // Opened to others, the same data goes on under an ordinary user.
    chmodSync(root, 0o755);
    const next = await start(join(root, 'data'));
    expect(statSync(`/proc/${pidOf(join(root, 'data'))}`).uid).not.toBe(0);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
    // And back.
    chmodSync(root, 0o700);
    const last = await start(join(root, 'data'));
    expect(await query(last.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await last.stop();
  });

  it('runs as itself where Node is an ordinary user', async (context) => {
    if (spawnSync(process.execPath, ['--version'], { ...ordinary, cwd: '/' }).status !== 0) {
      console.warn(
        `SKIPPED: uid ${ordinary.uid} cannot reach ${process.execPath}, so an ordinary user cannot be tried.`,
      );
      context.skip();
    }
    const dataDir = join(root, 'data');
    mkdirSync(dataDir);
    chownSync(dataDir, ordinary.uid, ordinary.gid);
    const other = await startElsewhere(dataDir, ordinary);
    expect(other.uid).toBe(ordinary.uid);
    expect(statSync(`/proc/${pidOf(dataDir)}`).uid).toBe(ordinary.uid);
    await ended(other.child, 'SIGKILL');
    const next = await startElsewhere(dataDir, ordinary);
    expect(next.adopted).toBe(true);
    await ended(next.child, 'SIGTERM');
    expect(serversIn(join(dataDir, 'pg'))).toEqual([]);
  });
});
