// The service as an operator starts it: `npm start` without npm, on a free port and a data folder of its own; for tests that stop, kill and
// start it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopServer } from '#store/embedded/postmaster.ts';

/** The root folder of the project. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** A program of the service that runs. `output` is what it and its children wrote so far, standard error too. */
export type Service = AsyncDisposable & {
  readonly url: string;
  readonly pid: number;
  output(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** kill -9, of this process alone. */
  kill(): Promise<void>;
};

/** How a start that was refused ended. */
export type Refusal = { readonly code: number | null; readonly output: string };

/** A data folder that the embedded server's user can reach; dispose to stop what is left of a server there, and remove it. */
export function makeDataDir(): { readonly path: string } & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
  chmodSync(folder, 0o755);
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      await stopServer(join(folder, 'pg'), 10_000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Variables of a run; nothing of MUNIMENT_*, DATABASE_* and PORT in the environment of the tests reaches it. */
export function cleanEnvironment(variables: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    HOST: '127.0.0.1',
    PORT: '0',
    MUNIMENT_ROWS_CHECKED: '1000000000',
    // A thread takes as long to start as all else of a worker, and most tests ask for one thing at a time.
    MUNIMENT_WORKER_THREADS: '1',
    ...variables,
  };
}

/** Runs a program until it says that it is ready, or ends; fails where neither happens in a minute. `root`: of which tree. */
export async function launch(
  program: string,
  variables: { readonly [name: string]: string },
  root = projectRoot,
): Promise<Service | Refusal> {
  const child = spawn(process.execPath, ['scripts/start.mjs', program], {
    cwd: root,
    env: cleanEnvironment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let noticed = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      noticed();
    });
  }
  const closed = once(child, 'close');
  const ready = new Promise<string>((resolve) => {
    noticed = () => {
      const found =
        /^ {2}Address +(http\S+)/m.exec(output) ??
        /"event":"api_ready","url":"([^"]*)"/.exec(output) ??
        /"event":"worker_ready"()/.exec(output);
      if (found !== null && (program !== 'apps/main.ts' || output.includes('worker_ready'))) resolve(found[1] ?? '');
    };
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
  const url = await Promise.race([ready, closed.then(() => null)]);
  clearTimeout(timer);
  // What is written from now on is long, and not looked through at each piece.
  noticed = () => undefined;
  if (url === null) return { code: child.exitCode, output };
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (isOver()) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const stop = async (): Promise<number | null> => {
    if (!isOver()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    stop,
    kill,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Starts a program of the service; fails with what it wrote where it does not come up. */
export async function startService(
  variables: { readonly [name: string]: string },
  program = 'apps/main.ts',
  root = projectRoot,
): Promise<Service> {
  const result = await launch(program, variables, root);
  if (!('url' in result)) throw new Error(`the service did not start (${result.code}): ${result.output}`);
  return result;
}

/** Processes whose parent is `pid`; on Linux alone. None of 0, which stands for a process that is not there: the machine's own first ones have that parent. */
export function childrenOf(pid: number): readonly number[] {
  if (pid <= 0) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((other) => {
      if (!Number.isInteger(other)) return false;
      try {
        const stat = readFileSync(`/proc/${other}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false; // It ended meanwhile.
      }
    });
}

/** Asks the service; `session` goes into its header, a body makes it a POST. The reply's JSON, whatever its status. */
export async function ask(
  service: { readonly url: string },
  path: string,
  session = '',
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(service.url + path, {
    headers: session === '' ? {} : { 'x-service-session': session },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  // Every reply of the service is JSON; tests state what they expect of it.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A session of the administrator, whose password is in the data folder. */
export async function login(service: { readonly url: string }, password: string): Promise<string> {
  const { status, body } = await ask(service, `/users/admin/login?password=${encodeURIComponent(password)}`, '', {});
  if (status !== 200) throw new Error(`login: ${status}`);
  return String(body['session']);
}

/** The generated password of a data folder. */
export function adminPasswordOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'admin-password'), 'utf8').trim();
}
