// The child process behind the benchmark of exports: writes one tree into a file in one format, and prints what that took as JSON. A process
// of its own, so that its memory is that of an export.
import { createWriteStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { kindNamed } from '#domain/addresses.ts';
import { readConfig } from '#domain/config.ts';
import { labelRefs, labelRows } from '#domain/formats/container-labels/rows.ts';
import { ndjsonLines } from '#domain/formats/ndjson/lines.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { Database } from '#store/connection/database.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { ExportTree } from '#store/exports/read-tree.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { ExportThreads } from '../../../apps/api/exports/export-threads.ts';
import { exportInParts } from '../../../apps/api/exports/run-of-export.ts';

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

type Written = {
  readonly refs: readonly string[];
  readonly computed?: true;
  readonly publishedOnly?: true;
  readonly write: (tree: ExportTree, database: Database, asked: Asked) => AsyncIterable<string | Uint8Array>;
};

const threads = new ExportThreads(readConfig(process.env));

/** As the route has it written, by threads. */
const inThreads =
  (includesUnpublished: boolean, options: { readonly [name: string]: unknown } = {}): Written['write'] =>
  ({ root, outline, deepest }, database, { repoId }) => {
    const asked = {
      name: 'Ead',
      options: { include_daos: true, include_uris: true, ...options },
      kind: 'resource',
      repoId,
      publishedOnly: !includesUnpublished,
      resolve: findingAidRefs,
      viewer: { seesSuppressed: false, seesPlain: true },
      views: 'all',
      context: {
        repository: null,
        includesUnpublished,
        publicUrl: '',
        serviceUrl: '',
        now: new Date(),
        product: 'Muniment',
        showsArks: false,
        release: 'R-B',
      },
      deepest,
    } as const;
    const context = { ...asked.context, label: readValueLabels() };
    const parts = exportInParts(asked.name).parts({ root: root.record, deepest }, context, asked.options);
    return threads.write(
      database,
      { asked, outline, parts, signal: new AbortController().signal },
      { warn: (what: unknown) => process.stderr.write(`${JSON.stringify(what)}\n`) },
    );
  };

const formats: { readonly [name: string]: Written } = {
  'EAD 2002': { refs: findingAidRefs, write: inThreads(true) },
  'EAD 2002 of what is published': { refs: findingAidRefs, publishedOnly: true, write: inThreads(false) },
  EAD3: { refs: findingAidRefs, write: inThreads(true, { ead3: true }) },
  'Container labels': { refs: labelRefs, write: ({ root, blocks }) => labelRows(root.record, blocks) },
  NDJSON: {
    refs: findingAidRefs,
    computed: true,
    write: ({ root, blocks }) => ndjsonLines(root.record, blocks, { includeUnpublished: true, repeatsResolved: false }),
  },
};

async function pieces(asked: Asked): Promise<AsyncIterable<string | Uint8Array>> {
  const { url, repoId, id, format } = asked;
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
  return ended(written.write(tree, database, asked), database);
}

async function* ended(
  all: AsyncIterable<string | Uint8Array>,
  database: Database,
): AsyncGenerator<string | Uint8Array> {
  await using _closed = database;
  await using _ended = threads;
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
  async function* counted(): AsyncGenerator<string | Uint8Array> {
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
