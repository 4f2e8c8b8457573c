// A running sequencer and indexer on a record store, and waiting for what they do: by notification, not by time.
import { setTimeout as sleep } from 'node:timers/promises';
import { readSequencerState, runSequencer } from '#store/change-log/sequencer.ts';
import type { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { readIndexLag } from '#store/search/lag.ts';
import type { SearchMirror } from '#store/search/port.ts';
import { runIndexer } from '../../apps/worker/followers/indexer.ts';
import type { Threads } from '../../apps/worker/threads/pool.ts';
import { patience } from './patience.ts';
import { sharedThreads } from './threads.ts';

/** An indexer at work; `errors` is what it met. */
export type TestIndexer = AsyncDisposable & { readonly errors: unknown[]; readonly threads: Threads };

/** Starts sequencer and indexer in this process; `threads`: others than those that its tests share. */
export async function startIndexer(
  database: Database,
  options: { readonly batchSize?: number; readonly mirror?: SearchMirror; readonly threads?: Threads } = {},
): Promise<TestIndexer> {
  const listener = new Listener({ url: database.settings.url });
  const threads = options.threads ?? (await sharedThreads());
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const following = [
    runSequencer({ database, listener, signal: stopping.signal, onError }),
    runIndexer({ database, listener, signal: stopping.signal, onError, ...options, threads }),
  ];
  return {
    errors,
    threads,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all(following);
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** An indexer that is started when it is needed, and stopped and started again as a test likes. */
export type IndexerOnDemand = {
  /** Has one at work, and waits until nothing committed so far is left to index. */
  indexed(): Promise<void>;
  /** Ends it, if one is at work. Throws where it met an error. */
  stop(): Promise<void>;
};

/** Makes one, of batches of so many records, for the database that `open` gives when it is first needed. */
export function indexerOnDemand(open: () => Database, batchSize: number): IndexerOnDemand {
  let indexer: TestIndexer | null = null;
  return {
    indexed: async () => {
      indexer ??= await startIndexer(open(), { batchSize });
      await untilIndexed(open());
    },
    stop: async () => {
      if (indexer === null) return;
      const { errors } = indexer;
      await indexer[Symbol.asyncDispose]();
      indexer = null;
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Whether nothing committed so far is left to index. */
export async function isIndexed(database: Database): Promise<boolean> {
  const { waitingSeconds } = await readSequencerState(database);
  const { entries, pending, pendingBulk, dependents } = await readIndexLag(database);
  // Batches under way hold their rows, so these are counted until they commit.
  return waitingSeconds === 0 && entries + pending + pendingBulk + dependents === 0;
}

/** Waits until nothing committed so far is left to index; `everyMs`: how often it looks, less and less often where that is left out. Gives the milliseconds that took. */
export async function untilIndexed(database: Database, timeoutMs = 600_000, everyMs?: number): Promise<number> {
  const start = performance.now();
  const pause = everyMs === undefined ? patience() : () => sleep(everyMs);
  while (performance.now() - start < timeoutMs) {
    if (await isIndexed(database)) return performance.now() - start;
    await pause();
  }
  throw new Error(`not indexed within ${timeoutMs} ms: ${JSON.stringify(await readIndexLag(database))}`);
}
