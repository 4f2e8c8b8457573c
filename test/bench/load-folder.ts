// A load of records as they are (decision 0027) against a batch import of the very same records, turn about in one run: each by a worker process of
// its own in a database of its own, from the stored upload to the end of the job.
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { Database } from '#store/connection/database.ts';
import { column } from '#store/connection/columns.ts';
import { Listener } from '#store/connection/listener.ts';
import { sql } from '#store/connection/sql.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { readManyRecords } from '#store/records/reading/read.ts';
import { createRecord } from '#store/records/writing/write.ts';
import pg from 'pg';
import { z } from 'zod';
import { AnyRow } from '#test/support/rows.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { testContext } from '../support/make/prepare-context.ts';
import { prepareTemplate } from '../support/template.ts';
import { batch } from './batch-import.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer } from './bench.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const recordsAtOnce = 500;

/** A round: seconds of the import and of the load, records of each, and bytes of the lines. */
type Round = { readonly imported: number; readonly loaded: number; readonly records: number; readonly bytes: number };

/** Takes some minutes. Needs 30 KB of disk for each component. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await execute(url, 'CREATE DATABASE template_bench');
    await prepareTemplate(named(url, 'template_bench'));
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measure(url, round));
    const rate = (seconds: keyof Round): number => medianOf(measured.map((each) => each.records / each[seconds]));
    const ratio = medianOf(measured.map(({ imported, loaded }) => imported / loaded));
    return [
      {
        name: `a load of ${measured[0]?.records} records against a batch import of the same`,
        value: Math.round(rate('loaded')),
        unit: 'records/s',
        baseline: Math.round(rate('imported')),
        ratio,
        target: 0.5,
        pass: ratio >= 0.5,
      },
      {
        name: 'bytes of a line',
        value: Math.round((measured[0]?.bytes ?? 0) / (measured[0]?.records ?? 1)),
        unit: 'bytes',
      },
    ];
  });
}

async function measure(admin: string, round: number): Promise<Round> {
  const [from, into] = [`imported_${round}`, `loaded_${round}`];
  for (const name of [from, into]) await execute(admin, `CREATE DATABASE ${name} TEMPLATE template_bench`);
  const source = await importAll(named(admin, from));
  const target = await loadAll(named(admin, into), source.warm, source.main);
  for (const name of [from, into]) await execute(admin, `DROP DATABASE ${name} WITH (FORCE)`);
  console.error(
    `round ${round}: ${source.main.length} records, import ${source.seconds.toFixed(2)} s, load ${target.seconds.toFixed(2)} s, ratio ${(source.seconds / target.seconds).toFixed(2)}`,
  );
  return { imported: source.seconds, loaded: target.seconds, records: source.main.length, bytes: target.bytes };
}

/** Imports a small finding aid and the one that counts; gives the lines of both as their GETs answer them. */
async function importAll(url: string) {
  const worker = await spawnImportWorker(url);
  await using database = new Database({ url, poolSize: 4 });
  await using listener = new Listener({ url });
  const context = testContext({ parseUri });
  const kind = kindNamed('repository');
  const about = { actor: 'bench', repoId: null, generatedValues: context.generatedValues };
  const { id } = await database.transaction((tx) =>
    createRecord(tx, kind, prepare(kind, { repo_code: 'bench', name: 'bench' }, context), about),
  );
  const importIt = async (title: string, count: number): Promise<number> => {
    const { enqueue } = await batch.start(database, id, title, count);
    await database.reader.any(sql.type(AnyRow)`CHECKPOINT`);
    const started = performance.now();
    await waitForJob(database, listener, await enqueue());
    return (performance.now() - started) / 1000;
  };
  await importIt('warm', 2000);
  const warm = await linesOf(database, new Set());
  const seconds = await importIt('main', components);
  await worker.stop();
  return { seconds, warm: [...warm.values()], main: [...(await linesOf(database, new Set(warm.keys()))).values()] };
}

/** Loads the first lines, and then, beside them, those that count. */
async function loadAll(url: string, warm: readonly string[], main: readonly string[]) {
  const worker = await spawnImportWorker(url);
  await using database = new Database({ url, poolSize: 4 });
  await using listener = new Listener({ url });
  const loadIt = async (lines: readonly string[]): Promise<{ readonly seconds: number; readonly bytes: number }> => {
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < lines.length; at += recordsAtOnce)
        yield Buffer.from(`${lines.slice(at, at + recordsAtOnce).join('\n')}\n`);
    };
    const blob = await writeBlob(database, pieces());
    await database.reader.any(sql.type(AnyRow)`CHECKPOINT`);
    const started = performance.now();
    const { jobId } = await database.transaction((tx) =>
      enqueueJob(
        tx,
        loadRecords,
        { blobId: blob.id, intoFilled: true },
        { files: [{ blobId: blob.id, role: 'payload' }] },
      ),
    );
    await waitForJob(database, listener, jobId);
    return { seconds: (performance.now() - started) / 1000, bytes: blob.sizeBytes };
  };
  await loadIt(warm);
  const result = await loadIt(main);
  await worker.stop();
  return result;
}

const IdsRow = z.strictObject({ kind: column.text, ids: z.array(z.int()) });

/** What GET answers of all records that somebody has made, by address, but for those that are known. */
async function linesOf({ reader }: Database, known: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  const viewer = { seesSuppressed: true, seesConfidential: true };
  const rows = await reader.any(sql.type(IdsRow)`
    SELECT kind, array_agg(id ORDER BY id) AS ids FROM record WHERE kind NOT IN ('user', 'group', 'vocabulary', 'preference')
      AND NOT (kind = 'repository' AND id = 1) AND (repo_id IS DISTINCT FROM 1) GROUP BY kind`);
  for (const { kind, ids } of rows)
    for (let at = 0; at < ids.length; at += recordsAtOnce) {
      const read = await readManyRecords(reader, new Map([[kind, ids.slice(at, at + recordsAtOnce)]]), viewer);
      for (const [uri, { text }] of read) if (!known.has(uri)) lines.set(uri, text);
    }
  return lines;
}

function named(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

if (import.meta.main) console.table(await run());
