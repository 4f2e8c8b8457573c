// Exports of a whole collection against writing the very same bytes to a file; how soon the first byte comes, what memory it takes, and how
// long the event loop is held, at two sizes. BENCH_COMPONENTS sets the larger one.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { ndjsonLines } from '#domain/formats/ndjson/lines.ts';
import { parseUri, kindNamed } from '#domain/addresses.ts';
import { Database } from '#store/connection/database.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import type { ExportTree } from '#store/exports/read-tree.ts';
import { AnyRow } from '#test/support/rows.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { importBatch } from '../../apps/worker/batch-import/import.ts';
import { startThreads } from '../../apps/worker/threads/pool.ts';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const setting: Omit<FindingAidSetting, 'deepest'> = {
  flags: { includeUnpublished: true, includeDaos: true, includeUris: true, numberedComponents: false },
  label: readValueLabels(),
  product: 'Muniment',
  createdAt: '2026-01-01',
  includeArks: false,
};
const formats = {
  'EAD 2002': (tree: ExportTree): AsyncIterable<string> =>
    writeEad2002(tree.root.record, tree.blocks, { ...setting, deepest: tree.deepest }),
  EAD3: (tree: ExportTree): AsyncIterable<string> =>
    writeEad3(tree.root.record, tree.blocks, { ...setting, deepest: tree.deepest }),
  NDJSON: (tree: ExportTree): AsyncIterable<string> => ndjsonLines(tree.root.record, tree.blocks, true),
};

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    await prepareTemplate(url);
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000 });
    const small = await plant(database, Math.round(components / 10), 'small');
    const large = await plant(database, components, 'large');
    await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
    const rows: BenchRow[] = [];
    for (const [name, write] of Object.entries(formats)) {
      const before = await measure(database, small, write, folder);
      const now = await measure(database, large, write, folder);
      rows.push(
        {
          name: `${name} of ${components} components against writing its ${Math.round(now.bytes / 1e6)} MB`,
          value: rounded(now.bytes / 1e6 / now.seconds),
          unit: 'MB/s',
          baseline: rounded(now.bytes / 1e6 / now.writeSeconds),
          ratio: rounded(now.writeSeconds / now.seconds),
        },
        { name: `${name}, components`, value: Math.round(components / now.seconds), unit: 'components/s' },
        {
          name: `${name}, first byte`,
          value: Math.round(now.firstMs),
          unit: 'ms',
          target: 1000,
          pass: now.firstMs <= 1000,
        },
        {
          name: `${name}, largest memory of the process against a tenth of the size`,
          value: Math.round(now.peak / 1e6),
          unit: 'MB',
          baseline: Math.round(before.peak / 1e6),
          ratio: rounded(now.peak / before.peak),
          target: 1.25,
          pass: now.peak / before.peak <= 1.25,
        },
        {
          name: `${name}, event loop held, 99th percentile (longest ${Math.round(now.longestMs)} ms)`,
          value: rounded(now.heldMs),
          unit: 'ms',
        },
      );
    }
    return rows;
  });
}

type Planted = { readonly repoId: number; readonly id: number };

async function plant(database: Database, count: number, name: string): Promise<Planted> {
  const [{ id: repoId } = { id: 0 }] = await database.write(sql.type(IdRow)`
    SELECT nextval('repository_id_seq')::int AS id`);
  const threads = await startThreads(2);
  try {
    let saved = '';
    await database.transaction(
      (tx) =>
        importBatch(
          tx,
          {
            source: () => findingAidBytes(repoId, name, count),
            blockBytes: 500_000,
            repoId,
            actor: 'bench',
            migration: false,
            onSaved: async (_tx, ...pieces) => {
              for (const piece of pieces) if (piece.includes('/resources/')) saved = piece;
            },
          },
          { threads, signal: new AbortController().signal, progress: () => undefined },
        ),
      { statementTimeoutMs: 600_000 },
    );
    const uri = /"(\/repositories\/\d+\/resources\/\d+)"/.exec(saved)?.[1] ?? '';
    return { repoId, id: parseUri(uri)?.id ?? 0 };
  } finally {
    await threads.close();
  }
}

type Measured = {
  readonly seconds: number;
  readonly writeSeconds: number;
  readonly bytes: number;
  readonly firstMs: number;
  readonly peak: number;
  readonly heldMs: number;
  readonly longestMs: number;
};

async function measure(
  database: Database,
  { repoId, id }: Planted,
  write: (tree: ExportTree) => AsyncIterable<string>,
  folder: string,
): Promise<Measured> {
  let [peak, bytes, firstMs] = [0, 0, 0];
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const started = performance.now();
  const tree = await exportTree(
    database,
    { kind: kindNamed('resource'), repoId, id },
    { publishedOnly: false, resolve: findingAidRefs, viewer: { seesSuppressed: true, mayView: () => true } },
  );
  async function* counted(): AsyncGenerator<string> {
    for await (const text of write(tree)) {
      if (bytes === 0) firstMs = performance.now() - started;
      bytes += Buffer.byteLength(text);
      yield text;
    }
  }
  await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(join(folder, 'export')));
  const seconds = (performance.now() - started) / 1000;
  loop.disable();
  clearInterval(watch);
  const piece = Buffer.alloc(65_536, 'x');
  function* same(): Generator<Buffer> {
    for (let at = 0; at < bytes; at += piece.length) yield piece;
  }
  const again = performance.now();
  await pipeline(Readable.from(same(), { objectMode: false }), createWriteStream(join(folder, 'same')));
  return {
    seconds,
    writeSeconds: (performance.now() - again) / 1000,
    bytes,
    firstMs,
    peak,
    heldMs: loop.percentile(99) / 1e6,
    longestMs: loop.max / 1e6,
  };
}

if (import.meta.main) console.table(await run());
