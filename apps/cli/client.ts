// The HTTP interface as the commands use it: logs in when first needed, again when the session has ended, and says in words what went wrong.
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Credentials } from './credentials.ts';
import { CliFailure, NotLoggedIn, Unreachable, refusal } from './failure.ts';

/** Values of a query string; a list is sent as `name[]=…`. Undefined ones are left out. */
export type Query = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** A request. `body` is called again where the request is repeated after a new login. */
export type Sending = {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Query;
  readonly json?: Json;
  readonly form?: { readonly [name: string]: string };
  readonly body?: { readonly contentType: string; readonly bytes: () => AsyncIterable<Uint8Array> };
  /** Sent without a session. */
  readonly isPublic?: boolean;
};

/** A connection to a service. Close it to end the session that it made. */
export type Client = {
  readonly url: string;
  readonly user: string;
  /** Sends, and gives the reply of a request that was not refused. Throws CliFailure. */
  send(path: string, sending?: Sending): Promise<Response>;
  /** Sends, and gives the reply as JSON. */
  ask(path: string, sending?: Sending): Promise<Json>;
  /** The session token, made where there is none yet. `isLong`: it does not end after the short idle time. */
  login(isLong?: boolean): Promise<string>;
  close(): Promise<void>;
};

const sessionHeader = 'x-service-session';
const mostRepeats = 4;

/** Makes a client; nothing is sent yet. The signal stops whatever runs. */
export function connect(credentials: Credentials, signal: AbortSignal): Client {
  const { url, user } = credentials;
  let token = credentials.session;
  let isOwn = false;

  const login = async (isLong = false): Promise<string> => {
    if (token !== undefined) return token;
    const { password, passwordFrom } = credentials;
    if (password === undefined) {
      throw new NotLoggedIn(
        `No password for ${user} at ${url}: set MUNIMENT_PASSWORD, or give --password or --session. (The password that a first start generates is read from data/admin-password for admin on this machine alone.)`,
      );
    }
    const response = await attempt(
      `${url}/users/${encodeURIComponent(user)}/login`,
      { method: 'POST', body: new URLSearchParams({ password, expiring: isLong ? 'false' : 'true' }) },
      url,
      signal,
    );
    const reply = await readJson(response, url);
    if (response.status === 403)
      throw new NotLoggedIn(`${url} refused the password of ${user} (it came from ${passwordFrom}).`, { status: 403 });
    if (!response.ok) throw refusal(response.status, reply, user);
    const session = isObject(reply) ? textOf(reply, 'session') : undefined;
    if (session === undefined) throw new CliFailure(`${url} gave no session: is it a Muniment?`);
    isOwn = true;
    token = session;
    return session;
  };

  const send = async (path: string, sending: Sending = {}): Promise<Response> => {
    const method = sending.method ?? 'GET';
    const address = `${url}${path}${queryText(sending.query)}`;
    for (let repeats = 0; ; repeats++) {
      const session = sending.isPublic === true ? undefined : await login();
      const response = await attempt(address, { method, ...bodyOf(sending, session) }, url, signal);
      if (response.ok) return response;
      const canRepeat = repeats < mostRepeats;
      if (response.status === 412 && session !== undefined && repeats === 0 && credentials.password !== undefined) {
        await response.body?.cancel();
        token = undefined;
        continue;
      }
      if (canRepeat && method === 'GET' && (response.status === 429 || response.status === 503)) {
        await response.body?.cancel();
        await pause(Number(response.headers.get('retry-after') ?? 1) * 1000, signal);
        continue;
      }
      const body = await readJson(response, url);
      if (response.status === 412) throw new NotLoggedIn('The session has ended: log in again.', { status: 412 });
      throw refusal(response.status, body, user);
    }
  };

  return {
    url,
    user,
    send,
    ask: async (path, sending) => readJson(await send(path, sending), url),
    login,
    close: async () => {
      if (!isOwn || token === undefined) return;
      // A session that stays behind ends by itself: a failure here changes nothing for whoever called.
      await fetch(`${url}/logout`, {
        method: 'POST',
        headers: { [sessionHeader]: token },
        signal: AbortSignal.timeout(2000),
      }).then(
        (response) => response.body?.cancel(),
        () => undefined,
      );
    },
  };
}

/** Waits; throws the signal's reason where that is aborted first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** A body in pieces; an interruption or a lost connection becomes the failure to show. */
export async function* readPieces(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw signal.aborted ? signal.reason : lost(error, url);
  }
}

async function attempt(address: string, init: RequestInit, url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { redirect: 'manual', ...init, signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : lost(error, url);
  }
}

function lost(error: unknown, url: string): CliFailure {
  if (error instanceof CliFailure) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  // The file that is being sent, not the service.
  if (['ENOENT', 'EACCES', 'EISDIR', 'EIO'].includes(code))
    return new CliFailure(cause instanceof Error ? cause.message : code, { cause: error });
  if (code === 'ECONNREFUSED')
    return new Unreachable(
      `Nothing answers at ${url}. Is the service running (npm start)? --url or MUNIMENT_URL names another address.`,
      { cause: error },
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Unreachable(
      `No machine is called ${new URL(url).hostname}: --url or MUNIMENT_URL names the address of the service.`,
      { cause: error },
    );
  if (code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT')
    return new Unreachable(`${url} was silent for five minutes. What was asked may still go on there.`, {
      cause: error,
    });
  return new Unreachable(
    `The connection to ${url} failed: ${cause instanceof Error ? cause.message : String(cause)}.`,
    { cause: error },
  );
}

function bodyOf({ json, form, body }: Sending, session: string | undefined): RequestInit {
  const headers: Record<string, string> = session === undefined ? {} : { [sessionHeader]: session };
  if (json !== undefined)
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
  if (form !== undefined) return { headers, body: new URLSearchParams(form) };
  if (body === undefined) return { headers };
  // NOTE: fetch keeps a copy of a streamed body, all of it, for a redirect or a password prompt unless both are ruled out:
  // 990 MB of memory for a file of 900 MB, against 200 MB so.
  return {
    headers: { ...headers, 'content-type': body.contentType },
    body: ReadableStream.from(body.bytes()),
    duplex: 'half',
    redirect: 'error',
    window: null,
  };
}

function queryText(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item);
    else search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

async function readJson(response: Response, url: string): Promise<Json> {
  const text = await response.text().catch((error: unknown) => {
    throw lost(error, url);
  });
  try {
    // JSON.parse makes nothing but JSON values.
    return JSON.parse(text) as Json;
  } catch {
    if (!response.ok) return { error: `${response.status} ${response.statusText}` };
    throw new CliFailure(`${url} answered, but not in JSON: is it a Muniment?`, { status: response.status });
  }
}
