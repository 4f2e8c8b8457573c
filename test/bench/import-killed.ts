// kill -9 at random moments of an import of 100,000 components through the whole service: of the worker, of PostgreSQL's main process, of one
// of its others, of the API, and of everything at once. After each nothing of the import may be seen; the job runs again until it is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmaster } from '#store/embedded/postmaster.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { socketUrl } from '#store/embedded/connection.ts';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import type { Service } from '../support/service.ts';
import { adminPasswordOf, ask, childrenOf, login, makeDataDir, startService } from '../support/service.ts';
import type { BenchRow } from './bench.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? '100000');
const megabyte = 1024 * 1024;
/** An import of this size takes some 20 s here; a kill falls at a random moment of the first part of it. */
const latestMs = 12_000;
const patienceMs = 600_000;

type Running = { service: Service; session: string; readonly dataDir: string; readonly repo: string };
type Job = { readonly status: string; readonly label: string; readonly left: number | null };

/** Runs the whole; gives what was seen. */
export async function run(): Promise<readonly BenchRow[]> {
  await using data = makeDataDir();
  const service = await startService({ MUNIMENT_DATA_DIR: data.path });
  const running: Running = {
    service,
    session: await login(service, adminPasswordOf(data.path)),
    dataDir: data.path,
    repo: '/repositories/2',
  };
  try {
    await expectStatus(ask(service, '/repositories', running.session, { repo_code: 'killed', name: 'Killed' }));
    const uploaded = performance.now();
    const job = await upload(running);
    process.stdout.write(`uploaded in ${seconds(uploaded)} s, ${job}\n`);
    const memory = watchMemory(running);
    const kills: { readonly what: string; readonly phase: string; readonly again: number; readonly seen: number }[] =
      [];
    for (const [what, kill] of disasters) {
      await until(async () => (await jobOf(running, job)).status === 'running');
      await sleep(500 + Math.random() * latestMs);
      const before = await jobOf(running, job);
      if (before.status !== 'running') break;
      const attempts = await startsOf(running);
      const at = performance.now();
      await kill(running);
      await until(async () => (await startsOf(running)) > attempts);
      const again = seconds(at);
      const seen = await stored(running);
      kills.push({ what, phase: before.label, again, seen });
      process.stdout.write(
        `${what} killed in '${before.label}', ${before.left ?? '?'} s left: runs again after ${again} s, ${seen} records to be seen\n`,
      );
    }
    const lastRun = performance.now();
    await until(
      async () => (await jobOf(running, job)).status !== 'running' && (await jobOf(running, job)).status !== 'queued',
    );
    const ended = await jobOf(running, job);
    const total = await stored(running);
    process.stdout.write(`${ended.status} ${seconds(lastRun)} s after the last kill, ${total} components\n`);
    const most = memory.stop();
    const broken = await violations(running);
    return [
      ...kills.map(({ what, phase, again, seen }): BenchRow => ({
        name: `${what} killed in '${phase}': records of the import to be seen before it is done`,
        value: seen,
        unit: `records, running again after ${again} s`,
        target: 0,
        pass: seen === 0,
      })),
      {
        name: `components of ${components} once it is done (${ended.status})`,
        value: total,
        unit: 'components',
        target: components,
        pass: total === components && ended.status === 'completed',
      },
      {
        name: 'invariants of the database that are broken then',
        value: broken,
        unit: 'invariants',
        target: 0,
        pass: broken === 0,
      },
      { name: 'largest memory of any worker', value: Math.round(most.worker / megabyte), unit: 'MB' },
      { name: 'largest memory of any API process', value: Math.round(most.api / megabyte), unit: 'MB' },
    ];
  } finally {
    await running.service.stop();
  }
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;

async function expectStatus(reply: Promise<{ readonly status: number; readonly body: object }>): Promise<void> {
  const { status, body } = await reply;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** Sends the finding aid as it is made; gives the uri of the job. */
async function upload({ service, session, repo }: Running): Promise<string> {
  const body = ReadableStream.from(findingAidBytes(2, 'killed', components));
  // `duplex` is what fetch asks of a body that is a stream; the types of Node's fetch leave it out.
  const reply = await fetch(`${service.url}${repo}/batch_imports?skip_results=true`, {
    method: 'POST',
    headers: { 'x-service-session': session, prefer: 'respond-async' },
    body,
    duplex: 'half',
  } as RequestInit);
  const { uri }: { readonly uri?: string } = JSON.parse(await reply.text());
  if (reply.status !== 202 || uri === undefined) throw new Error(`the import was not taken: ${reply.status}`);
  return uri;
}

/** Repeats until the answer is true; a service that is away at the moment is asked again. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(100))
    if (await isSo().catch(() => false)) return;
  throw new Error('it does not come to that');
}

async function jobOf({ service, session }: Running, uri: string): Promise<Job> {
  const { status, body } = await ask(service, uri, session);
  if (status !== 200) throw new Error(`${status}`);
  const progress = Object(body['progress']);
  return {
    status: String(body['status']),
    label: String(progress['label'] ?? ''),
    left: progress['seconds_left'] ?? null,
  };
}

/** Records of the import that clients see. */
async function stored({ service, session, repo }: Running): Promise<number> {
  const counts: number[] = [];
  for (const path of [
    `${repo}/archival_objects`,
    `${repo}/resources`,
    `${repo}/top_containers`,
    '/subjects',
    '/agents/people',
  ]) {
    let found: number | null = null;
    await until(async () => {
      const { status, body } = await ask(service, `${path}?all_ids=true`, session);
      if (status === 200) found = Object.values(body).length;
      return status === 200;
    });
    counts.push(found ?? -1);
  }
  const [nodes = 0, ...others] = counts;
  // Of agents there is one from the start.
  return nodes > 0 ? nodes : others.reduce((sum, count) => sum + count, -agentsAtStart);
}
const agentsAtStart = 1;

const databaseOf = ({ dataDir }: Running): Database => {
  const server = readPostmaster(join(dataDir, 'pg'));
  return new Database({ url: socketUrl(server?.socketDir ?? '', server?.port ?? 0, 'muniment'), poolSize: 1 });
};

/** How often the job was begun. */
async function startsOf(running: Running): Promise<number> {
  await using database = databaseOf(running);
  const job = await database.reader.maybeOne(
    sql.type(NumberRow)`SELECT run::int AS n FROM job WHERE type = 'batch-import' AND status = 'running'`,
  );
  if (job === null) throw new Error('it does not run');
  return job.n;
}

async function violations(running: Running): Promise<number> {
  await using database = databaseOf(running);
  const found = await checkDatabase(database);
  for (const { says, count, examples } of found) process.stdout.write(`${count} ${says}: ${examples.join(', ')}\n`);
  return found.length;
}

const postmasterOf = ({ dataDir }: Running): number => readPostmaster(join(dataDir, 'pg'))?.pid ?? 0;
const workerOf = (running: Running): number =>
  childrenOf(running.service.pid).find((pid) => pid !== postmasterOf(running)) ?? 0;
function kill(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself, as a server's processes do when it is killed first.
  }
}
async function startAgain(running: Running): Promise<void> {
  await running.service.kill();
  running.service = await startService({ MUNIMENT_DATA_DIR: running.dataDir });
}

const disasters: readonly (readonly [string, (running: Running) => Promise<void>])[] = [
  ['the worker', async (running) => kill(workerOf(running))],
  ["PostgreSQL's main process", async (running) => kill(postmasterOf(running))],
  ['the API', startAgain],
  ["one of PostgreSQL's processes", async (running) => kill(childrenOf(postmasterOf(running)).at(-1) ?? 0)],
  [
    'everything',
    async (running) => {
      for (const pid of [
        running.service.pid,
        workerOf(running),
        ...childrenOf(postmasterOf(running)),
        postmasterOf(running),
      ])
        kill(pid);
      await sleep(50);
      await startAgain(running);
    },
  ],
];

/** The largest memory (RSS) that the processes had, each of them by itself. */
function watchMemory(running: Running): { stop(): { readonly worker: number; readonly api: number } } {
  const most = { worker: 0, api: 0 };
  const look = (): void => {
    most.api = Math.max(most.api, memoryOf(running.service.pid));
    most.worker = Math.max(most.worker, memoryOf(workerOf(running)));
  };
  const timer = setInterval(look, 250);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // It ended meanwhile.
  }
}
