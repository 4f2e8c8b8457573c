// Numbers for operators in Prometheus' text form at /metrics: requests, and what every process tells (apps/process-metrics.ts).
// Shown to connections from this machine that no proxy forwarded, and to holders of administer_system: the numbers name
// no record, but they tell how the service is used. MUNIMENT_METRICS_PORT shows them to whoever reaches that port.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { fail } from '#domain/errors.ts';
import { can } from '#domain/access/caller.ts';
import { addReplicas, makeProcessMetrics } from '../../process-metrics.ts';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';

/** Adds the measuring hooks and GET /metrics. The registry is the server's own, so that several servers live in one process. */
export function addMetrics(app: FastifyInstance, services: Services, routes: readonly Route[]): void {
  const metrics = makeProcessMetrics(services.database, (error) =>
    services.log.warn({ event: 'backlog_not_read', err: error }),
  );
  const { registry } = metrics;
  if (services.replicas !== null) addReplicas(registry, services.replicas);
  const duration = new Histogram({
    name: 'muniment_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its reply.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const byArea = new Histogram({
    name: 'muniment_area_duration_seconds',
    help: 'The same by area of the interface (the tag in /docs) and class of status: few series, for dashboards and alerts.',
    labelNames: ['area', 'class'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const areas = new Map(routes.map(({ path, area }) => [path, area]));

  // The series of a route and status are looked up by one key: finding them by their labels is most of what counting a request costs.
  const series = new Map<string, readonly { observe(seconds: number): void }[]>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${reply.statusCode} ${route}`;
    let times = series.get(key);
    if (times === undefined) {
      times = [
        duration.labels(request.method, route, String(reply.statusCode)),
        byArea.labels(areas.get(route) ?? 'none', `${Math.floor(reply.statusCode / 100)}xx`),
        services.recentFigures.series(request.method, areas.has(route) ? route : null, reply.statusCode),
      ];
      series.set(key, times);
    }
    for (const each of times) each.observe(reply.elapsedTime / 1000);
    done();
  });
  app.addHook('onClose', async () => metrics.close());
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) throw fail('access_denied', 'Access denied');
    return reply.header('content-type', registry.contentType).send(await metrics.text());
  });
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
