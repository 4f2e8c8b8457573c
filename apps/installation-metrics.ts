// What the database tells of the whole installation, whichever process asks: what waits for the workers, the index, harvesters and webhooks,
// and figures of PostgreSQL itself that are worth an alert.
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Database } from '#store/connection/database.ts';
import type { Vitals } from '#store/doctor/vitals.ts';
import { readVitals } from '#store/doctor/vitals.ts';
import { readOaiLag } from '#store/oai/lag.ts';
import { readQueueCounts } from '#store/queue/activations.ts';
import { countJobsByType, readQueueDepth } from '#store/queue/depth.ts';
import { readIndexLag } from '#store/search/lag.ts';

/** Adds the gauges; the function reads them. They keep their last value where the database is away. */
export function addInstallation(
  registry: Registry,
  database: Database,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const setBacklog = makeBacklog(registry);
  const setVitals = makeVitals(registry);
  return async () => {
    try {
      await Promise.all([setBacklog(database), readVitals(database.reader).then(setVitals)]);
    } catch (error) {
      onError(error);
    }
  };
}

function makeBacklog(registry: Registry): (database: Database) => Promise<void> {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const queued = gauge('muniment_jobs_queued', 'Jobs that wait.');
  const running = gauge('muniment_jobs_running', 'Jobs that run.');
  const oldest = gauge('muniment_jobs_oldest_wait_seconds', 'How long the oldest job that is due has waited.');
  const jobs = new Gauge({
    name: 'muniment_jobs',
    help: 'Jobs by type and state: queued, running, failed in the last hour.',
    labelNames: ['type', 'state'] as const,
    registers: [registry],
  });
  const queues = new Gauge({
    name: 'muniment_queue',
    help: "pg-boss's own counts of its queues: ready, deferred, active, failed. Activations of mailboxes, and schedules.",
    labelNames: ['queue', 'state'] as const,
    registers: [registry],
  });
  const due = gauge(
    'muniment_index_due',
    'Records that are to be indexed: changed, imported or restored ones, and what hangs on them.',
  );
  const lag = gauge(
    'muniment_index_lag_seconds',
    'Age of the oldest change that search does not show yet, of one record or many.',
  );
  const oaiLag = gauge('muniment_oai_lag_seconds', 'Age of the oldest change that harvesters do not see yet.');
  return async (database) => {
    const [depth, byType, inQueues, index, oai] = await Promise.all([
      readQueueDepth(database.reader),
      countJobsByType(database.reader),
      readQueueCounts(database.reader),
      readIndexLag(database),
      readOaiLag(database.reader),
    ]);
    queued.set(depth.queued);
    running.set(depth.running);
    oldest.set(depth.waitingSeconds);
    // Types that are no longer among them would keep their last value.
    jobs.reset();
    for (const { type, state, count } of byType) jobs.set({ type, state }, count);
    for (const { queue, ...counts } of inQueues)
      for (const [state, count] of Object.entries(counts)) queues.set({ queue, state }, count);
    due.set(index.records);
    lag.set(index.waitingSeconds);
    oaiLag.set(oai.waitingSeconds);
  };
}

// What each is called and means, by the name of the figure. What is not known has no line: absent() tells it.
const vitals: readonly (readonly [keyof Vitals, name: string, help: string])[] = [
  ['sizeBytes', 'muniment_database_size_bytes', 'Size of the database.'],
  ['freeBytes', 'muniment_database_free_bytes', 'Free on the disk of the database, where that is this machine’s.'],
  [
    'wraparound',
    'muniment_database_wraparound_ratio',
    'Transaction numbers used since the oldest row not frozen, of 1.',
  ],
  ['transactionSeconds', 'muniment_database_oldest_transaction_seconds', 'Age of the oldest open transaction.'],
  ['connections', 'muniment_database_server_connections', 'Connections of the server, of all programs.'],
  ['connectionsLimit', 'muniment_database_server_connections_limit', 'Connections that the server takes.'],
  ['slotBytes', 'muniment_database_slot_bytes', 'Log that the furthest behind of the replication slots keeps.'],
  ['workers', 'muniment_workers', 'Worker processes that are connected.'],
  ['unsequencedSeconds', 'muniment_feed_lag_seconds', 'Age of the oldest change that is not in the feed yet.'],
  ['deliveriesPending', 'muniment_webhook_deliveries_pending', 'Deliveries of webhooks that wait.'],
  ['deliveriesDead', 'muniment_webhook_deliveries_dead', 'Deliveries of webhooks of the last day that were given up.'],
  ['backupSeconds', 'muniment_backup_age_seconds', 'Age of the newest backup by npm run backup.'],
];

function makeVitals(registry: Registry): (values: Vitals) => void {
  const gauges = vitals.map(([key, name, help]) => {
    const gauge = new Gauge({ name, help, labelNames: [], registers: [registry] });
    // A gauge without labels begins at 0, which would be a figure.
    gauge.remove();
    return { key, gauge };
  });
  return (values) => {
    for (const { key, gauge } of gauges) {
      const value = values[key];
      if (value === null) gauge.remove();
      else gauge.set(value);
    }
  };
}
