// Batch import against the raw COPY of the very rows it gives, in the same run and on the same server; and the worker's memory at
// three sizes. The import is the whole of the real path: a worker process of its own, the job, the stored upload, threads, commit.
import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { batchImport } from '#domain/jobs/batch-import.ts';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import { prepareTemplate } from '../support/template.ts';
import { plantRepository } from './planted.ts';

/** One measured number; `ratio` is value / baseline, `pass` whether the target holds. */
export type BenchRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly ratio?: number;
  readonly target?: number;
  readonly pass?: boolean;
};

// Columns that are computed by the database cannot be copied.
const tables = {
  record:
    'kind, id, repo_id, lock_version, publish, suppressed, label, created_by, last_modified_by, create_time, system_mtime, user_mtime, body',
  link: 'source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal',
  unique_key: 'rule, scope, value, kind, id',
  tree_node: '',
  tree_bucket: '',
  tree_root: '',
  change: 'actor, kind, id, ids, repo_id, op, lock_version',
};

/** A sort of import: what it is called, and how it is started in a repository with a document of `count` components whose title is given. */
export type ImportSort = {
  readonly name: string;
  start(
    database: Database,
    repoId: number,
    title: string,
    count: number,
  ): Promise<{ readonly bytes: number; readonly enqueue: () => Promise<number> }>;
};

/** What is measured: components of the import that is held against COPY, how often, and sizes whose memory is measured besides. */
export type ImportSizes = {
  readonly components: number;
  readonly rounds: number;
  readonly memorySizes: readonly number[];
};

/** The usual sizes. Takes some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return measureImport(batch, {
    components: Number(process.env['BENCH_COMPONENTS'] ?? 100_000),
    rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
    memorySizes: (process.env['BENCH_MEMORY'] ?? '10000,100000,300000')
      .split(',')
      .filter((size) => size !== '')
      .map(Number),
  });
}

/** Batches of JSON, as migrations send them. */
export const batch: ImportSort = {
  name: 'batch import',
  start: async (database, repoId, title, count) => {
    const blob = await writeBlob(database, findingAidBytes(repoId, title, count));
    const payload = { blobId: blob.id, repoId, actor: 'bench', migration: false, skipResults: false };
    return {
      bytes: blob.sizeBytes,
      enqueue: async () =>
        (
          await database.transaction((tx) =>
            enqueueJob(tx, batchImport, payload, { files: [{ blobId: blob.id, role: 'payload' }] }),
          )
        ).jobId,
    };
  },
};

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Needs 14 KB of disk for each component. */
export async function measureImport(
  sort: ImportSort,
  { components, rounds, memorySizes }: ImportSizes,
): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-'));
  chmodSync(folder, 0o755);
  const server = await startEmbedded({ dataDir: folder, log: () => undefined });
  try {
    const bench: Bench = { folder, admin: server.url, sort };
    await query(bench, server.url, 'CREATE DATABASE template_bench');
    await prepareTemplate(databaseUrl(bench, 'template_bench'));
    const pairs: Compared[] = [];
    // Turn about, so that whatever else the machine does meets both sides alike.
    for (let round = 0; round < rounds; round++) pairs.push(await comparison(bench, round, components));
    const best = (values: readonly number[]): number => Math.min(...values);
    const importSeconds = best(pairs.map((pair) => pair.importSeconds));
    const copySeconds = best(pairs.map((pair) => pair.copySeconds));
    const rate = components / importSeconds;
    const memory: { readonly size: number; readonly rss: number }[] =
      rounds === 0 || memorySizes.includes(components)
        ? []
        : [{ size: components, rss: Math.max(...pairs.map(({ rss }) => rss)) }];
    for (const size of memorySizes) memory.push({ size, rss: await memoryOf(bench, size) });
    const largest = Math.max(...memory.map(({ rss }) => rss));
    const middle = memory.find(({ size }) => size === 100_000)?.rss ?? largest;
    return [
      {
        name: `${sort.name} of ${components} components against raw COPY of their rows`,
        value: Math.round(rate),
        unit: 'components/s',
        baseline: Math.round(components / copySeconds),
        ratio: copySeconds / importSeconds,
        target: 0.6,
        pass: copySeconds / importSeconds >= 0.6,
      },
      {
        name: 'bytes of the upload for each component',
        value: Math.round((pairs[0]?.bytes ?? 0) / components),
        unit: 'bytes',
      },
      ...memory.map(({ size, rss }): BenchRow => ({
        name: `largest memory of the worker, ${size} components`,
        value: Math.round(rss / 1e6),
        unit: 'MB',
        baseline: Math.round(middle / 1e6),
        ratio: rss / middle,
        ...(size > 100_000 ? { target: 1.25, pass: rss / middle <= 1.25 } : {}),
      })),
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Compared = {
  readonly importSeconds: number;
  readonly copySeconds: number;
  readonly bytes: number;
  readonly rss: number;
};
type Bench = { readonly folder: string; readonly admin: string; readonly sort: ImportSort };

async function comparison(bench: Bench, round: number, components: number): Promise<Compared> {
  const imported = await importOnce(bench, `imported_${round}`, components);
  const files = join(bench.folder, 'rows');
  await withClient(databaseUrl(bench, `imported_${round}`), async (client) => {
    // All rows of the import are of one transaction; the others were there before.
    const { rows } = await client.query<{ xid: string }>(
      "SELECT xmin::text AS xid FROM record WHERE kind = 'resource' AND label LIKE '%main'",
    );
    for (const [table, columns] of await columnsOf(client)) {
      for (const [part, is] of [
        ['before', '<>'],
        ['rows', '='],
      ])
        await pipeline(
          client.query(
            copyTo(`COPY (SELECT ${columns} FROM ${table} WHERE xmin::text ${is} '${rows[0]?.xid}') TO STDOUT`),
          ),
          createWriteStream(`${files}-${table}-${part}`),
        );
    }
  });
  await query(bench, bench.admin, `CREATE DATABASE copied_${round} TEMPLATE template_bench`);
  const copySeconds = await withClient(databaseUrl(bench, `copied_${round}`), async (client) => {
    const columns = await columnsOf(client);
    const copyPart = async (part: string): Promise<void> => {
      await client.query('BEGIN');
      for (const [table, names] of columns)
        await pipeline(
          createReadStream(`${files}-${table}-${part}`, { highWaterMark: 262_144 }),
          client.query(copyFrom(`COPY ${table} (${names}) FROM STDIN`)),
        );
      await client.query('COMMIT');
    };
    await client.query(`TRUNCATE ${columns.map(([table]) => table).join(', ')}`);
    await copyPart('before');
    await client.query('CHECKPOINT');
    const started = performance.now();
    await copyPart('rows');
    return (performance.now() - started) / 1000;
  });
  await query(bench, bench.admin, `DROP DATABASE copied_${round}`);
  await query(bench, bench.admin, `DROP DATABASE imported_${round} WITH (FORCE)`);
  console.error(
    `round ${round}: import ${imported.seconds.toFixed(2)} s, raw COPY ${copySeconds.toFixed(2)} s, ratio ${(copySeconds / imported.seconds).toFixed(2)}`,
  );
  return { importSeconds: imported.seconds, copySeconds, bytes: imported.bytes, rss: imported.rss };
}

async function memoryOf(bench: Bench, size: number): Promise<number> {
  const { rss } = await importOnce(bench, `memory_${size}`, size);
  await query(bench, bench.admin, `DROP DATABASE memory_${size} WITH (FORCE)`);
  return rss;
}

/** Imports a finding aid in a fresh database by a fresh worker process that has imported a small one before. */
async function importOnce(
  bench: Bench,
  name: string,
  size: number,
): Promise<{ readonly seconds: number; readonly bytes: number; readonly rss: number }> {
  await query(bench, bench.admin, `CREATE DATABASE ${name} TEMPLATE template_bench`);
  const url = databaseUrl(bench, name);
  const profiles = process.env['BENCH_PROFILE'];
  const nodeOptions = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const worker = await spawnImportWorker(url, 2, { nodeOptions });
  await using database = new Database({ url, poolSize: 4 });
  await using listener = new Listener({ url });
  const repoId = await plantRepository(database, 'bench');
  const importIt = async (
    title: string,
    count: number,
  ): Promise<{ readonly seconds: number; readonly bytes: number }> => {
    const { bytes, enqueue } = await bench.sort.start(database, repoId, title, count);
    await database.reader.any(sql.type(AnyRow)`CHECKPOINT`);
    const started = performance.now();
    await waitForJob(database, listener, await enqueue());
    return { seconds: (performance.now() - started) / 1000, bytes };
  };
  await importIt('warm', 2000);
  const result = await importIt('main', size);
  return { ...result, rss: await worker.stop() };
}

async function columnsOf(client: pg.Client): Promise<readonly (readonly [string, string])[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `SELECT attrelid::regclass::text AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
    WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = '' GROUP BY 1`,
    [Object.keys(tables)],
  );
  const found = new Map(rows.map((row) => [row.name, row.columns]));
  return Object.entries(tables).map(([table, columns]) => [table, columns === '' ? (found.get(table) ?? '') : columns]);
}

function databaseUrl(bench: Bench, name: string): string {
  const url = new URL(bench.admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function query(_bench: Bench, url: string, text: string): Promise<void> {
  await withClient(url, async (client) => client.query(text));
}

if (import.meta.main) console.table(await run());
