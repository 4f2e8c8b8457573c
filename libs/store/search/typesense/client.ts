// Typesense's own client, twice, as searches are waited for and imports may take longer. It finds its way among several nodes, knows which of them
// are well, and tries again where one failed. What it lacks is here: a limit over all tries, which its imports have none of, another try after 429,
// redirects refused (the key is for these servers alone), and errors of our own. Everything we send may be sent twice.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'typesense';
import { fail } from '#domain/errors.ts';
import { inSpan, traceHeaders } from '../../observing/tracing.ts';

/** Where the server is, and how patient we are. Times are milliseconds. */
export type TypesenseSettings = {
  /** Addresses of its nodes, at least one. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** What somebody waits for takes this long at most, whatever the number of tries. */
  readonly searchLimitMs?: number;
  /** Writing takes this long at most: a batch of the indexer waits for it with its rows held. */
  readonly writeLimitMs?: number;
  /** Further tries of one request. */
  readonly retries?: number;
  /** The pause between two tries; after 429 it doubles. */
  readonly pauseMs?: number;
};

/** One request of the client, or several in a row. `signal` ends with the limit; those that know of it are handed it. */
export type TypesenseCall<T> = (client: Client, signal: AbortSignal) => Promise<T>;

/** Sends requests. `what` names one in the log. Throws `unavailable` where the last try got no answer, or a 5xx or 429; `internal` for refusals. */
export type TypesenseClient = {
  /** What the server answers, on any of its nodes; null for 404. For what somebody waits for. */
  ask<T>(what: string, call: TypesenseCall<T>): Promise<T | null>;
  /** The same for writing and what is written by, always on the first node that is well: others may be behind it. */
  write<T>(what: string, call: TypesenseCall<T>): Promise<T | null>;
  /** Has all requests of some work, those of `ask` or those of `write`, end within the limit of one. Within another it is that one's. */
  within<T>(kind: 'ask' | 'write', work: () => Promise<T>): Promise<T>;
};

// What began in some work and goes on after it (a timer, a connection) is in its context still, but no longer bound by it.
type Limits = AsyncLocalStorage<{ readonly signal: AbortSignal; readonly isOver: boolean }>;

/** Makes a client. Sends nothing yet, and holds nothing that would have to be closed. */
export function createTypesenseClient(settings: TypesenseSettings): TypesenseClient {
  const { searchLimitMs = 5_000, writeLimitMs = 30_000 } = settings;
  const limits: Limits = new AsyncLocalStorage();
  const [nearestNode] = nodesOf(settings);
  // Loaded by those alone who have a server: it takes 30 MB.
  const load = async (): Promise<Readonly<Record<'ask' | 'write', Client>>> => {
    const library = await import('typesense');
    return {
      ask: new library.Client(optionsOf(settings, searchLimitMs, limits)),
      write: new library.Client({
        ...optionsOf(settings, writeLimitMs, limits),
        ...(nearestNode === undefined ? {} : { nearestNode }),
      }),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const within: TypesenseClient['within'] = async (kind, work) => {
    const around = limits.getStore();
    if (around !== undefined && !around.isOver) return work();
    const limit = { signal: AbortSignal.timeout(kind === 'ask' ? searchLimitMs : writeLimitMs), isOver: false };
    try {
      return await limits.run(limit, work);
    } finally {
      limit.isOver = true;
    }
  };
  const send =
    (kind: 'ask' | 'write'): TypesenseClient['ask'] =>
    (what, call) =>
      within(kind, async () => {
        // within has set one.
        const signal = limits.getStore()?.signal ?? AbortSignal.abort();
        try {
          const clients = await (loaded ??= load());
          return await repeated(() => call(clients[kind], signal), signal, settings);
        } catch (error) {
          const status = statusOf(error);
          if (status === 404) return null;
          const reason = signal.aborted
            ? 'no answer within the limit'
            : error instanceof Error
              ? error.message
              : 'unknown';
          if (status !== undefined && status < 500 && status !== 429) throw refused(what, reason);
          // Not the client's error itself: it holds the request with its key.
          throw fail(
            'unavailable',
            'The search index cannot be reached',
            {},
            new Error(`Typesense, ${what}: ${reason.slice(0, 500)}`),
          );
        }
      });
  return { ask: send('ask'), write: send('write'), within };
}

/** The status of an answer that the client took for an error; undefined: there was no answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'httpStatus' in error && typeof error.httpStatus === 'number'
    ? error.httpStatus
    : undefined;

/** The failure for a reply that refuses a request, or cannot be read. The client of our API learns nothing of it; the log does. */
export function refused(what: string, reason: string): Error {
  return fail(
    'internal',
    'The search index refused a request',
    {},
    new Error(`Typesense, ${what}: ${reason.slice(0, 500)}`),
  );
}

const nodesOf = ({ urls }: TypesenseSettings) => urls.map((url) => ({ url: url.replace(/\/+$/, '') }));

type ClientOptions = ConstructorParameters<typeof Client>[0];

function optionsOf(settings: TypesenseSettings, limitMs: number, limits: Limits): ClientOptions {
  const { apiKey, retries = 3, pauseMs = 100 } = settings;
  const nodes = nodesOf(settings);
  return {
    nodes,
    apiKey,
    // One server has the whole limit, and what it did not answer in that is not sent to it again; of several, another gets its turn in time.
    connectionTimeoutSeconds: limitMs / 1000 / Math.min(nodes.length, 2),
    numRetries: retries,
    retryIntervalSeconds: pauseMs / 1000,
    sendApiKeyAsQueryParam: false,
    // It would write to the console; what fails in the end is told in our errors.
    logLevel: 'silent',
    axiosAdapter: transportWithin(limits),
  };
}

/** Sends what the client has made of a request, within the limit and without following redirects or proxies that the environment names. */
function transportWithin(limits: Limits): Extract<ClientOptions['axiosAdapter'], Function> {
  return async (config) => {
    const url = new URL(config.url ?? '');
    for (const [name, value] of Object.entries<unknown>(config.params ?? {})) url.searchParams.set(name, String(value));
    const signals = [
      limits.getStore()?.signal,
      (config.timeout ?? 0) > 0 ? AbortSignal.timeout(config.timeout ?? 0) : undefined,
    ];
    try {
      const method = (config.method ?? 'get').toUpperCase();
      const attributes = { 'http.request.method': method, 'server.address': url.hostname };
      return await inSpan({ name: `${method} typesense`, kind: 'client', attributes }, async (span) => {
        const response = await fetch(url, {
          method,
          headers: { ...config.headers.toJSON(true), ...traceHeaders() },
          ...(config.data === undefined ? {} : { body: String(config.data) }),
          redirect: 'error',
          signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
        });
        const { status, statusText } = response;
        span.set({ 'http.response.status_code': status });
        const headers = Object.fromEntries(response.headers);
        return { data: await response.text(), status, statusText, headers, config };
      });
    } catch (error) {
      // fetch wraps what the network said.
      throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
    }
  };
}

/** Calls again after pauses where the server has too much to do: the client takes 429 for an answer. */
async function repeated<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  { retries = 3, pauseMs = 100 }: TypesenseSettings,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (statusOf(error) !== 429 || attempt >= retries) throw error;
      await setTimeout(pauseMs * 2 ** attempt, undefined, { signal });
    }
  }
}
