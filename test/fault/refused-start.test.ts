// Starts that cannot succeed: each ends at once with words for the operator, no stack, no password, and leaves no server running.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { readPostmaster } from '#store/embedded/postmaster.ts';
import { isLong } from '#test/support/long.ts';
import type { Refusal } from '#test/support/service.ts';
import { launch, makeDataDir } from '#test/support/service.ts';

async function refused(program: string, variables: { readonly [name: string]: string }): Promise<Refusal> {
  const result = await launch(program, variables);
  if ('url' in result) {
    await result.stop();
    throw new Error('it started');
  }
  expect(result.output).toContain('Muniment could not start.');
  expect(result.output).not.toMatch(/\n {4}at |"stack"/);
  return result;
}

const data = makeDataDir();
afterAll(() => data[Symbol.asyncDispose]());

test('a port in use is told, another is proposed, and the database that was started for it is stopped', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, output } = await refused('apps/main.ts', { MUNIMENT_DATA_DIR: data.path, PORT: String(port) });
  taken.close();
  expect(code).toBe(1);
  expect(output).toContain(`Another program listens on port ${port} of 127.0.0.1 already`);
  expect(output).toContain(`PORT=${port + 1}`);
  expect(output).toContain('"event":"database_stopped"');
  expect(readPostmaster(join(data.path, 'pg'))).toBeUndefined();
});

test('a name that nothing knows is told by the setting that names it', async () => {
  const settings = { MUNIMENT_DATA_DIR: data.path, HOST: 'nowhere.invalid', PORT: '0' };
  const { code, output } = await refused('apps/main.ts', settings);
  expect(code).toBe(1);
  expect(output).toMatch(/ HOST is nowhere\.invalid, (a name that nothing knows|which is not an address)/);
  const url = inject('clusterUrl');
  const numbers = { MUNIMENT_METRICS_PORT: '9', MUNIMENT_METRICS_HOST: 'nowhere.invalid' };
  const other = await refused('apps/api/main.ts', { DATABASE_URL: url, PORT: '0', ...numbers });
  expect(other.output).toMatch(/ MUNIMENT_METRICS_HOST is nowhere\.invalid, (a name that nothing|which is not)/);
  const direct = { DATABASE_URL: url, DATABASE_DIRECT_URL: 'postgresql://127.0.0.1:9/x' };
  expect((await refused('apps/api/main.ts', direct)).output).toContain('DATABASE_DIRECT_URL names it');
});

test('every fault of the configuration is listed, with an exit code that tells supervisors not to try again', async () => {
  // All of them read it in one place (apps/program.ts).
  for (const program of isLong
    ? ['apps/main.ts', 'apps/api/main.ts', 'apps/worker/main.ts']
    : ['apps/worker/main.ts']) {
    const { code, output } = await refused(program, { PORT: 'abc', MUNIMENT_POOL_SIZE: '1' });
    expect(code).toBe(78);
    expect(output).toContain('PORT: ');
    expect(output).toContain('MUNIMENT_POOL_SIZE: ');
  }
});

test.each([
  [
    'a server that is not there',
    'postgresql://x:secret@127.0.0.1:9/x',
    1,
    'postgresql://x:***@127.0.0.1:9/x does not answer (ECONNREFUSED)',
  ],
  ['a host without address', 'postgresql://x:secret@nowhere.invalid/x', 1, 'is on a host whose name is not known here'],
  ['text that is no URL', 'secret', 78, 'DATABASE_URL: is no URL'],
])('DATABASE_URL of %s is named without its password', async (_what, url, expected, words) => {
  for (const program of isLong ? ['apps/main.ts', 'apps/api/main.ts'] : ['apps/main.ts']) {
    const { code, output } = await refused(program, { DATABASE_URL: url });
    expect(code).toBe(expected);
    expect(output).toContain(words);
    expect(output).not.toContain('secret');
  }
});

test('a database that does not exist is told', async () => {
  const url = new URL(inject('clusterUrl'));
  url.pathname = '/absent';
  expect((await refused('apps/worker/main.ts', { DATABASE_URL: url.href })).output).toContain(
    'does not exist on its server',
  );
});

test('a data folder that cannot be one is told', async () => {
  const file = join(data.path, 'file');
  writeFileSync(file, '');
  const { output } = await refused('apps/main.ts', { MUNIMENT_DATA_DIR: join(file, 'data') });
  expect(output).toContain(`The data folder ${join(file, 'data')} cannot be used`);
  if (process.platform !== 'linux') return;
  const inProc = await refused('apps/main.ts', { MUNIMENT_DATA_DIR: '/proc/muniment/data' });
  expect(inProc.output).toContain('The data folder /proc/muniment/data cannot be used: no folder can be made there');
});
