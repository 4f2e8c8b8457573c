// The threads of an API process that write large exports, so that the event loop is there for other requests and a document has several
// processors. They start with the first such export, and end when none was asked for a while (docs/decisions/0053).
import { availableParallelism } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { Piscina } from 'piscina';
import type { Config } from '#domain/config.ts';
import type { RunParts, WrittenRun } from '#domain/formats/writing/tree-runs.ts';
import { joinRuns } from '#domain/formats/writing/tree-runs.ts';
import type { Database } from '#store/connection/database.ts';
import { makeResolving } from '#store/exports/read-tree.ts';
import type { SlowStatement } from '#store/observing/slow-statements.ts';
import type { Outline } from '#store/trees/outline.ts';
import type { DocumentAsked, RunAsked, RunWritten } from './run-of-export.ts';
import { writeRunOf } from './run-of-export.ts';

/** What a thread is started with; it is copied into it. */
export type ExportThreadSettings = {
  readonly nice: number;
  readonly rowsChecked: number;
  readonly slowStatements: { readonly limitMs: number; readonly withPlans: boolean };
};

/** What comes back of a run, with the slow statements of the thread since it told of any. */
export type FromExportThread = Omit<RunWritten, 'text'> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly slow: readonly SlowStatement[];
};

/** A document to be written: what threads are told, the components, the parts of the document, and what ends it. */
export type DocumentToWrite = {
  readonly asked: Omit<DocumentAsked, 'number' | 'from'>;
  readonly outline: Outline;
  readonly parts: RunParts;
  readonly signal: AbortSignal;
};

type Log = Pick<FastifyBaseLogger, 'warn'>;

/** Trees of fewer components are written before threads would have started. */
const fewest = 2000;
/** Components of a run: a megabyte of text or so. */
const runSize = 256;
/** Like the worker's, who works for nobody that waits at a screen either. */
const nice = 5;

/** The threads. Dispose to end them. */
export class ExportThreads implements AsyncDisposable {
  readonly #count: number;
  readonly #settings: ExportThreadSettings;
  #pool: Piscina<RunAsked, FromExportThread> | undefined;
  #documents = 0;

  constructor(config: Config) {
    this.#count = config.MUNIMENT_EXPORT_THREADS ?? Math.max(1, Math.min(4, availableParallelism() - 1));
    this.#settings = {
      nice,
      rowsChecked: config.MUNIMENT_ROWS_CHECKED,
      slowStatements: {
        limitMs: config.MUNIMENT_SLOW_STATEMENT_MS,
        withPlans: config.MUNIMENT_SLOW_STATEMENT_PLANS,
      },
    };
  }

  /** Whether a document of so many components is for the threads. */
  takes(components: number): boolean {
    return this.#count > 0 && components > fewest;
  }

  /**
   * The document in pieces, in order: the head at once, and no more than two runs a thread ahead of whoever takes them. A run that a thread cannot
   * write, or that repeats an id of one before it, is written here.
   */
  async *write(database: Database, toWrite: DocumentToWrite, log: Log): AsyncGenerator<string | Uint8Array> {
    yield* joinRuns(this.#runs(database, toWrite, log), toWrite.parts);
  }

  async *#runs(
    database: Database,
    { asked, outline, parts, signal }: DocumentToWrite,
    log: Log,
  ): AsyncGenerator<WrittenRun> {
    const document: DocumentAsked = { ...asked, number: (this.#documents += 1), from: database.readsFrom };
    const resolving = makeResolving(document.resolve);
    const encoder = new TextEncoder();
    const ahead: { readonly part: Outline; readonly run: Promise<FromExportThread | null> }[] = [];
    let [at, hiddenBelow] = [0, Number.POSITIVE_INFINITY];
    const ask = (): void => {
      if (at >= outline.ids.length) return;
      const part = { ids: outline.ids.slice(at, at + runSize), depths: outline.depths.slice(at, at + runSize) };
      at += runSize;
      ahead.push({ part, run: this.#inThread({ document, part }, log) });
    };
    for (let count = 0; count < 2 * this.#count; count++) ask();
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      signal.throwIfAborted();
      const { part } = next;
      const run = await next.run;
      ask();
      const isBelowHidden = (part.depths[0] ?? 1) > hiddenBelow;
      if (run !== null && !isBelowHidden && parts.ids.claimAll(run.ids)) {
        hiddenBelow = run.hiddenBelow;
        yield run;
        continue;
      }
      const written = await writeRunOf(database, { document, part, hiddenBelow }, resolving, parts);
      hiddenBelow = written.hiddenBelow;
      yield { ...written, bytes: encoder.encode(written.text) };
    }
  }

  /** A run by a thread; null where it could not write it, which is told: whoever asked does it then, and is told what is wrong. */
  async #inThread(asked: RunAsked, log: Log): Promise<FromExportThread | null> {
    this.#pool ??= new Piscina<RunAsked, FromExportThread>({
      filename: new URL('export-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: this.#count,
      idleTimeout: 60_000,
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 },
    });
    try {
      const run = await this.#pool.run(asked);
      for (const one of run.slow) log.warn({ event: 'slow_statement', ...one });
      return run;
    } catch (error) {
      log.warn({ event: 'export_thread_failed', err: error });
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.destroy();
  }
}
