// Two queues in one bench: what each must do, and a worker with callers that treats both alike.
import type { Database, Transaction } from '#store/connection/database.ts';
import type { Listener } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';

/** A job that was claimed; the queue's own. */
export type Held = { readonly id: number; readonly mailbox: string };

/** A queue under measurement. */
export type Contender<Job extends Held = Held> = {
  readonly name: string;
  /** Told when there may be something to claim, and when a job has ended (its id). */
  readonly channels: { readonly queue: string; readonly job: string };
  /** Its tables, for statistics. */
  readonly tables: readonly string[];
  prepare(database: Database): Promise<void>;
  enqueue(tx: Transaction, mailbox: string): Promise<number>;
  /** Makes a job in each of these mailboxes, in order and many at once. */
  fill(database: Database, mailboxes: readonly string[]): Promise<void>;
  /** A claim that remembers what a worker remembers from one claim to the next. */
  claimer(database: Database, worker: number): () => Promise<Job | null>;
  /** What every run does in its transaction: holds its job, and ends it. */
  end(tx: Transaction, job: Job): Promise<void>;
};

/** A worker at work in this process, with those who wait for its jobs. */
export type Working = AsyncDisposable & { ended(jobId: number): Promise<void>; readonly count: number };

/** Starts a worker of so many places. */
export async function startWorking<Job extends Held>(
  queue: Contender<Job>,
  {
    database,
    listener,
    worker,
    places,
  }: { readonly database: Database; readonly listener: Listener; readonly worker: number; readonly places: number },
): Promise<Working> {
  const claim = queue.claimer(database, worker);
  const bell = createWaker();
  const stopping = new AbortController();
  const waiting = new Map<number, () => void>();
  const early = new Set<number>();
  let count = 0;
  let running = 0;
  const unsubscribe = [
    await listener.subscribe(queue.channels.queue, bell.wake),
    await listener.subscribe(queue.channels.job, (payload) => {
      const id = Number(payload);
      count += 1;
      const resolve = waiting.get(id);
      if (resolve === undefined) early.add(id);
      else resolve();
    }),
  ];
  const run = async (job: Job): Promise<void> => {
    await database.transaction((tx) => queue.end(tx, job));
    running -= 1;
    bell.wake();
  };
  const working = (async () => {
    while (!stopping.signal.aborted) {
      while (running < places && !stopping.signal.aborted) {
        const job = await claim();
        if (job === null) break;
        running += 1;
        void run(job);
      }
      await bell.wait(500, stopping.signal);
    }
  })();
  return {
    get count() {
      return count;
    },
    ended: async (jobId) => {
      if (early.delete(jobId)) return;
      await new Promise<void>((resolve) => waiting.set(jobId, resolve));
      waiting.delete(jobId);
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await working;
      for (const stop of unsubscribe) stop();
    },
  };
}
