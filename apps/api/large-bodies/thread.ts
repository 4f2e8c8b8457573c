// The thread for large bodies: the same routes on a server of their own, with a few connections of their own. It is told by large-bodies.ts
// where to listen, and when to end.
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { Database } from '#store/connection/database.ts';
import { patienceOfRequests } from '#store/connection/lock-waits.ts';
import { Listener } from '#store/connection/listener.ts';
import { openFileStorage } from '#store/files/open-storage.ts';
import { watchForService } from '../../open.ts';
import { makeServices } from '../make-services.ts';
import { allRoutes } from '../all-routes.ts';
import { buildServer } from '../server.ts';
import type { FromThread, ThreadSettings } from './large-bodies.ts';

/** Bodies of this size are few at a time; whoever comes when all are taken waits. */
const poolSize = 4;

const port = parentPort;
if (port === null) throw new Error('this is a thread of the API');
const say = (message: FromThread): void => port.postMessage(message);
// What started the thread.
const { config, url, directUrl, socketPath } = workerData as ThreadSettings;
// Requests are in the log of the process already.
const log = pino({ level: 'warn' }, { write: (line: string) => say({ line }) });
const opened = new AsyncDisposableStack();
if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
  const { startTelemetry } = await import('../../telemetry.ts');
  opened.use(startTelemetry(config, 'large-bodies', log));
}
const database = opened.use(
  new Database({
    url,
    poolSize,
    applicationName: 'muniment-large-bodies',
    lockPatience: patienceOfRequests,
    files: openFileStorage(config),
  }),
);
opened.use(watchForService(database, config, log));
const listener = opened.use(
  new Listener({ url: directUrl, onError: (error) => log.warn({ event: 'listen_lost', err: error }) }),
);
// Large bodies write: no replica answers them.
const services = await makeServices({
  config: { ...config, DATABASE_REPLICA_URL: undefined },
  database,
  listener,
  log,
});
opened.defer(() => services.close());
// What is in front of it is this process itself, which has found out whose word on the client's address counts.
const server = buildServer({ ...services, config: { ...config, MUNIMENT_TRUST_PROXY: '1' } }, allRoutes());
opened.defer(() => server.close());
port.once('message', () => {
  // The only message there is.
  void opened.disposeAsync().finally(() => port.close());
});
await server.listen({ path: socketPath });
say({ ready: true });
