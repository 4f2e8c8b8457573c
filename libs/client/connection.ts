// A connection to the service: logs in when first needed and again when the session has ended, repeats what may be repeated, and turns what
// goes wrong into errors. Runs wherever there is fetch.
import type { Json } from '../domain/json.ts';
import { isObject, textOf } from '../domain/json.ts';
import { ConnectionLost, LoginRefused, NoCredentials, ServiceError, SessionGone, UnexpectedReply } from './errors.ts';
import type { Retries } from './retries.ts';
import { isRepeatable, pause, usualRetries, waitBefore } from './retries.ts';

/** Where the service is, and who asks: a user with a password, or a session that somebody made, or both. */
export type ConnectionOptions = {
  /** Address of the service, as http://127.0.0.1:8089. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly session?: string;
  /**
   * For pages of the service, whose session is in a cookie that they cannot read: what x-csrf-token says just now. No session is made or sent
   * otherwise.
   */
  readonly csrfToken?: () => string;
  /** Header of the session; the first of MUNIMENT_SESSION_HEADERS. */
  readonly sessionHeader?: string;
  /** Stops whatever runs. */
  readonly signal?: AbortSignal;
  readonly retries?: Partial<Retries>;
};

/** Values of a query string; a list is sent as `name[]=…`. Undefined ones are left out. */
export type Query = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** A request. `body` is called again for each repetition. */
export type Sending = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly json?: Json;
  readonly form?: { readonly [name: string]: string };
  readonly body?: { readonly contentType?: string; readonly bytes: () => NonNullable<RequestInit['body']> };
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
  /** Sent without a session. */
  readonly isPublic?: boolean;
};

/** A connection. Close it to end the session that it made. */
export type Connection = {
  readonly url: string;
  readonly user: string;
  /** Sends, and gives the reply of a request that was not refused. */
  send(path: string, sending?: Sending): Promise<Response>;
  /** Sends, and gives the reply as JSON. */
  ask(path: string, sending?: Sending): Promise<Json>;
  /** Sends a request that stands already, with the session; its body is kept until the reply is there. */
  fetch(request: Request): Promise<Response>;
  /** The session token, made where there is none yet. `isLong`: it does not end after the short idle time. */
  login(isLong?: boolean): Promise<string>;
  /** Ends the session that this connection made; one that was given goes on. */
  close(): Promise<void>;
};

type Attempt = {
  /** Method and path, for messages. */
  readonly asked: string;
  readonly canRepeat: boolean;
  readonly headers: Headers;
  readonly isPublic: boolean;
  readonly signal: AbortSignal | undefined;
  readonly send: () => Promise<Response>;
};

/** Makes a connection; nothing is sent yet. */
export function openConnection(options: ConnectionOptions): Connection {
  const url = options.url.replace(/\/+$/, '');
  const user = options.user ?? 'admin';
  const header = options.sessionHeader ?? 'x-service-session';
  const retries = { ...usualRetries, ...options.retries };
  let token = options.session;
  let isOwn = false;
  let pending: Promise<string> | undefined;

  const login = (isLong = false): Promise<string> => {
    if (token !== undefined) return Promise.resolve(token);
    // Requests that start together share one login.
    pending ??= makeSession(isLong).finally(() => {
      pending = undefined;
    });
    return pending;
  };

  const makeSession = async (isLong: boolean): Promise<string> => {
    const { password } = options;
    if (password === undefined) throw new NoCredentials(`No password for ${user} at ${url}, and no session.`);
    const path = `/users/${encodeURIComponent(user)}/login`;
    const body = new URLSearchParams({ password, expiring: isLong ? 'false' : 'true' });
    // Followed, a redirect would take the password to wherever it leads.
    const init: RequestInit = { method: 'POST', body, redirect: 'manual', ...signalOf(options.signal) };
    const reply = await repeated({
      asked: `POST ${path}`,
      // A second login spoils nothing.
      canRepeat: true,
      headers: new Headers(),
      isPublic: true,
      signal: options.signal,
      send: () => fetch(`${url}${path}`, init),
    }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.status === 403
        ? new LoginRefused(`POST ${path}`, 403, error.body)
        : error;
    });
    const answer = await readJson(reply, url, options.signal);
    const session = isObject(answer) ? textOf(answer, 'session') : undefined;
    if (session === undefined) throw new UnexpectedReply(`${url} gave no session: is it a Muniment?`, reply.status);
    isOwn = true;
    token = session;
    return session;
  };

  /** Sends until there is a reply that is none of "later", "log in again" and silence. */
  const repeated = async ({ asked, canRepeat, headers, isPublic, signal, send }: Attempt): Promise<Response> => {
    let hasNewSession = false;
    for (let repeats = 0; ;) {
      const session = isPublic || options.csrfToken !== undefined ? undefined : await login();
      if (options.csrfToken !== undefined && !isPublic) headers.set('x-csrf-token', options.csrfToken());
      if (session !== undefined) headers.set(header, session);
      const outcome = await trySending(send, url, signal);
      if (outcome instanceof Response && outcome.ok) return outcome;
      const wait = canRepeat ? waitAfter(outcome, repeats++, retries) : null;
      if (wait !== null) {
        if (outcome instanceof Response) await outcome.body?.cancel();
        await pause(wait, signal);
        continue;
      }
      if (outcome instanceof ConnectionLost) throw outcome;
      const failure = new ServiceError(asked, outcome.status, await readJson(outcome, url, signal));
      // An If-Match that does not fit is a 412 too.
      if (failure.status !== 412 || failure.code?.startsWith('SESSION_') !== true) throw failure;
      if (hasNewSession || options.password === undefined) throw new SessionGone(asked, 412, failure.body);
      // Unless another request has logged in meanwhile.
      if (token === session) token = undefined;
      hasNewSession = true;
    }
  };

  const send = (path: string, sending: Sending = {}): Promise<Response> => {
    const method = sending.method ?? 'GET';
    const signal = sending.signal ?? options.signal;
    const headers = new Headers(sending.headers);
    const address = `${url}${path}${queryText(sending.query)}`;
    return repeated({
      asked: `${method} ${path}`,
      canRepeat: isRepeatable(method, headers),
      headers,
      isPublic: sending.isPublic === true,
      signal,
      send: () =>
        fetch(address, { method, redirect: 'manual', ...signalOf(signal), ...bodyOf(sending, headers), headers }),
    });
  };

  return {
    url,
    user,
    send,
    ask: async (path, sending) => readJson(await send(path, sending), url, sending?.signal ?? options.signal),
    fetch: (request) => {
      const headers = new Headers(request.headers);
      const { method, signal } = request;
      const stop = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
      return repeated({
        asked: `${method} ${new URL(request.url).pathname}`,
        canRepeat: isRepeatable(method, headers),
        headers,
        isPublic: false,
        signal: stop,
        send: () => fetch(request.clone(), { headers, signal: stop, redirect: 'manual' }),
      });
    },
    login,
    close: async () => {
      if (!isOwn || token === undefined) return;
      // A session that stays behind ends by itself: a failure here changes nothing for whoever called.
      await fetch(`${url}/logout`, {
        method: 'POST',
        headers: { [header]: token },
        signal: AbortSignal.timeout(2000),
      }).then(
        (response) => response.body?.cancel(),
        () => undefined,
      );
      token = undefined;
      isOwn = false;
    },
  };
}

/** A body in pieces; a broken connection is a ConnectionLost, an aborted signal throws its reason. */
export async function* readPieces(response: Response, url: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : new ConnectionLost(url, error);
  }
}

async function trySending(
  send: () => Promise<Response>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Response | ConnectionLost> {
  try {
    return await send();
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    return new ConnectionLost(url, error);
  }
}

/** How long to wait before the request is sent again, in milliseconds; null: it is not. */
function waitAfter(outcome: Response | ConnectionLost, repeat: number, retries: Retries): number | null {
  if (outcome instanceof ConnectionLost) return retries.whenLost ? waitBefore(repeat, null, retries, Date.now()) : null;
  if (outcome.status !== 429 && outcome.status !== 503) return null;
  return waitBefore(repeat, outcome.headers.get('retry-after'), retries, Date.now());
}

const signalOf = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

/** The body of one attempt; its content type goes into the headers. */
function bodyOf({ json, form, body }: Sending, headers: Headers): RequestInit & { readonly duplex?: 'half' } {
  if (json !== undefined) {
    headers.set('content-type', 'application/json');
    return { body: JSON.stringify(json) };
  }
  if (form !== undefined) return { body: new URLSearchParams(form) };
  if (body === undefined) return {};
  if (body.contentType !== undefined) headers.set('content-type', body.contentType);
  // NOTE: fetch keeps a copy of a streamed body, all of it, for a redirect or a password prompt unless both are ruled out:
  // 990 MB of memory for a file of 900 MB, against 200 MB so.
  return { body: body.bytes(), duplex: 'half', redirect: 'error', window: null };
}

/** The query string of a request, with its question mark; empty where there are no values. */
export function queryText(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item);
    else search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

async function readJson(response: Response, url: string, signal: AbortSignal | undefined): Promise<Json> {
  const text = await response.text().catch((error: unknown) => {
    throw signal?.aborted === true ? signal.reason : new ConnectionLost(url, error);
  });
  try {
    // JSON.parse makes nothing but JSON values.
    return JSON.parse(text) as Json;
  } catch {
    const goesTo = response.headers.get('location');
    if (!response.ok)
      return { error: `${response.status} ${response.statusText}${goesTo === null ? '' : `, to ${goesTo}`}` };
    throw new UnexpectedReply(`${url} answered, but not in JSON: is it a Muniment?`, response.status);
  }
}
