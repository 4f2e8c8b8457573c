// Numbers for operators in Prometheus' text form at /metrics: requests, event loop, connections of the database,
// jobs that wait and the lag of the index.
// Shown to connections from this machine that no proxy forwarded, and to holders of administer_system: the numbers name
// no record, but they tell how the service is used.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import { fail } from '#domain/errors.ts';
import { can } from '#domain/access/caller.ts';
import { readOaiLag } from '#store/oai/lag.ts';
import { readQueueCounts } from '#store/queue/activations.ts';
import { countJobsByType, readQueueDepth } from '#store/queue/depth.ts';
import { readIndexLag } from '#store/search/lag.ts';
import type { Services } from '../services.ts';

/** How often the event loop is looked at. */
const lookEveryMs = 20;

/** Adds the measuring hooks and GET /metrics. The registry is the server's own, so that several servers live in one process. */
export function addMetrics(app: FastifyInstance, services: Services): void {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'muniment_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its reply.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const delay = monitorEventLoopDelay({ resolution: lookEveryMs });
  delay.enable();
  addGauge(
    registry,
    'muniment_event_loop_delay_p99_seconds',
    'Delay of the event loop since the last reading, 99th percentile.',
    () => {
      // Node's readings contain the time between two looks.
      const seconds = Math.max(0, delay.percentile(99) / 1e9 - lookEveryMs / 1000);
      delay.reset();
      return seconds;
    },
  );
  addGauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  addGauge(registry, 'process_heap_used_bytes', 'Memory of JavaScript values.', () => process.memoryUsage().heapUsed);
  addGauge(
    registry,
    'process_cpu_seconds',
    'Processor time used since the start.',
    () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  );
  const pool = services.database;
  addGauge(
    registry,
    'muniment_database_connections',
    'Connections of the pool that are open.',
    () => pool.poolUse.total,
  );
  addGauge(
    registry,
    'muniment_database_connections_idle',
    'Open connections that nobody uses.',
    () => pool.poolUse.idle,
  );
  addGauge(
    registry,
    'muniment_database_connections_awaited',
    'Requests that wait for a connection.',
    () => pool.poolUse.waiting,
  );
  const backlog = makeBacklog(registry);

  // The series of a route and status is looked up by one key: finding it by its labels is most of what counting a request costs.
  const series = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${reply.statusCode} ${route}`;
    let times = series.get(key);
    if (times === undefined) {
      times = duration.labels(request.method, route, String(reply.statusCode));
      series.set(key, times);
    }
    times.observe(reply.elapsedTime / 1000);
    done();
  });
  app.addHook('onClose', async () => {
    delay.disable();
    registry.clear();
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) throw fail('access_denied', 'Access denied');
    await backlog(services);
    return reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Gauges of what waits for the workers and the index; the function reads them. They keep their last value where the database is away. */
function makeBacklog(registry: Registry): (services: Services) => Promise<void> {
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
  return async ({ database, log }) => {
    try {
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
    } catch (error) {
      log.warn({ event: 'backlog_not_read', err: error });
    }
  };
}

function mayRead(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isLocal = address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
  const isForwarded =
    request.headers['x-forwarded-for'] !== undefined ||
    request.headers['forwarded'] !== undefined ||
    request.headers['via'] !== undefined;
  return (isLocal && !isForwarded) || can(request.caller, 'administer_system', null);
}
