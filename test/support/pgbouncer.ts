// A real PgBouncer before the server of the tests, with the settings that docs/operations.md gives. PGBOUNCER names the program where it is not on PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './proxies.ts';

const environment = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

/** The version of the program as a number, 1.24 as 124; null where there is none (Debian: apt-get install pgbouncer). */
export function pgbouncerVersion(): number | null {
  const { stdout, error } = spawnSync(program, ['--version'], { env: environment, encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(error === undefined ? stdout : '') ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}

/** Starts one before the database of `url`, a Unix socket's; dispose to end it. `connections`: at most so many to the server. */
export async function startPgbouncer(
  url: string,
  mode: 'session' | 'transaction',
  connections: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = new URL(url);
  const socketFolder = decodeURIComponent(server.hostname);
  const folder = mkdtempSync(join(tmpdir(), 'muniment-pgbouncer-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${socketFolder} port=${server.port === '' ? 5432 : server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${connections}`,
    'max_client_conn = 200',
    'ignore_startup_parameters = options',
    ...(mode === 'transaction' ? ['max_prepared_statements = 200'] : []),
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings.join('\n'));
  chmodSync(folder, 0o755);
  // It refuses to be root, and must reach the server's socket: it runs as the server does.
  const { uid, gid } = statSync(socketFolder);
  const child = spawn(program, [file], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.geteuid?.() === 0 ? { uid, gid } : {}),
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    await sleep(20);
  }
  return {
    url: `postgresql://${server.username}@127.0.0.1:${port}${server.pathname}`,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
