// Two APIs behind a proxy and two workers, each of them restarted again and again while clients read, write and wait for jobs: no request
// fails. FAULT_RESTARTS says how often each is restarted.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { amount, isLong } from '#test/support/long.ts';
import { freePort, isInstalled, proxyNames, startProxy } from '#test/support/proxies.ts';
import { ask, login, startService } from '#test/support/service.ts';
import type { Service } from '#test/support/service.ts';

const restarts = Number(process.env['FAULT_RESTARTS'] ?? 1);
let database: TestDatabase;
const running = new Map<string, Service>();
let variables: { readonly [name: string]: string };
let ports: readonly [number, number];

beforeAll(async () => {
  database = await createDatabase();
  variables = {
    DATABASE_URL: database.url,
    MUNIMENT_ADMIN_PASSWORD: 'admin',
    MUNIMENT_DRAIN_SECONDS: '8',
    LOG_LEVEL: 'warn',
  };
  ports = [await freePort(), await freePort()];
  await Promise.all(programs().map(start));
});
afterAll(async () => {
  await Promise.all([...running.values()].map((service) => service.stop()));
  await database.drop();
});

type Program = { readonly name: string; readonly path: string; readonly port: string };
const programs = (): readonly Program[] => [
  { name: 'API 1', path: 'apps/api/main.ts', port: String(ports[0]) },
  { name: 'API 2', path: 'apps/api/main.ts', port: String(ports[1]) },
  { name: 'worker 1', path: 'apps/worker/main.ts', port: '0' },
  { name: 'worker 2', path: 'apps/worker/main.ts', port: '0' },
];

async function start({ name, path, port }: Program): Promise<void> {
  // The line that says that it is ready is information.
  running.set(name, await startService({ ...variables, LOG_LEVEL: 'info', PORT: port }, path));
}

async function restart(program: Program): Promise<void> {
  const code = await running.get(program.name)?.stop();
  expect(code, program.name).toBe(0);
  await start(program);
}

/** Restarts each program of a sort in turn, of both alike the first alone where the run is not long; another only when the last one is there again. */
async function restartAll(sort: string): Promise<void> {
  const all = programs().filter(({ name }) => name.startsWith(sort));
  for (let round = 0; round < restarts; round += 1)
    for (const program of isLong ? all : all.slice(0, 1)) await restart(program);
}

type Outcome = { sent: number; readonly failures: string[] };

/** Reads, creates and publishes through a proxy until the signal; publishing is done by a worker, and waited for. */
async function load(url: string, session: string, repoId: number, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { sent: 0, failures: [] };
  const proxied = { url };
  let made = 0;
  const create = (): ReturnType<typeof ask> =>
    ask(proxied, `/repositories/${repoId}/resources`, session, {
      id_0: `${url}-${(made += 1)}`,
      title: 'Papers',
      level: 'collection',
      extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
      dates: [{ expression: '1900', date_type: 'single', label: 'creation' }],
      lang_materials: [{ language_and_script: { language: 'eng' } }],
      finding_aid_language: 'eng',
      finding_aid_script: 'Latn',
    });
  const first = await create();
  const uri = String(first.body['uri']);
  const read = { what: 'read', pauseMs: amount(400, 30), step: () => ask(proxied, uri, session) };
  const steps = [
    read,
    read,
    { what: 'create', pauseMs: amount(600, 60), step: create },
    { what: 'publish', pauseMs: amount(1200, 200), step: () => ask(proxied, `${uri}/publish`, session, {}) },
  ];
  await Promise.all(
    steps.map(async ({ what, pauseMs, step }) => {
      while (!signal.aborted) {
        outcome.sent += 1;
        const failure = await step().then(
          ({ status, body }) => (status < 400 ? null : `${status} ${JSON.stringify(body)}`),
          (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error),
        );
        if (failure !== null) outcome.failures.push(`${what}: ${failure}`);
        // Requests are under way at any moment all the same, and the programs have the processor to start with.
        await sleep(pauseMs);
      }
    }),
  );
  return outcome;
}

const installed = proxyNames.filter(isInstalled);
for (const name of proxyNames)
  if (!installed.includes(name)) it.skip(`behind ${name}, which is not installed here`, () => undefined);

it.skipIf(installed.length === 0)(
  `no request fails while APIs and workers are restarted behind ${installed.join(' and ')}`,
  async () => {
    await using proxies = new AsyncDisposableStack();
    const over = new AbortController();
    // All proxies stand before the same APIs, which are restarted once for all of them.
    const loading = await Promise.all(
      installed.map(async (name) => {
        const proxy = proxies.use(await startProxy(name, ports));
        const session = await login(proxy, 'admin');
        const repository = await ask(proxy, '/repositories', session, { repo_code: name, name });
        return { name, done: load(proxy.url, session, Number(repository.body['id']), over.signal) };
      }),
    );
    try {
      await Promise.all([restartAll('API'), restartAll('worker')]);
    } finally {
      over.abort();
    }
    for (const { name, done } of loading) {
      const { sent, failures } = await done;
      process.stdout.write(
        `${name}: ${sent} requests, ${restarts} restarts of each process, ${failures.length} failed\n`,
      );
      expect(failures, name).toEqual([]);
      expect(sent, name).toBeGreaterThan(0);
    }
  },
);
