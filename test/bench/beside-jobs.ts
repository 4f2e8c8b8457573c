// What the long jobs, and calculations and spreadsheets over the whole tree, cost those who have nothing to do with them: p99 of reading an unrelated record beside each of them, while twenty editors save
// components of the tree that the job is about, against the same read beside the same editors without a job. Of the editors the p99 of a save is told, whatever is answered,
// and of the database how long anybody waited for a lock. API, worker and PostgreSQL are processes of their own. BENCH_COMPONENTS sets the size of the trees, BENCH_JOBS names some of the jobs (publish,merge).
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import type { Client } from './processes/client.ts';
import { connectClient } from './processes/client.ts';
import { probe } from './processes/probe.ts';
import { startProcess } from './processes/spawn.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const editors = 20;
const idleMs = Number(process.env['BENCH_IDLE_MS'] ?? 20_000);
const target = 2;
const only = process.env['BENCH_JOBS']?.split(',');

/** Measures; with 100,000 components some ten minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const environment = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder, MUNIMENT_JOB_WAIT_SECONDS: '3600' };
    await using api = await startProcess('apps/api/main.ts', environment);
    await using _worker = await startProcess('apps/worker/main.ts', environment);
    const client = await connectClient(api.url);
    const [repoId, otherId] = [await repository(client, 'one'), await repository(client, 'other')];
    const unrelated = await client.post(`/repositories/${otherId}/accessions`, {
      id_0: 'A',
      title: 'Unrelated',
      accession_date: '2026-01-01',
    });
    const reading = await probe(api.url, String(unrelated['uri']), client.session);
    const tree = await plant(client, repoId, 'tree');
    const other = await plant(client, repoId, 'second');
    const sheet = new URLSearchParams(tree.components.slice(0, 10_000).map((uri): [string, string] => ['uri[]', uri]));
    sheet.set('resource_uri', tree.root);
    const jobs: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['date calculator', () => client.get(`/date_calculator?record_uri=${tree.root}`)],
      ['extent calculator', () => client.get(`/extent_calculator?record_uri=${tree.root}`)],
      ['creation template', () => client.get(`${tree.root}/templates/top_container_creation.csv`)],
      ['spreadsheet of 10,000', () => fetchSheet(api.url, repoId, client.session, sheet)],
      ['publish', () => client.post(`${tree.root}/publish`, {})],
      ['suppress', () => client.post(`${tree.root}/suppressed?suppressed=true`, {})],
      ['unsuppress', () => client.post(`${tree.root}/suppressed?suppressed=false`, {})],
      ['import', () => plant(client, repoId, 'third')],
      [
        'merge',
        () =>
          client.post(`/merge_requests/resource?repo_id=${repoId}`, {
            merge_destination: { ref: tree.root },
            merge_candidates: [{ ref: other.root }],
          }),
      ],
      ['transfer', () => client.post(`${tree.root}/transfer?target_repo=/repositories/${otherId}`, {})],
      ['delete', () => remove(api.url, tree.root.replace(`/${repoId}/`, `/${otherId}/`), client.session)],
    ];
    const over = new AbortController();
    const saves: number[] = [];
    const editing = edit(api.url, client.session, tree.components, saves, over.signal);
    const locks = watchLocks(url, over.signal);
    // Where a job fails the service ends, and these with it: the failure of the job is what is told.
    for (const each of [editing, locks.over]) each.catch(() => undefined);
    await sleep(2000);
    await reading.take();
    saves.length = 0;
    await sleep(idleMs);
    const idle = await reading.take();
    const idleSave = p99Of(saves.splice(0));
    locks.take();
    const rows: BenchRow[] = [];
    for (const [name, job] of jobs.filter(([each]) => only === undefined || only.includes(each))) {
      const began = performance.now();
      await job();
      const seconds = (performance.now() - began) / 1000;
      const { p99, longest, count, failed } = await reading.take();
      const ratio = p99 / idle.p99;
      const save = p99Of(saves.splice(0));
      rows.push(
        {
          name: `unrelated GET, p99, beside ${name} of ${components.toLocaleString('en-GB')} components (${rounded(seconds)} s, ${count} reads, ${failed} failed)`,
          value: rounded(p99),
          unit: 'ms',
          baseline: rounded(idle.p99),
          ratio: rounded(ratio),
          target,
          pass: ratio <= target && failed === 0,
        },
        { name: 'the longest of them', value: rounded(longest), unit: 'ms', baseline: rounded(idle.longest) },
        {
          name: 'a save of a component of the tree beside it, p99',
          value: rounded(save),
          unit: 'ms',
          baseline: rounded(idleSave),
          ratio: rounded(save / idleSave),
        },
        { name: 'the longest wait of a request for a lock, at a time', value: rounded(locks.take()), unit: 'ms' },
      );
    }
    over.abort();
    await editing;
    await locks.over;
    await reading.stop();
    return rows;
  });
}

async function repository(client: Client, code: string): Promise<number> {
  return Number((await client.post('/repositories', { repo_code: code, name: `Repository ${code}` }))['id']);
}

type Tree = { readonly root: string; readonly components: readonly string[] };

/** Imports a finding aid. */
async function plant(client: Client, repoId: number, name: string): Promise<Tree> {
  const saved = await client.importBatch(repoId, findingAidBytes(repoId, name, components));
  const uris = Object.values(saved).map(([uri]) => uri);
  const root = uris.find((uri) => uri.includes('/resources/'));
  if (root === undefined) throw new Error('the import has no resource');
  return { root, components: uris.filter((uri) => uri.includes('/archival_objects/')) };
}

async function fetchSheet(url: string, repoId: number, session: string, body: URLSearchParams): Promise<void> {
  const path = `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`;
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers: { 'x-service-session': session }, body });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  await reply.arrayBuffer();
}

async function remove(url: string, uri: string, session: string): Promise<void> {
  const reply = await fetch(`${url}${uri}`, { method: 'DELETE', headers: { 'x-service-session': session } });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${uri}: ${reply.status} ${text}`);
}

const p99Of = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** Looks twenty times a second which request waits for a lock, a quarter of a second at a time at most (decision 0020); `take` gives the longest since it was last called. */
function watchLocks(url: string, signal: AbortSignal): { take(): number; readonly over: Promise<void> } {
  let longest = 0;
  const watch = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    // Where the service ends before it: what ended that is told.
    client.on('error', () => undefined);
    await client.connect();
    while (!signal.aborted) {
      const { rows } = await client.query<{ ms: number }>(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)) * 1000, 0)::float8 AS ms FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND l.locktype IN ('transactionid', 'tuple') AND a.application_name = 'muniment-api'`,
      );
      longest = Math.max(longest, rows[0]?.ms ?? 0);
      await sleep(50);
    }
    await client.end();
  };
  return {
    take: () => {
      const value = longest;
      longest = 0;
      return value;
    },
    over: watch(),
  };
}

/** Saves components one after another, each editor others; that some are locked, suppressed or gone is what the job does. */
async function edit(
  url: string,
  session: string,
  uris: readonly string[],
  saves: number[],
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'x-service-session': session };
  await Promise.all(
    Array.from({ length: editors }, async (_, editor) => {
      for (let at = editor; !signal.aborted; at = (at + editors) % uris.length) {
        const uri = `${url}${uris[at]}`;
        const body = await (await fetch(uri, { headers })).text();
        const began = performance.now();
        await (await fetch(uri, { method: 'POST', headers, body })).text();
        saves.push(performance.now() - began);
        // As people do, and so that they are not the load that is measured.
        await sleep(500);
      }
    }),
  );
}

if (import.meta.main) console.table(await run());
