// Starts the HTTP interface on an open database: services, routes, server. apps/main.ts and apps/api/main.ts call it.
import type { FastifyInstance } from 'fastify';
import { kinds } from '#domain/kinds/index.ts';
import { notifyClients } from '#store/change-log/notifications.ts';
import { ownRoutes } from './routes/index.ts';
import type { Route } from './route.ts';
import { buildServer } from './server.ts';
import type { ApiSettings } from './make-services.ts';
import { makeServices } from './make-services.ts';
import { recordSchemas } from './openapi/record-schemas.ts';
import { withAdditions } from './record-routes/additions.ts';
import { childrenRoutes } from './record-routes/children.ts';
import { crudRoutes } from './record-routes/crud.ts';
import { exportRoutes } from './record-routes/exports.ts';
import { moveRoutes } from './record-routes/moves.ts';
import { publicationRoutes } from './record-routes/publication.ts';
import { transferRoutes } from './record-routes/transfer.ts';
import { treeRoutes } from './record-routes/tree.ts';

/** Every route of the service: those of its own areas first, then what follows from exports and kinds. The first declared wins. */
export function allRoutes(): readonly Route[] {
  const uniform = [...kinds.values()].flatMap((kind) => [
    ...crudRoutes(kind),
    ...treeRoutes(kind),
    ...moveRoutes(kind),
    ...transferRoutes(kind),
    ...childrenRoutes(kind),
    ...publicationRoutes(kind),
  ]);
  return withAdditions([...ownRoutes, ...exportRoutes, ...uniform], kinds.values());
}

/** A running API. Dispose to stop: running requests end first. */
export type RunningApi = AsyncDisposable & { readonly url: string; readonly server: FastifyInstance };

/** Listens on HOST and PORT of the configuration and gives the address. */
export async function startApi(settings: ApiSettings): Promise<RunningApi> {
  const { config } = settings;
  const services = await makeServices(settings);
  const server = buildServer(services, allRoutes(), { schemas: recordSchemas() });
  await settings.database.transaction((tx) => notifyClients(tx, 'BACKEND_STARTED'));
  const url = await server.listen({ host: config.HOST, port: config.PORT });
  return {
    url,
    server,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await services.close();
    },
  };
}
