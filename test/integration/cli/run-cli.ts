// Runs the command line and gives what it wrote.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { runProgram } from '../../../apps/cli/program.ts';

/** What a run left. */
export type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** How to run: variables on top of a clean environment, text for standard input, and a look at the process while it runs. */
export type RunOptions = {
  readonly env?: { readonly [name: string]: string };
  readonly input?: string;
  readonly cwd?: string;
  /** What Ctrl-C would abort, for runs in this process. */
  readonly signal?: AbortSignal;
  /** Where a process writes in place of what the run gives: a file of the system. */
  readonly stdoutInto?: string;
  readonly onStderr?: (text: string, child: ChildProcess) => void;
};

const main = fileURLToPath(new URL('../../../apps/cli/main.ts', import.meta.url));
const start = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/**
 * Runs `muniment …args` in this process, as main.ts would: starting one of its own takes longer than nearly all that commands do. A run that is looked
 * at (`onStderr`) may be killed, so it has a process. Nothing of MUNIMENT_* in the environment of the tests reaches it.
 */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  if (options.onStderr !== undefined) return runCliProcess(args, options);
  const { env = {}, input = '', cwd = process.cwd(), signal = new AbortController().signal } = options;
  const [stdout, stderr] = [collected(), collected()];
  let code = 0;
  await runProgram(args, {
    streams: { stdout: stdout.stream, stderr: stderr.stream },
    stdin: Readable.from([input]) as NodeJS.ReadStream,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd,
    signal,
    end: (exitCode) => {
      code = exitCode;
    },
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A stream as a process has it whose output goes to a file, and what was written to it. */
function collected(): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream: stream as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/** Runs `muniment …args` as people do, as a process of its own. */
export async function runCliProcess(
  args: readonly string[],
  { env = {}, input = '', cwd, stdoutInto, onStderr }: RunOptions = {},
): Promise<Run> {
  const into = stdoutInto === undefined ? 'pipe' : openSync(stdoutInto, 'w');
  const child = spawn(process.execPath, [start, main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      ...env,
    },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', into, 'pipe'],
  });
  if (typeof into === 'number') closeSync(into);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onStderr?.(stderr, child);
  });
  child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}

/** A folder for the files of a test file, removed after it; `put` writes one and gives its path. */
export function filesForTests(): { readonly folder: string; put(name: string, text: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    put: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
  };
}
