// A service of either release as something to read: its public interface, asked politely, with patience for what passes.
import type { Query } from '#client/connection.ts';
import { queryText } from '#client/connection.ts';
import { ServiceError } from '#client/errors.ts';
import { pause, secondsOrDate } from '#client/retries.ts';
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import { MigrationFailure, Refused, SourceDenied, SourceLost } from './failures.ts';
import type { Politeness } from './request-limit.ts';
import { RequestLimit } from './request-limit.ts';

/** The releases whose records differ in shape. */
export type Release = 'R-A' | 'R-B';

/** Where a source is and who asks. */
export type SourceLogin = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly session?: string | undefined;
  /** What each request carries besides, as of the moment when it is sent. */
  readonly headers?: () => Readonly<Record<string, string>>;
};

/** A source that answers. */
export type Source = {
  readonly url: string;
  readonly release: Release;
  /** What it says of itself, as `ArchivesSpace (v3.3.1)`. */
  readonly version: string;
  readonly politeness: Politeness;
  /** A reply as JSON. Throws Refused where the source says no, or fails again and again; SourceLost where it stays away. */
  ask(path: string, query?: Query): Promise<Json>;
  /** A reply in pieces, for files. What breaks while it is read is SourceLost. */
  download(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** The session that requests carry, which the source keeps until it is ended. */
  session(): Promise<string>;
  /** Ends the session where it was made here. */
  close(): Promise<void>;
  /** Ends the session also where it was given. */
  logOut(): Promise<void>;
};

/** How patiently requests are repeated. */
export type Patience = {
  /** Repetitions where the source is away, or asks to come later. */
  readonly whenAway: number;
  /** Repetitions where it answers 500: most of these come again. */
  readonly whenFailing: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** The longest that is waited where the source says for how long; then it is asked again, whatever it said. */
  readonly longestAskedMs: number;
  /** How long a reply may take. */
  readonly replyMs: number;
};

const usualPatience: Patience = {
  whenAway: 9,
  whenFailing: 2,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  longestAskedMs: 600_000,
  replyMs: 600_000,
};

// Both names of the header: services take the one they know.
const sessionHeaders = ['x-service-session', 'x-archivesspace-session'];

/** Connects: logs in, and asks which release it is. */
export async function openSource(
  login: SourceLogin,
  politeness: Politeness,
  signal: AbortSignal,
  patience: Patience = usualPatience,
): Promise<Source> {
  const { url, user, password, headers: ownHeaders = () => ({}) } = login;
  const requestLimit = new RequestLimit(politeness, signal);
  let session = login.session;
  let isOwn = false;
  let pending: Promise<string> | undefined;

  const makeSession = async (): Promise<string> => {
    if (password === undefined) throw new SourceDenied(`No password for ${user} at ${url}.`);
    const { status, text } = await patiently(`/users/${encodeURIComponent(user)}/login`, readText, {
      method: 'POST',
      body: new URLSearchParams({ password, expiring: 'false' }),
    });
    if (status === 403) throw new SourceDenied(`${url} refused the password of ${user}.`, { status });
    const made = status === 200 ? textOf(asObject(parsed(text)), 'session') : undefined;
    if (made === undefined)
      throw new MigrationFailure(`${url} gave no session (${status}): is it the address of the interface for clients?`);
    isOwn = true;
    session = made;
    return made;
  };
  /** Requests that need a session together share one login. */
  const sessionNow = (): Promise<string> =>
    session === undefined ? (pending ??= makeSession().finally(() => (pending = undefined))) : Promise.resolve(session);

  /** Sends until there is a reply that is none of "later", failure and silence; after that, the last one. */
  const patiently = async <T extends Answer>(
    path: string,
    read: (response: Response) => Promise<T>,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<T> => {
    for (let repeats = 0; ; repeats++) {
      const outcome = await requestLimit.pass(() =>
        attempt(
          `${url}${path}`,
          { ...init, headers: { ...init.headers, ...ownHeaders() } },
          read,
          signal,
          patience.replyMs,
        ),
      );
      const isAway =
        outcome instanceof SourceLost || outcome.status === 429 || outcome.status === 503 || outcome.status === 502;
      const most = isAway ? patience.whenAway : patience.whenFailing;
      if (!(outcome instanceof SourceLost) && !isAway && outcome.status < 500) return outcome;
      if (repeats >= most) {
        if (outcome instanceof SourceLost) throw outcome;
        return outcome;
      }
      const usual = Math.min(patience.firstWaitMs * 2 ** repeats, patience.longestWaitMs);
      const retryAfter = outcome instanceof SourceLost ? null : outcome.headers.get('retry-after');
      const asked = retryAfter === null ? null : secondsOrDate(retryAfter, Date.now());
      if (asked === null) await pause(usual, signal);
      else requestLimit.holdFor(Math.min(asked, patience.longestAskedMs));
    }
  };

  const get = async <T extends Answer>(path: string, read: (response: Response) => Promise<T>): Promise<T> => {
    for (let isAgain = false; ; isAgain = true) {
      const token = await sessionNow();
      const answer = await patiently(path, read, {
        headers: Object.fromEntries(sessionHeaders.map((name) => [name, token])),
      });
      if (answer.status !== 412 || password === undefined || isAgain) return answer;
      // Unless another request has logged in meanwhile.
      if (session === token) session = undefined;
    }
  };

  const ask = async (path: string, query?: Query): Promise<Json> => {
    const { status, text } = await get(`${path}${queryText(query)}`, readText);
    const body = parsed(text);
    if (status === 412) throw new SourceDenied(`The session at ${url} has ended.`, { status });
    if (status !== 200)
      throw new Refused(new ServiceError(path, status, body ?? { error: text.slice(0, 200) }).message, { status });
    if (body === undefined) throw new Refused(`${path} is no JSON: ${text.slice(0, 200)}`, { status });
    return body;
  };

  const about = await versionOf();
  return {
    url,
    politeness,
    release: releaseOf(about),
    version: about,
    ask,
    download: async (path) => {
      const answer = await get(path, readPieces);
      if (answer.status !== 200) throw new Refused(`${path}: ${answer.status}`, { status: answer.status });
      return piecesOf(answer.response, url, signal);
    },
    session: sessionNow,
    close: () => (isOwn ? logOut() : Promise.resolve()),
    logOut,
  };

  async function logOut(): Promise<void> {
    if (session === undefined) return;
    const headers = Object.fromEntries(sessionHeaders.map((name) => [name, session ?? '']));
    // A session that stays behind ends by itself.
    await fetch(`${url}/logout`, {
      method: 'POST',
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(2000),
    }).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  }

  async function versionOf(): Promise<string> {
    const { status, text } = await get('/version', readText);
    return status === 200 ? text.trim().replace(/^"|"$/g, '') : 'unknown';
  }
}

/** The release whose shapes a version has: the first number in it, below 4 the earlier one. */
export function releaseOf(version: string): Release {
  const major = /(\d+)\.\d/.exec(version)?.[1];
  return major !== undefined && Number(major) < 4 ? 'R-A' : 'R-B';
}

type Answer = { readonly status: number; readonly headers: Headers };
type TextAnswer = Answer & { readonly text: string };

async function readText(response: Response): Promise<TextAnswer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function readPieces(response: Response): Promise<Answer & { readonly response: Response }> {
  if (response.status !== 200) await response.body?.cancel();
  return { status: response.status, headers: response.headers, response };
}

async function attempt<T>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
  signal: AbortSignal,
  replyMs: number,
): Promise<T | SourceLost> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(replyMs)]);
    return await read(await fetch(address, { redirect: 'manual', ...init, signal: limit }));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return lost(new URL(address).origin, error);
  }
}

function lost(url: string, error: unknown): SourceLost {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new SourceLost(`The connection to ${url} failed: ${cause instanceof Error ? cause.message : String(cause)}.`, {
    cause: error,
  });
}

async function* piecesOf(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw signal.aborted ? signal.reason : lost(url, error);
  }
}

function parsed(text: string): Json | undefined {
  try {
    // JSON.parse makes nothing but JSON values.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const asObject = (value: Json | undefined) => (isObject(value) ? value : undefined);
