// Starts a worker on an open database: threads, the loop over jobs, the sequencer of the change log, the indexer, and the schedules.
import { join } from 'node:path';
import type { Config } from '#domain/config.ts';
import { namingFrom } from '#domain/identifiers/naming.ts';
import { readCaller } from '#store/access/grants.ts';
import type { Database } from '#store/connection/database.ts';
import type { Listener } from '#store/connection/listener.ts';
import type { Schedule } from '#store/queue/schedule.ts';
import { startSchedules } from '#store/queue/schedule.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { openSearch } from '#store/search/open.ts';
import { runSequencer } from '#store/change-log/sequencer.ts';
import { runIndexer } from './followers/indexer.ts';
import { runOai } from './followers/oai.ts';
import type { JobOptions } from './handler.ts';
import { handlers } from './jobs/index.ts';
import { startWorker } from './running/worker.ts';
import { runWebhooks } from './followers/webhooks/run.ts';
import type { Threads } from './threads/pool.ts';
import { startThreads } from './threads/pool.ts';

/** What startWork needs; the database is the caller's to close afterwards. `schedules: false` leaves jobs by the clock to others; `threads` are the caller's, in place of its own. */
export type WorkSettings = {
  readonly config: Config;
  readonly database: Database;
  readonly listener: Listener;
  readonly directUrl: string;
  readonly log: (event: string, fields: object) => void;
  readonly schedules?: boolean;
  readonly threads?: Threads;
};

/** Work in progress. Dispose to stop: running jobs end or are given back. */
export type RunningWork = AsyncDisposable & { readonly running: number };

/** What a worker does by the clock: the jobs whose declarations say when. */
export function schedulesOf(config: Config): readonly Schedule[] {
  return handlers.flatMap((handler) => {
    const due = handler.schedule(config);
    return due === null ? [] : [{ name: handler.declaration.name, ...due }];
  });
}

/** What the operator chose for jobs. */
export const jobOptionsOf = (config: Config): JobOptions => ({
  importFaults: config.MUNIMENT_IMPORT_FAULTS,
  eadAgents: config.MUNIMENT_EAD_AGENTS,
  release: config.MUNIMENT_RELEASE,
  customReports: config.MUNIMENT_CUSTOM_REPORTS,
  diskReserveBytes: config.MUNIMENT_DISK_RESERVE_MB * 1e6,
  allowPrivate: config.MUNIMENT_WEBHOOK_ALLOW_PRIVATE,
  showsContacts: !config.MUNIMENT_PROTECT_CONTACTS,
  migrations: {
    sources: config.MUNIMENT_MIGRATION_SOURCES ?? [],
    folder: config.MUNIMENT_MIGRATION_FOLDER ?? join(config.MUNIMENT_DATA_DIR, 'migrations'),
  },
});

/** Starts everything that a worker process does. */
export async function startWork(settings: WorkSettings): Promise<RunningWork> {
  const { config, database, listener, directUrl, log } = settings;
  const renewing = await renewOldIndex(database);
  if (renewing !== null) log('index_renewal', { job: renewing });
  const threads = settings.threads ?? (await startThreads(config.MUNIMENT_WORKER_THREADS));
  const stopping = new AbortController();
  const { mirror } = openSearch(database, config);
  const onError =
    (what: string) =>
    (error: unknown): void =>
      log(what, { err: error });
  const diskReserveBytes = config.MUNIMENT_DISK_RESERVE_MB * 1e6;
  const following = [
    runSequencer({ database, listener, signal: stopping.signal, onError: onError('sequencer_failed') }),
    runWebhooks({
      database,
      listener,
      allowPrivate: config.MUNIMENT_WEBHOOK_ALLOW_PRIVATE,
      signal: stopping.signal,
      onError: onError('webhooks_failed'),
    }),
    runIndexer({
      database,
      listener,
      threads,
      signal: stopping.signal,
      mirror,
      diskReserveBytes,
      onError: onError('indexer_failed'),
    }),
    runOai({ database, listener, signal: stopping.signal, onError: onError('oai_failed') }),
  ];
  const options = jobOptionsOf(config);
  const worker = await startWorker({
    database,
    listener,
    directUrl,
    handlers,
    threads,
    concurrency: config.MUNIMENT_WORKER_CONCURRENCY,
    readCaller,
    naming: namingFrom(config),
    searchMirror: mirror,
    options,
    log,
  });
  const stopSchedules =
    settings.schedules === false
      ? null
      : await startSchedules({
          database,
          directUrl,
          schedules: schedulesOf(config),
          onError: onError('schedule_failed'),
        });
  return {
    get running() {
      return worker.running;
    },
    [Symbol.asyncDispose]: async () => {
      await stopSchedules?.();
      await worker.stop();
      stopping.abort();
      await Promise.all(following);
      if (settings.threads === undefined) await threads.close();
    },
  };
}
