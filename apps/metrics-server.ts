// A port of its own for numbers and health, for whoever reaches it: MUNIMENT_METRICS_PORT of API and worker.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** What the port shows. */
export type Shown = { metrics(): Promise<string>; isReady(): Promise<boolean> };

/** A port that is open. */
export type MetricsServer = AsyncDisposable & { readonly url: string };

/** The longest that a readiness check waits for the database, in milliseconds. */
const patienceMs = 3_000;

/** Listens; null where the port is 0. Paths: /metrics, /health/live, /health/ready (503 where the process cannot work). */
export async function openMetricsPort(host: string, port: number, shown: Shown): Promise<MetricsServer | null> {
  if (port === 0) return null;
  const server = createServer((request, response) => {
    answer((request.url ?? '').split('?', 1)[0] ?? '', shown).then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Answer = { readonly status: number; readonly type: string; readonly text: string };

async function answer(path: string, shown: Shown): Promise<Answer> {
  const json = (status: number, word: string): Answer => ({
    status,
    type: 'application/json',
    text: `{"status":"${word}"}\n`,
  });
  switch (path) {
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: await shown.metrics() };
    case '/health/live':
      return json(200, 'ok');
    case '/health/ready':
      return (await withinPatience(shown.isReady())) ? json(200, 'ok') : json(503, 'unavailable');
    default:
      return json(404, 'not found');
  }
}

/** Whether a check says yes in time; one that fails says no. */
export async function withinPatience(check: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patienceMs);
  try {
    return await Promise.race([check, late]);
  } catch {
    // A check that fails is the answer.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
