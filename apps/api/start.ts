// Starts the HTTP interface on an open database: services, routes, server. apps/main.ts and apps/api/main.ts call it.
import type { FastifyInstance } from 'fastify';
import { notifyClients } from '#store/change-log/notifications.ts';
import { openMetricsPort } from '../metrics-server.ts';
import { buildServer } from './server.ts';
import type { ApiSettings } from './make-services.ts';
import { makeServices } from './make-services.ts';
import { recordSchemas } from './openapi/record-schemas.ts';
import { allRoutes } from './all-routes.ts';
import { Drain } from './plugins/drain.ts';
import { LargeBodies } from './large-bodies/large-bodies.ts';

/** A running API. Dispose to stop: running requests end first. */
export type RunningApi = AsyncDisposable & { readonly url: string; readonly server: FastifyInstance };

/** Listens on HOST and PORT of the configuration and gives the address. */
export async function startApi(settings: ApiSettings): Promise<RunningApi> {
  const { config } = settings;
  const services = await makeServices(settings);
  const { url: databaseUrl } = settings.database.settings;
  const largeBodies = new LargeBodies({
    config,
    url: databaseUrl,
    directUrl: settings.directUrl ?? databaseUrl,
    log: settings.log,
  });
  const drain = new Drain();
  const server = buildServer(services, allRoutes(), { schemas: recordSchemas, largeBodies, drain });
  await settings.database.transaction((tx) => notifyClients(tx, 'BACKEND_STARTED'));
  services.recentFigures.begin();
  const url = await server.listen({ host: config.HOST, port: config.PORT });
  // Asked as the machine itself asks, so that both ports say the same.
  const port = await openMetricsPort(config.MUNIMENT_METRICS_HOST, config.MUNIMENT_METRICS_PORT, {
    metrics: async () => (await server.inject('/metrics')).body,
    isReady: async () => (await server.inject('/health/ready')).statusCode === 200,
  });
  return {
    url,
    server,
    [Symbol.asyncDispose]: async () => {
      await drain.run(config.MUNIMENT_DRAIN_SECONDS * 1000);
      await server.close();
      await port?.[Symbol.asyncDispose]();
      await services.close();
    },
  };
}
