// Requests to a Typesense server: the key in its header and nowhere else, a time limit, and another try after a pause where the server or the
// way to it failed. Everything we send may be sent twice: reads, whole documents put in place of the old, removals.
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';

/** Where the server is, and how patient we are. Times are milliseconds. */
export type TypesenseSettings = {
  readonly url: string;
  readonly apiKey: string;
  readonly timeoutMs?: number;
  /** For writing many documents at once. */
  readonly importTimeoutMs?: number;
  /** Tries altogether. */
  readonly attempts?: number;
  /** The pause after the first failed try; it doubles. */
  readonly pauseMs?: number;
};

/** A request. `body` is sent as JSON, or as it is where it is a text (JSON lines). */
export type TypesenseRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parts of the path, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly isLong?: boolean;
};

/** What the server said: status and the text of the body. */
type TypesenseReply = { readonly status: number; readonly text: string };

/** Sends requests. */
export type TypesenseClient = {
  /** The reply, whatever its status below 500. Throws `unavailable` where the last try got none, or a 5xx or 429. */
  send(request: TypesenseRequest): Promise<TypesenseReply>;
  /** The body as JSON of a reply that succeeded; null for 404. Throws `internal` for any other refusal: it is our mistake or the operator's. */
  json(request: TypesenseRequest): Promise<Json>;
};

/** Makes a client. Holds no connection that would have to be closed. */
export function createTypesenseClient(settings: TypesenseSettings): TypesenseClient {
  const { attempts = 4, pauseMs = 100 } = settings;
  const send = async (request: TypesenseRequest): Promise<TypesenseReply> => {
    let reason = 'no try';
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** (attempt - 2)));
      const reply = await attemptOnce(settings, request);
      if ('status' in reply && reply.status < 500 && reply.status !== 429) return reply;
      reason = 'status' in reply ? `status ${reply.status}` : reply.reason;
    }
    throw fail(
      'unavailable',
      'The search index cannot be reached',
      {},
      new Error(`Typesense, ${request.method} /${request.path.join('/')}: ${reason}`),
    );
  };
  return {
    send,
    json: async (request) => {
      const { status, text } = await send(request);
      if (status === 404) return null;
      if (status >= 300) throw refused(request, status, text);
      // JSON.parse gives any; what it returns is JSON by definition.
      return JSON.parse(text) as Json;
    },
  };
}

/** The failure for a reply that refuses a request. The client of our API learns nothing of it; the log does. */
export function refused(request: Pick<TypesenseRequest, 'method' | 'path'>, status: number, text: string): Error {
  return fail(
    'internal',
    'The search index refused a request',
    {},
    new Error(`Typesense, ${request.method} /${request.path.join('/')}: ${status} ${text.slice(0, 500)}`),
  );
}

async function attemptOnce(
  settings: TypesenseSettings,
  request: TypesenseRequest,
): Promise<TypesenseReply | { readonly reason: string }> {
  const { timeoutMs = 10_000, importTimeoutMs = 300_000 } = settings;
  const isText = typeof request.body === 'string';
  try {
    const response = await fetch(addressOf(settings.url, request), {
      method: request.method,
      headers: {
        'x-typesense-api-key': settings.apiKey,
        ...(request.body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
      },
      ...(request.body === undefined
        ? {}
        : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
      // The key is for this server alone.
      redirect: 'error',
      signal: AbortSignal.timeout(request.isLong === true ? importTimeoutMs : timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // fetch wraps what the network said.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { reason: cause instanceof Error ? cause.message : 'unknown' };
  }
}

function addressOf(url: string, { path, query }: TypesenseRequest): URL {
  const address = new URL(`${url.replace(/\/+$/, '')}/${path.map(encodeURIComponent).join('/')}`);
  for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, value);
  return address;
}
