// Lists over HTTP: pages of 25 and of 100 archival objects, with places, links and checks, against a bare Fastify that runs the SQL for the same
// rows and sends the same bytes. Client, service, yardstick and PostgreSQL are processes of their own.
import pg from 'pg';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { cpuSecondsOf, load, startProcess } from './processes/spawn.ts';
import type { Running } from './processes/spawn.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const pageSizes = [25, 100];

/** Measures; about two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = { MUNIMENT_POOL_SIZE: '10', DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    const client = await connectClient(api.url);
    const repoId = await imported(client, settings);
    const database = new pg.Client({ connectionString: url });
    await database.connect();
    try {
      await layOut(database, client, repoId);
      const measured: BenchRow[] = [];
      // One after the other, each with a yardstick of its own.
      for (const pageSize of pageSizes) {
        await using bare = await startProcess('test/bench/processes/bare-list-server.ts', {
          ...settings,
          BENCH_REPO: String(repoId),
          BENCH_PAGE: String(pageSize),
        });
        measured.push(...(await compare({ api, bare, database, repoId, pageSize, client })));
      }
      return measured;
    } finally {
      await database.end();
    }
  });
}

type Client = Awaited<ReturnType<typeof connectClient>>;

/** Imports what is listed; gives the id of its repository. */
async function imported(client: Client, settings: { readonly [name: string]: string }): Promise<number> {
  await using _worker = await startProcess('apps/worker/main.ts', settings);
  const { files } = await importReadData(client, components, 1);
  return Number(/^\/repositories\/(\d+)\//.exec(files[0] ?? '')?.[1]);
}

const pathsOf = (repoId: number, pageSize: number): readonly string[] =>
  Array.from(
    { length: Math.floor(components / pageSize) },
    (_, n) => `/repositories/${repoId}/archival_objects?page=${n + 1}&page_size=${pageSize}`,
  );

/** Puts the records of each page where the yardstick reads them, as the service answers them. */
async function layOut(database: pg.Client, client: Client, repoId: number): Promise<void> {
  await database.query('CREATE TABLE bench_list (id int PRIMARY KEY, repo_id int NOT NULL, body text NOT NULL)');
  for (const path of pathsOf(repoId, 100)) {
    const { results }: { results: { uri: string }[] } = JSON.parse(await client.get(path));
    const rows = results.map((record) => [
      Number(record.uri.split('/').at(-1)),
      Number(record.uri.split('/')[2]),
      JSON.stringify(record),
    ]);
    await database.query('INSERT INTO bench_list SELECT * FROM unnest($1::int[], $2::int[], $3::text[])', [
      rows.map(([id]) => id),
      rows.map(([, repo]) => repo),
      rows.map(([, , body]) => body),
    ]);
  }
  await database.query('CREATE INDEX ON bench_list (repo_id, id)');
  await database.query('VACUUM (ANALYZE)');
}

type Sides = {
  readonly api: Running;
  readonly bare: Running;
  readonly database: pg.Client;
  readonly repoId: number;
  readonly pageSize: number;
  readonly client: Client;
};
type Spell = { readonly perSecond: number; readonly p99: number; readonly cpuMillis: number };

async function compare({ api, bare, database, repoId, pageSize, client }: Sides): Promise<readonly BenchRow[]> {
  const headers = { 'x-service-session': client.session };
  const paths = pathsOf(repoId, pageSize);
  const bytes = Buffer.byteLength(await client.get(paths[0] ?? ''));
  const barePaths = paths.map((_, index) => `/bare?page=${index + 1}`);
  await load(api.url, paths, seconds, headers);
  await load(bare.url, barePaths, seconds);
  const measured: { readonly service: Spell; readonly yardstick: Spell }[] = [];
  // Turn about, so that whatever else the machine does meets both sides alike.
  for (let round = 0; round < rounds; round++) {
    measured.push({
      service: await spell(database, api, 'muniment-api', () => load(api.url, paths, seconds, headers)),
      yardstick: await spell(database, bare, 'bench-bare', () => load(bare.url, barePaths, seconds)),
    });
  }
  const median = (of: (pair: (typeof measured)[number]) => number): number => medianOf(measured.map(of));
  const [value, baseline] = [median((pair) => pair.service.perSecond), median((pair) => pair.yardstick.perSecond)];
  const [cpu, bareCpu] = [median((pair) => pair.service.cpuMillis), median((pair) => pair.yardstick.cpuMillis)];
  return [
    {
      name: `page of ${pageSize} archival objects (${Math.round(bytes / 1000)} KB) against the bare SQL for the same rows, 16 connections`,
      value: rounded(value),
      unit: 'requests/s',
      baseline: rounded(baseline),
      ratio: rounded(value / baseline),
      target: 0.75,
      pass: value / baseline >= 0.75,
    },
    {
      name: 'the same, p99 of a reply',
      value: median((pair) => pair.service.p99),
      unit: 'ms',
      baseline: median((pair) => pair.yardstick.p99),
    },
    {
      name: 'the same, processor time of Node and PostgreSQL together',
      value: rounded(cpu),
      unit: 'ms/request',
      baseline: rounded(bareCpu),
      ratio: rounded(bareCpu / cpu),
    },
  ];
}

/** Requests a second of one spell, and what they cost the serving process and its connections. */
async function spell(
  database: pg.Client,
  running: Running,
  applicationName: string,
  ask: () => ReturnType<typeof load>,
): Promise<Spell> {
  const { rows } = await database.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
    [applicationName],
  );
  const used = (): number => running.cpuSeconds() + rows.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  const before = used();
  const result = await ask();
  return { perSecond: result.perSecond, p99: result.p99, cpuMillis: ((used() - before) / result.total) * 1000 };
}

if (import.meta.main) console.table(await run());
