// Starts that cannot succeed: each ends at once with words for the operator, no stack, no password, and leaves no server running.
// One of each sort is a process: the others go through what the programs do in the test's own, where a start costs a tenth; in a long run all are both.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readPostmaster } from '#store/embedded/postmaster.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { startedDataDir } from '#test/support/first-started.ts';
import { isLong } from '#test/support/long.ts';
import { freePort } from '#test/support/proxies.ts';
import type { Refusal } from '#test/support/service.ts';
import { cleanEnvironment, launch } from '#test/support/service.ts';
import { startApi } from '../../apps/api/start.ts';
import { openForService } from '../../apps/open.ts';
import { readServiceConfig } from '../../apps/service-config.ts';
import { explainStartFailure } from '../../apps/start-failure.ts';

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

/** What the operator is told of a start in this process, as apps/program.ts has it: of the settings, or of what was opened with them. */
async function told(variables: { readonly [name: string]: string }): Promise<string | null> {
  const config = readServiceConfig(cleanEnvironment(variables));
  const log = pino({ level: 'silent' });
  try {
    await using store = await openForService(config, log, 'api');
    await using _api = await startApi({ ...store, config, log });
  } catch (error) {
    return explainStartFailure(error, config);
  }
  throw new Error('it started');
}

const data = await startedDataDir();
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await database.drop();
  await data[Symbol.asyncDispose]();
});

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
  const numbers = { MUNIMENT_METRICS_PORT: '9', MUNIMENT_METRICS_HOST: 'nowhere.invalid' };
  const cases: readonly (readonly [{ readonly [name: string]: string }, RegExp])[] = [
    [{ HOST: 'nowhere.invalid' }, /(^| )HOST is nowhere\.invalid, (a name that nothing knows|which is not an address)/],
    [numbers, /(^| )MUNIMENT_METRICS_HOST is nowhere\.invalid, (a name that nothing|which is not)/],
    [{ DATABASE_DIRECT_URL: 'postgresql://127.0.0.1:9/x' }, /DATABASE_DIRECT_URL names it/],
  ];
  for (const [more, words] of cases) {
    const settings = { DATABASE_URL: database.url, MUNIMENT_DATA_DIR: data.path, ...more };
    expect(await told(settings)).toMatch(words);
    if (isLong) expect((await refused('apps/api/main.ts', settings)).output).toMatch(words);
  }
});

test('a name that nothing knows is not told as that of the port for numbers where there is none', async () => {
  const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', hostname: 'nowhere.invalid' });
  const told = (port: number): string | null =>
    explainStartFailure(
      unknown,
      readServiceConfig({
        DATABASE_URL: 'postgresql://nowhere.invalid/x',
        MUNIMENT_METRICS_HOST: 'nowhere.invalid',
        MUNIMENT_METRICS_PORT: String(port),
      }),
    );
  expect([told(0), told(1)]).toEqual([
    expect.stringContaining('The database postgresql://nowhere.invalid/x is on a host'),
    expect.stringContaining('MUNIMENT_METRICS_HOST is nowhere.invalid, a name that nothing knows'),
  ]);
});

test('a port that is given twice is told as that, and not as somebody else who has it', async () => {
  const port = String(await freePort());
  const words = `PORT and MUNIMENT_METRICS_PORT are both ${port}, and each needs one of its own`;
  const settings = { DATABASE_URL: database.url, HOST: '127.0.0.1', MUNIMENT_METRICS_HOST: '127.0.0.1' };
  expect(await told({ ...settings, PORT: port, MUNIMENT_METRICS_PORT: port })).toContain(words);
});

test('the port of the worker of npm start is told as the one after the setting, whoever has it', async () => {
  const port = await freePort();
  const settings = { DATABASE_URL: database.url, MUNIMENT_METRICS_HOST: '127.0.0.1' };
  const { code, output } = await refused('apps/main.ts', {
    ...settings,
    PORT: String(port),
    MUNIMENT_METRICS_PORT: String(port - 1),
  });
  expect([code, output]).toEqual([1, expect.stringContaining(`MUNIMENT_METRICS_PORT (${port - 1}), which is ${port}`)]);
  expect(output).toContain(`MUNIMENT_METRICS_PORT=${port + 1}.`);
  expect(output).not.toContain('Muniment is ready');
  // Of addresses of which one holds the other nothing is known before the worker asks for its port, as where another program has it.
  const busy = Object.assign(new Error('listen'), { code: 'EADDRINUSE', port });
  const worker = (PORT: number): string | null =>
    explainStartFailure(
      busy,
      readServiceConfig({ ...settings, HOST: '0.0.0.0', PORT: String(PORT), MUNIMENT_METRICS_PORT: String(port) }),
      'worker of npm start',
    );
  expect(worker(port)).toContain(`MUNIMENT_METRICS_PORT (${port - 1}), which is ${port} and PORT`);
  expect(worker(port + 5)).toContain(
    `Another program listens on port ${port} of 127.0.0.1 already, at which the worker of npm start`,
  );
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

test('the URL of a server that is not there is named without its password', async () => {
  for (const program of isLong ? ['apps/main.ts', 'apps/api/main.ts'] : ['apps/main.ts']) {
    const { code, output } = await refused(program, { DATABASE_URL: 'postgresql://x:secret@127.0.0.1:9/x' });
    expect(code).toBe(1);
    expect(output).toContain('postgresql://x:***@127.0.0.1:9/x does not answer (ECONNREFUSED)');
    expect(output).not.toContain('secret');
  }
});

test('a host without address, and text that is no URL, are told without the password', async () => {
  const [host, none] = ['postgresql://x:secret@nowhere.invalid/x', 'secret'];
  const words = 'The database postgresql://x:***@nowhere.invalid/x is on a host whose name is not known here';
  expect(await told({ DATABASE_URL: host })).toContain(words);
  const wrong = await told({ DATABASE_URL: none }).catch((error: unknown) => String(error));
  expect(wrong).toContain('DATABASE_URL: is no URL');
  expect(wrong).not.toContain('secret');
  if (!isLong) return;
  for (const [url, expected, text] of [
    [host, 1, words],
    [none, 78, 'DATABASE_URL: is no URL'],
  ] as const) {
    const { code, output } = await refused('apps/main.ts', { DATABASE_URL: url });
    expect([code, output]).toEqual([expected, expect.stringContaining(text)]);
    expect(output).not.toContain('secret');
  }
});

test('a database that does not exist is told', async () => {
  const url = new URL(inject('clusterUrl'));
  url.pathname = '/absent';
  expect(await told({ DATABASE_URL: url.href })).toContain('does not exist on its server');
  if (isLong)
    expect((await refused('apps/worker/main.ts', { DATABASE_URL: url.href })).output).toContain(
      'does not exist on its',
    );
});

test('a data folder that cannot be one is told', async () => {
  const file = join(data.path, 'file');
  writeFileSync(file, '');
  const cases = [[join(file, 'data'), 'something that is not a folder is in its place']];
  if (process.platform === 'linux') cases.push(['/proc/muniment/data', 'no folder can be made there']);
  for (const [folder = '', fault = ''] of cases) {
    const words = `The data folder ${folder} cannot be used: ${fault}`;
    expect(await told({ MUNIMENT_DATA_DIR: folder })).toContain(words);
    if (isLong) expect((await refused('apps/main.ts', { MUNIMENT_DATA_DIR: folder })).output).toContain(words);
  }
});
