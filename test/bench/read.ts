// Reading over HTTP: an archival object with its place, links and checks against a bare Fastify that sends the same bytes by primary
// key; and how many statements each sort of read costs. Client, service, yardstick and PostgreSQL are processes of their own.
import pg from 'pg';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import type { Client } from './processes/client.ts';
import { connectClient } from './processes/client.ts';
import type { Running } from './processes/spawn.ts';
import { cpuSecondsOf, load, startProcess } from './processes/spawn.ts';
import type { ReadPaths } from './read-data.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const asked = 1000;
const environment = { MUNIMENT_POOL_SIZE: '10' };

/** Measures; some two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = { ...environment, DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    const client = await connectClient(api.url);
    const paths = await imported(client, settings);
    await using database = await connected(url);
    const bytes = await layOut(database.client, client, paths.files);
    await using bare = await startProcess('test/bench/processes/bare-server.ts', settings);
    return [
      ...(await throughput({ api, bare, client, paths, bytes, database: database.client })),
      ...(await statementCounts(database.client, client, paths)),
    ];
  });
}

async function imported(client: Client, settings: { readonly [name: string]: string }): Promise<ReadPaths> {
  await using _worker = await startProcess('apps/worker/main.ts', settings);
  // Awaited here: the worker ends with this block.
  return await importReadData(client, components, asked);
}

async function connected(url: string): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** Puts the replies of the service where the yardstick reads them, under 1, 2, …; gives the mean size of a reply in bytes. */
async function layOut(database: pg.Client, client: Client, files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((path) => client.get(path)));
  await database.query('CREATE TABLE bench_reply (id int PRIMARY KEY, body text NOT NULL)');
  await database.query('INSERT INTO bench_reply SELECT n, t FROM unnest($1::text[]) WITH ORDINALITY AS u (t, n)', [
    texts,
  ]);
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.query('VACUUM (ANALYZE)');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length;
}

type Sides = {
  readonly api: Running;
  readonly bare: Running;
  readonly client: Client;
  readonly paths: ReadPaths;
  readonly bytes: number;
  readonly database: pg.Client;
};

async function throughput({ api, bare, client, paths, bytes, database }: Sides): Promise<readonly BenchRow[]> {
  const headers = { 'x-service-session': client.session };
  const barePaths = paths.files.map((_, index) => `/bare/${index + 1}`);
  // Both are warm before they are measured, and have all their connections.
  await load(api.url, paths.files, seconds, headers);
  await load(bare.url, barePaths, seconds);
  const service = {
    used: await processorTime(database, api, 'muniment-api'),
    ask: () => load(api.url, paths.files, seconds, headers),
  };
  const yardstick = {
    used: await processorTime(database, bare, 'bench-bare'),
    ask: () => load(bare.url, barePaths, seconds),
  };
  const measured: { readonly service: Spell; readonly yardstick: Spell }[] = [];
  // Turn about, so that whatever else the machine does meets both sides alike.
  for (let round = 0; round < rounds; round++)
    measured.push({ service: await spell(service), yardstick: await spell(yardstick) });
  const median = (of: (pair: (typeof measured)[number]) => number): number => medianOf(measured.map(of));
  const [value, baseline] = [median((pair) => pair.service.perSecond), median((pair) => pair.yardstick.perSecond)];
  const [cpu, bareCpu] = [median((pair) => pair.service.cpuMicros), median((pair) => pair.yardstick.cpuMicros)];
  const others = await otherSorts(api, client, paths);
  return [
    {
      name: `GET of an archival object of ${Math.round(bytes)} bytes against a bare select of the same bytes, 16 connections`,
      value: rounded(value),
      unit: 'requests/s',
      baseline: rounded(baseline),
      ratio: rounded(value / baseline),
      target: 0.7,
      pass: value / baseline >= 0.7,
    },
    {
      name: 'the same, p99 of a reply',
      value: median((pair) => pair.service.p99),
      unit: 'ms',
      baseline: median((pair) => pair.yardstick.p99),
    },
    // Says the same with less noise where other programs use the machine: the ratio is yardstick to service here too.
    {
      name: 'the same, processor time of Node and PostgreSQL together',
      value: rounded(cpu),
      unit: 'µs/request',
      baseline: rounded(bareCpu),
      ratio: rounded(bareCpu / cpu),
    },
    {
      name: 'the same, processor time of Node alone',
      value: rounded(median((pair) => pair.service.nodeMicros)),
      unit: 'µs/request',
      baseline: rounded(median((pair) => pair.yardstick.nodeMicros)),
    },
    ...others,
  ];
}

type Used = () => { readonly node: number; readonly postgres: number };
type Spell = {
  readonly perSecond: number;
  readonly p99: number;
  readonly nodeMicros: number;
  readonly cpuMicros: number;
};

/** Tells the processor seconds of a serving process and of the connections that it has now. */
async function processorTime(database: pg.Client, running: Running, applicationName: string): Promise<Used> {
  const { rows } = await database.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
    [applicationName],
  );
  return () => ({ node: running.cpuSeconds(), postgres: rows.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0) });
}

async function spell(side: { readonly used: Used; readonly ask: () => ReturnType<typeof load> }): Promise<Spell> {
  const before = side.used();
  const result = await side.ask();
  const after = side.used();
  const node = after.node - before.node;
  return {
    perSecond: result.perSecond,
    p99: result.p99,
    nodeMicros: (node / result.total) * 1e6,
    cpuMicros: ((node + after.postgres - before.postgres) / result.total) * 1e6,
  };
}

const sorts: { readonly [name: string]: keyof ReadPaths } = {
  'GET of a person': 'agents',
  'GET of a resource': 'resources',
  'GET of a top container': 'containers',
  'page of 25 archival objects': 'pages',
  'GET with six refs resolved': 'fiveRefs',
};

async function otherSorts(api: Running, client: Client, paths: ReadPaths): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  // One after the other: they share the machine.
  for (const [name, sort] of Object.entries(sorts)) {
    const result = await load(api.url, paths[sort], seconds, { 'x-service-session': client.session });
    rows.push({ name, value: rounded(result.perSecond), unit: 'requests/s' });
  }
  return [...rows, await resolvedAgainstPlain(api, client, paths)];
}

/** Reads with six refs resolved against plain ones of the same records, turn about. */
async function resolvedAgainstPlain(api: Running, client: Client, paths: ReadPaths): Promise<BenchRow> {
  const headers = { 'x-service-session': client.session };
  const measured: { readonly resolved: number; readonly plain: number }[] = [];
  for (let round = 0; round < rounds; round++)
    measured.push({
      resolved: (await load(api.url, paths.fiveRefs, seconds, headers)).perSecond,
      plain: (await load(api.url, paths.files, seconds, headers)).perSecond,
    });
  const [value, baseline] = [
    medianOf(measured.map(({ resolved }) => resolved)),
    medianOf(measured.map(({ plain }) => plain)),
  ];
  return {
    name: 'GET with six refs resolved against a plain GET of the same records',
    value: rounded(value),
    unit: 'requests/s',
    baseline: rounded(baseline),
    ratio: rounded(value / baseline),
    target: 0.25,
    pass: value / baseline >= 0.25,
  };
}

/** Statements that each sort of read sends, counted by PostgreSQL itself over some requests, one at a time. The session is remembered. */
async function statementCounts(database: pg.Client, client: Client, paths: ReadPaths): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const times = 20;
  for (const [name, sort] of Object.entries({ 'GET of an archival object': 'files' as const, ...sorts })) {
    const some = Array.from({ length: times }, (_, n) => paths[sort][n % paths[sort].length] ?? '');
    await client.get(some[0] ?? '');
    await database.query('SELECT pg_stat_statements_reset()');
    for (const path of some) await client.get(path);
    // Sessions are read and marked used every few seconds, whatever is asked.
    const {
      rows: [counted],
    } = await database.query<{ calls: number }>(`SELECT coalesce(sum(calls), 0)::float8 AS calls FROM pg_stat_statements
      WHERE toplevel AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query ~* '\\mFROM\\s+record\\M' AND query !~* '\\msession\\M'`);
    const value = (counted?.calls ?? Number.NaN) / times;
    rows.push({ name: `statements of a ${name}`, value, unit: 'statements', target: 3, pass: value <= 3 });
  }
  return rows;
}

if (import.meta.main) console.table(await run());
