// The worker's loop: claim jobs, have them run (run.ts), end those that are canceled, and take back the jobs of workers that died.
// How a mailbox keeps order and what happens when a process is killed: docs/decisions/0007.
import type { Listener } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';
import { cancelChannel, queueChannel } from '#store/queue/channels.ts';
import type { ClaimedJob, PassedOver } from '#store/queue/claim.ts';
import { claimJob } from '#store/queue/claim.ts';
import { readCanceled, recoverJobs } from '#store/queue/mailbox.ts';
import type { Presence } from '#store/queue/presence.ts';
import { openPresence } from '#store/queue/presence.ts';
import { sweepActivations } from '#store/queue/sweep.ts';
import type { JobHandler } from '../handler.ts';
import type { RunServices } from './run.ts';
import { Ending, runJob } from './run.ts';

/** What a worker needs. Times are milliseconds; the defaults are for production. */
export type WorkerSettings = RunServices & {
  readonly listener: Listener;
  /** The database without a transaction pooler: the worker's presence is a connection. */
  readonly directUrl: string;
  readonly handlers: readonly JobHandler[];
  /** Jobs at once. Each takes up to two connections of the pool. */
  readonly concurrency: number;
  readonly pollMs?: number;
  readonly recoverMs?: number;
  readonly sweepMs?: number;
  /** How long `stop` lets running jobs go on before it gives them back. */
  readonly drainMs?: number;
};

/** A worker at work. */
export type Worker = {
  /** Claims nothing more, lets what runs end within drainMs, gives the rest back, and returns when all is at rest. */
  stop(): Promise<void>;
  /** Jobs now running; for metrics. */
  readonly running: number;
};

type Run = { readonly job: ClaimedJob; readonly abort: (ending: Ending) => void; readonly done: Promise<void> };

/** A run that goes on this long after its time limit counts as hung and is taken back by any worker. */
const graceSeconds = 60;

/** Starts a worker. It keeps trying where the database is away; nothing is thrown after the start. */
export async function startWorker(settings: WorkerSettings): Promise<Worker> {
  const {
    database,
    listener,
    handlers,
    concurrency,
    log,
    pollMs = 500,
    recoverMs = 1000,
    sweepMs = 60_000,
    drainMs = 10_000,
  } = settings;
  const byName = new Map(handlers.map((handler) => [handler.declaration.name, handler]));
  const deadlines = Object.fromEntries(
    handlers.map(({ declaration }) => [declaration.name, declaration.timeoutSeconds + graceSeconds]),
  );
  const runs = new Map<number, Run>();
  const stopping = new AbortController();
  const bell = createWaker();
  let presence: Presence | undefined;
  const passedOver: PassedOver = new Map();

  const abortAll = (ending: Ending): void => {
    for (const run of runs.values()) run.abort(ending);
  };
  const ensurePresence = async (): Promise<Presence> => {
    if (presence === undefined || presence.isLost()) {
      presence = await openPresence(settings.directUrl, () => {
        log('worker_presence_lost', { jobs: [...runs.keys()] });
        abortAll(new Ending('presence_lost'));
        bell.wake();
      });
    }
    return presence;
  };

  const begin = (job: ClaimedJob): void => {
    const controller = new AbortController();
    const abort = (ending: Ending): void => controller.abort(ending);
    const done = runJob({ services: settings, job, handler: byName.get(job.type), controller }).finally(() => {
      // The job may have been taken from this run and be back here under another one.
      if (runs.get(job.id)?.job.run === job.run) runs.delete(job.id);
      // Mailboxes may be among them that only waited for a place for a long job.
      if (job.isLong) passedOver.clear();
      bell.wake();
    });
    runs.set(job.id, { job, abort, done });
  };

  const claimAll = async (): Promise<void> => {
    while (runs.size < concurrency && !stopping.signal.aborted) {
      const here = await ensurePresence();
      const long = [...runs.values()].filter(({ job }) => job.isLong).length;
      const job = await claimJob(database, {
        worker: here.worker,
        deadlines,
        withLong: long < Math.max(1, concurrency - 1),
        passedOver,
        onAbsent: () => here.lose(),
      });
      if (job === null) return;
      begin(job);
      // The presence may have ended while the claim was under way; then nobody else told this run.
      if (here.isLost()) runs.get(job.id)?.abort(new Ending('presence_lost'));
    }
  };

  const unsubscribes = [
    await listener.subscribe(queueChannel, (mailbox) => {
      // Without a name after a reconnect: anything may have been missed.
      if (mailbox === null) passedOver.clear();
      else passedOver.delete(mailbox);
      bell.wake();
    }),
    await listener.subscribe(cancelChannel, (payload) =>
      runs.get(Number(payload ?? Number.NaN))?.abort(new Ending('canceled')),
    ),
  ];
  const sweep = async (): Promise<void> => {
    const swept = await sweepActivations(database);
    if (swept.sent + swept.givenBack > 0) log('activations_swept', swept);
  };
  const watching = every(
    recoverMs,
    stopping.signal,
    async () => {
      if (runs.size > 0)
        for (const id of await readCanceled(database, [...runs.keys()])) runs.get(id)?.abort(new Ending('canceled'));
      const taken = await recoverJobs(database);
      if (taken.length === 0) return;
      log('jobs_recovered', { jobs: taken });
      // Where a backup was restored, the activations that they ran under are not there to be given back.
      await sweep();
    },
    (error) => log('worker_watch_failed', { err: error }),
  );
  const sweeping = every(sweepMs, stopping.signal, sweep, (error) => log('worker_sweep_failed', { err: error }));
  const claiming = (async () => {
    while (!stopping.signal.aborted) {
      await claimAll().catch((error: unknown) => log('worker_claim_failed', { err: error }));
      await bell.wait(pollMs, stopping.signal);
    }
  })();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([claiming, watching, sweeping]);
    const all = Promise.allSettled([...runs.values()].map(({ done }) => done));
    const timer = setTimeout(() => abortAll(new Ending('stopping')), drainMs);
    await all;
    clearTimeout(timer);
    for (const unsubscribe of unsubscribes) unsubscribe();
    await presence?.close();
  };
  return {
    stop: () => (stopped ??= stop()),
    get running() {
      return runs.size;
    },
  };
}

/** Calls `work` again and again with a pause between, until the signal. */
async function every(
  pauseMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  const bell = createWaker();
  while (!signal.aborted) {
    await work().catch(onError);
    await bell.wait(pauseMs, signal);
  }
}
