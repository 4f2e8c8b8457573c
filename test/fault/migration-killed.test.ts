// A move from a service of the earlier release that fails at everything now and then, and goes away altogether, by a worker that is killed again and
// again, while somebody works in the source: what arrives is what the source has, which `verify` proves. TEST_SEED repeats a run; TEST_KILLS says how often
// the worker is killed while it reads.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { runCli } from '#test/integration/cli/run-cli.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';
import { amount } from '#test/support/long.ts';
import { patience } from '#test/support/patience.ts';
import { seededRandom } from '#test/support/random.ts';
import type { ImportWorker } from '#test/support/import-worker.ts';
import { spawnImportWorker } from '#test/support/import-worker.ts';
import { endOfGlobalJob } from '#test/support/loads.ts';
import { resourceBody } from '#test/support/records.ts';
import { fillWithStates } from '#test/support/make/records-in-states.ts';

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
const mostKills = Number(process.env['TEST_KILLS'] ?? 1);
const random = seededRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'muniment-migration-'));
const opened = new AsyncDisposableStack();
afterAll(async () => {
  await opened.disposeAsync();
  rmSync(folder, { recursive: true });
});

/** What stands before the source: it passes requests on, or does not. `passed` counts; `isAway` is the source switched off. */
type Trouble = AsyncDisposable & { readonly url: string; passed: number; isAway: boolean; isQuiet: boolean };

async function openTrouble(source: string): Promise<Trouble> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = request.method === 'POST' ? Buffer.concat(await Array.fromAsync(request)) : undefined;
    const headers = new Headers();
    for (const name of ['content-type', 'x-archivesspace-session', 'x-service-session'])
      if (typeof request.headers[name] === 'string') headers.set(name, request.headers[name]);
    const reply = await fetch(`${source}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    // Half of it, and the connection is gone.
    if (!trouble.isQuiet && random() < 0.03) {
      response.write(text.subarray(0, text.length / 2));
      await sleep(5);
      response.destroy();
    } else response.end(text);
  };
  const server = createServer((request, response) => {
    trouble.passed += 1;
    if (trouble.isAway) return void request.socket.destroy();
    const chance = trouble.isQuiet ? 1 : random();
    if (chance < 0.04) return void response.writeHead(429, { 'retry-after': '0' }).end('{"error":"later"}');
    if (chance < 0.06) return void response.writeHead(500).end('<h1>Sorry</h1>');
    if (chance < 0.08) return void request.socket.destroy();
    void sleep(chance < 0.15 ? 60 : 0).then(() => pass(request, response).catch(() => response.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const trouble: Trouble = {
    // A server of TCP has an address of this shape.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: 0,
    isAway: false,
    isQuiet: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return trouble;
}

/** A service, and how its worker is started: a process of its own, which can be killed. */
type Working = { readonly api: TestApi; readonly startWorker: () => Promise<ImportWorker> };

/** Kills the worker of a job after some requests each time, and the source between, until the job has ended; gives its status. */
async function killUntilEnded(
  { api, startWorker }: Working,
  job: string,
  trouble: Trouble,
): Promise<{ status: string; kills: number }> {
  for (let kills = 0; ; kills++) {
    const worker = await startWorker();
    const until = trouble.passed + 20 + Math.floor(random() * 90);
    const pause = patience();
    for (;;) {
      const { status } = ok(await api.get(job));
      if (status !== 'queued' && status !== 'running') {
        await worker.stop();
        return { status, kills };
      }
      if (trouble.passed >= until && kills < mostKills) break;
      await pause();
    }
    trouble.isAway = random() < 0.5;
    worker.process.kill('SIGKILL');
    await once(worker.process, 'exit');
    void sleep(300).then(() => (trouble.isAway = false));
  }
}

it('arrives whole from a source that fails and goes away, by a worker that is killed', async () => {
  const source = opened.use(await startTestApi({ environment: { MUNIMENT_RELEASE: 'R-A' } }));
  const repository = await fillWithStates(source);
  const trouble = opened.use(await openTrouble(source.url));
  const environment = { MUNIMENT_MIGRATION_SOURCES: trouble.url, MUNIMENT_MIGRATION_FOLDER: folder };
  const target = opened.use(await startTestApi({ worker: false, environment }));
  const startWorker = (): Promise<ImportWorker> => spawnImportWorker(target.databaseUrl, 1, { environment });
  const asked = { source: trouble.url, username: 'admin', password: adminPassword, requests_a_second: 500 };
  const begin = async (): Promise<string> => {
    for (;;) {
      const reply = await target.post('/system/migrations', asked);
      // The login may meet trouble too, which is told to whoever asks.
      if (reply.status === 202) return reply.json.uri;
      expect([reply.status, Object.keys(reply.json.error)], reply.text).toEqual([400, ['source']]);
    }
  };
  const told: string[] = [];
  const isWorking = { now: true };
  const working = workIn(source, repository, isWorking);
  // Its failure is met below; until then it is no unhandled one.
  working.catch(() => undefined);
  const first = await begin();
  const { status, kills } = await killUntilEnded({ api: target, startWorker }, first, trouble);
  isWorking.now = false;
  const changes = await working;
  told.push(`seed ${seed}: ${kills} kills, ${trouble.passed} requests, ${changes} changes meanwhile`);
  expect(status, `${told.join('\n')}\n${(await target.get(`${first}/log`)).text}`).toBe('completed');
  const worker = await loaded({ api: target, startWorker }, first);
  // What the source had to refuse or hid in trouble is read again, with what has changed.
  trouble.isQuiet = true;
  const last = await begin();
  expect((await endOfGlobalJob(target, last)).status, told.join('\n')).toBe('completed');
  const { result } = ok(await target.get(last));
  if (result.load !== null) expect((await endOfGlobalJob(target, result.load)).status).toBe('completed');
  await worker.stop();
  // With a worker that makes the index, for searches are compared too.
  const serving = opened.use(await startTestApi({ url: target.databaseUrl }));
  const env = { MUNIMENT_URL: serving.url, MUNIMENT_PASSWORD: adminPassword, MUNIMENT_SOURCE_PASSWORD: adminPassword };
  const proof = await runCli(['verify', '--against', source.url, '--requests-a-second', '1000'], {
    env,
  });
  expect([proof.code, proof.stdout], `${told.join('\n')}\n${proof.stdout}${proof.stderr}`).toEqual([
    0,
    expect.stringContaining('Everything is the same.'),
  ]);
  expect((await checkDatabase(target.database)).filter(({ count }) => count > 0)).toEqual([]);
});

/** Follows the load of a migration to its end, with its worker killed once on the way; gives the one that has done it. */
async function loaded({ api, startWorker }: Working, migration: string): Promise<ImportWorker> {
  const { load } = ok(await api.get(migration)).result;
  const first = await startWorker();
  const pause = patience();
  while (ok(await api.get(load)).status === 'queued') await pause();
  await sleep(random() * 200);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const second = await startWorker();
  const { status, log } = await endOfGlobalJob(api, load);
  expect(status, log).toBe('completed');
  return second;
}

/** Somebody works in the source meanwhile: changes, adds, moves and deletes components. Gives how many changes there were. */
async function workIn(source: TestApi, repository: string, isWorking: { now: boolean }): Promise<number> {
  const resource = await source.create(`${repository}/resources`, resourceBody('WORK'));
  const nodes: string[] = [];
  let changes = 0;
  for (; isWorking.now; changes++) {
    const chosen = nodes[Math.floor(random() * nodes.length)];
    const what = random();
    if (chosen === undefined || what < 0.4)
      nodes.push(
        await source.create(`${repository}/archival_objects`, {
          title: `Number ${changes}`,
          level: 'file',
          resource: { ref: resource },
        }),
      );
    else if (what < 0.7)
      ok(await source.post(chosen, { ...(await source.get(chosen)).json, title: `Changed ${changes}` }));
    else if (what < 0.85) ok(await source.post(`${chosen}/parent?position=0`, undefined));
    else {
      ok(await source.ask(chosen, { method: 'DELETE' }));
      nodes.splice(nodes.indexOf(chosen), 1);
    }
    // Often enough that every file is changed while it is read; what is asked is asked of the processor that reads.
    await sleep(amount(200, 100));
  }
  return changes;
}
