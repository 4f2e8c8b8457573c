// The child process behind the benchmark of exports: writes one tree into a file in one format, and prints what that took as JSON. A process
// of its own, so that its memory is that of an export.
import { createWriteStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { kindNamed } from '#domain/addresses.ts';
import { labelRefs, labelRows } from '#domain/formats/container-labels/rows.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { ndjsonLines } from '#domain/formats/ndjson/lines.ts';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { Database } from '#store/connection/database.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { ExportTree } from '#store/exports/read-tree.ts';
import { exportTree } from '#store/exports/read-tree.ts';

/** What to write: a format of `written`, or 'bodies', the yardstick: the stored bodies as they are, by a cursor in the order of ids. */
export type Asked = {
  readonly url: string;
  readonly repoId: number;
  readonly id: number;
  readonly format: string;
  readonly file: string;
};

/** What it took; `peak` in bytes, `heldMs` the 99th percentile of what the event loop was held. */
export type Took = {
  readonly seconds: number;
  readonly bytes: number;
  readonly firstMs: number;
  readonly peak: number;
  readonly heldMs: number;
  readonly longestMs: number;
};

const setting: Omit<FindingAidSetting, 'deepest'> = {
  flags: { includeUnpublished: true, includeDaos: true, includeUris: true, numberedComponents: false },
  label: readValueLabels(),
  product: 'Muniment',
  createdAt: '2026-01-01',
  includeArks: false,
};
const published: Omit<FindingAidSetting, 'deepest'> = {
  ...setting,
  flags: { ...setting.flags, includeUnpublished: false },
};

type Written = {
  readonly refs: readonly string[];
  readonly computed?: true;
  readonly publishedOnly?: true;
  readonly write: (tree: ExportTree) => AsyncIterable<string>;
};

const formats: { readonly [name: string]: Written } = {
  'EAD 2002': {
    refs: findingAidRefs,
    write: ({ root, blocks, deepest }) => writeEad2002(root.record, blocks, { ...setting, deepest }),
  },
  'EAD 2002 of what is published': {
    refs: findingAidRefs,
    publishedOnly: true,
    write: ({ root, blocks, deepest }) => writeEad2002(root.record, blocks, { ...published, deepest }),
  },
  EAD3: {
    refs: findingAidRefs,
    write: ({ root, blocks, deepest }) => writeEad3(root.record, blocks, { ...setting, deepest }),
  },
  'Container labels': { refs: labelRefs, write: ({ root, blocks }) => labelRows(root.record, blocks) },
  NDJSON: {
    refs: findingAidRefs,
    computed: true,
    write: ({ root, blocks }) => ndjsonLines(root.record, blocks, { includeUnpublished: true, repeatsResolved: false }),
  },
};

async function pieces({ url, repoId, id, format }: Asked): Promise<AsyncIterable<string> & Partial<AsyncDisposable>> {
  const written = formats[format];
  if (written === undefined) return bodies(url, repoId);
  // As a service in production has it.
  const database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000, rowsChecked: 2 });
  const tree = await exportTree(
    database,
    { kind: kindNamed('resource'), repoId, id },
    {
      publishedOnly: written.publishedOnly === true,
      resolve: written.refs,
      viewer: { seesSuppressed: true, mayView: () => true },
      ...(written.computed === undefined ? {} : { computed: written.computed }),
    },
  );
  return ended(written.write(tree), database);
}

async function* ended(all: AsyncIterable<string>, database: Database): AsyncGenerator<string> {
  await using _closed = database;
  yield* all;
}

async function* bodies(url: string, repoId: number): AsyncGenerator<string> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (value: string) => value } });
  await client.connect();
  await client.query('BEGIN READ ONLY');
  await client.query(
    `DECLARE bodies NO SCROLL CURSOR FOR SELECT body FROM record WHERE kind = 'archival_object' AND repo_id = ${repoId} ORDER BY id`,
  );
  for (;;) {
    const { rows } = await client.query<{ body: string }>('FETCH 64 FROM bodies');
    if (rows.length === 0) break;
    yield `${rows.map(({ body }) => body).join('\n')}\n`;
  }
  await client.end();
}

async function measure(asked: Asked): Promise<Took> {
  let [peak, bytes, firstMs] = [0, 0, 0];
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const started = performance.now();
  async function* counted(): AsyncGenerator<string> {
    for await (const piece of await pieces(asked)) {
      if (bytes === 0) firstMs = performance.now() - started;
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  }
  await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(asked.file));
  const seconds = (performance.now() - started) / 1000;
  loop.disable();
  clearInterval(watch);
  return { seconds, bytes, firstMs, peak, heldMs: loop.percentile(99) / 1e6, longestMs: loop.max / 1e6 };
}

process.stdout.write(JSON.stringify(await measure(JSON.parse(await text(process.stdin)))));
