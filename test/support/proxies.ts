// Real reverse proxies before two servers, with the settings that docs/operations.md gives.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from './service.ts';

/** The proxies that there are settings for. */
export const proxyNames = ['haproxy', 'nginx'] as const;

/** One of them. */
export type ProxyName = (typeof proxyNames)[number];

/** Whether the program is there (Debian: apt-get install haproxy nginx-light). */
export const isInstalled = (name: ProxyName): boolean =>
  spawnSync(name, ['-v'], { env: environment, stdio: 'ignore' }).error === undefined;

// Debian keeps them where only administrators look.
const environment = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** The settings of a proxy as the documentation has them: the indented text after a line of its own that names it. */
function documented(name: ProxyName): string {
  const text = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
  const found = new RegExp(`^For ${name}:\\n\\n((?:(?: {4}.*)?\\n)+)`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/operations.md has no settings for ${name}`);
  return found.replaceAll(/^ {4}/gm, '');
}

/** Starts a proxy before two servers on this machine; dispose to end it. */
export async function startProxy(
  name: ProxyName,
  [first, second]: readonly [number, number],
): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-proxy-'));
  const port = await freePort();
  // The documented settings, but for the addresses, and with what a program needs that does not run as the system's.
  const settings = documented(name)
    .replaceAll('127.0.0.1:8089', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:8090', `127.0.0.1:${second}`)
    .replace(/(bind|listen) [^;\n]*/, `$1 127.0.0.1:${port}`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const file = join(folder, 'settings');
  writeFileSync(
    file,
    name === 'haproxy'
      ? settings
      : `daemon off; pid ${folder}/pid; error_log ${folder}/log; worker_processes 2;\nevents {}\nhttp { access_log off; ${places.join(' ')}\n${settings}}\n`,
  );
  const child = spawn(name, name === 'haproxy' ? ['-db', '-q', '-f', file] : ['-e', `${folder}/log`, '-c', file], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const status = await fetch(`${url}/health/live`).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200) break;
    await sleep(50);
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
