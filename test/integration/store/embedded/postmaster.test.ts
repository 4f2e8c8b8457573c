// What the process table says of a process: one that has ended and was not asked for its exit code is dead, whatever its name is.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { isServerOf, processBirth, processState } from '#store/embedded/postmaster.ts';

const started: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

/** Starts a program that stays, and gives what it writes first. */
async function firstWords(program: string, args: readonly string[]): Promise<{ pid: number; words: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push({ child, ended: once(child, 'exit') });
  const [words] = await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, words: String(words).trim() };
}

describe.runIf(process.platform === 'linux')('a process', () => {
  it('is a zombie where it has ended and its parent does not ask, and no server then', async () => {
    const { pid, words } = await firstWords('sh', ['-c', 'sleep 3600 & echo $!; exec sleep 3600']);
    // A shell would ask, what it becomes does not.
    await expect.poll(() => readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(Number(words), 'SIGKILL');
    await expect.poll(() => processState(Number(words))).toBe('zombie');
    expect(isServerOf(Number(words), '/anywhere')).toBe(false);
  });

  it('runs under any name, and is gone when it was asked for', async () => {
    const title = `x) Z 1 (y`;
    const { pid } = await firstWords(process.execPath, [
      '-e',
      `process.title = ${JSON.stringify(title)}; console.log('named'); setInterval(() => undefined, 60_000)`,
    ]);
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(`(${title})`);
    expect(processState(pid)).toBe('running');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => processState(pid)).toBe('gone');
    expect(processBirth(pid)).toBe('');
  });

  it('is told from a later one by its birth, which stays the same', async () => {
    const birth = processBirth(process.pid);
    const { pid } = await firstWords('sh', ['-c', 'echo; exec sleep 3600']);
    expect(Number(processBirth(pid))).toBeGreaterThan(Number(birth));
    expect(processBirth(process.pid)).toBe(birth);
  });
});
