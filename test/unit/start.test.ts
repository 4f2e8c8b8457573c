// scripts/start.mjs, called from the Node we run on and from an older one where the machine has one.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** The first Node of PATH that is older than 24 and not older than 18. */
function findOlderNode(): string | undefined {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path));
  return candidates.find((path) => {
    const major = Number(/^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);
    return major >= 18 && major < 24;
  });
}

const olderNode = findOlderNode();
if (olderNode === undefined)
  console.warn('SKIPPED: no Node 18 to 23 on PATH, so starting from an older Node cannot be tried.');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muniment-start-'));
  writeFileSync(
    join(folder, 'tell.ts'),
    `const told: object = { version: process.versions.node, args: process.argv.slice(2), isMain: import.meta.main };
    console.log(JSON.stringify(told)); process.exitCode = 7;`,
  );
  writeFileSync(
    join(folder, 'wait.ts'),
    `process.once('SIGTERM', () => { console.log('asked to stop'); process.exit(3); });
    setInterval(() => undefined, 1000); console.log('waiting');`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nodes = [
  { label: 'Node 24', node: process.execPath },
  ...(olderNode === undefined ? [] : [{ label: 'an older Node', node: olderNode }]),
];

describe.each(nodes)('start from $label', ({ node }) => {
  it('runs TypeScript under Node 24 with its arguments and keeps the exit code', () => {
    const run = spawnSync(node, [start, join(folder, 'tell.ts'), '--port', 'x y'], { encoding: 'utf8' });
    expect(JSON.parse(run.stdout)).toEqual({
      version: expect.stringMatching(/^2[4-9]\./),
      args: ['--port', 'x y'],
      isMain: true,
    });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(7);
  });

  it('passes SIGTERM on and ends with the exit code of the program', async () => {
    const { output, code, signal } = await runAndKill(node, 'SIGTERM');
    expect({ output, code, signal }).toEqual({ output: ['waiting', 'asked to stop'], code: 3, signal: null });
  });

  it('ends by the signal that ended the program', async () => {
    const { code, signal } = await runAndKill(node, 'SIGHUP');
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGHUP' });
  });
});

describe('start', () => {
  it.skipIf(olderNode === undefined)('names the repair where Node 24 is not installed', () => {
    mkdirSync(join(folder, 'bare', 'scripts'), { recursive: true });
    for (const name of ['start.mjs', 'bundled.mjs'])
      cpSync(join(dirname(start), name), join(folder, 'bare', 'scripts', name));
    const run = spawnSync(olderNode ?? '', [join(folder, 'bare', 'scripts', 'start.mjs'), 'x.ts'], {
      encoding: 'utf8',
    });
    expect(run.stderr).toContain('npm rebuild node');
    expect(run.status).toBe(1);
  });
});

async function runAndKill(
  node: string,
  kill: NodeJS.Signals,
): Promise<{ output: string[]; code: number | null; signal: string | null }> {
  const child = spawn(node, [start, join(folder, 'wait.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    output.push(line);
    if (line === 'waiting') child.kill(kill);
  }
  return { output, ...(await exit) };
}
