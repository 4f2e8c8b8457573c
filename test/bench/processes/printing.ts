// The child process behind the benchmark of printing: prints one finding aid into a file as the job does, its thread in this process, and prints
// what that took as JSON.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { kindNamed } from '#domain/addresses.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { Database } from '#store/connection/database.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { print } from '../../../apps/worker/formats/print.ts';
import { startThreads } from '../../../apps/worker/threads/pool.ts';

/** What to print; `file` is where. */
export type AskedPrint = {
  readonly url: string;
  readonly repoId: number;
  readonly id: number;
  readonly file: string;
};

/** What it took; `peak` and `bytes` in bytes. */
export type PrintTook = {
  readonly seconds: number;
  readonly bytes: number;
  readonly pages: number;
  readonly components: number;
  readonly peak: number;
};

async function measure({ url, repoId, id, file }: AskedPrint): Promise<PrintTook> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000, rowsChecked: 2 });
  const threads = await startThreads(1);
  try {
    const started = performance.now();
    const tree = await exportTree(
      database,
      { kind: kindNamed('resource'), repoId, id },
      { publishedOnly: false, resolve: findingAidRefs, viewer: { seesSuppressed: true, mayView: () => true } },
    );
    const about = {
      logo: null,
      flags: { includeUnpublished: true, includeDaos: true, includeUris: false, numberedComponents: false },
      product: 'Muniment',
      createdAt: '2026-01-01',
      includeArks: false,
      deepest: tree.deepest,
    };
    let [bytes, pages, components] = [0, 0, 0];
    async function* printed(): AsyncGenerator<Uint8Array> {
      const options = { signal: new AbortController().signal, onRecords: () => undefined };
      const pieces = print(threads, tree, about, options);
      for (;;) {
        const step = await pieces.next();
        if (step.done === true) {
          ({ pages, components } = step.value);
          return;
        }
        bytes += step.value.length;
        yield step.value;
      }
    }
    await pipeline(Readable.from(printed(), { objectMode: false }), createWriteStream(file));
    return { seconds: (performance.now() - started) / 1000, bytes, pages, components, peak };
  } finally {
    clearInterval(watch);
    await threads.close();
  }
}

process.stdout.write(JSON.stringify(await measure(JSON.parse(await text(process.stdin)))));
