// The HTTP interface as the commands use it: a connection of libs/client, with words for the person at the shell for whatever goes wrong.
import type { Connection } from '#client/connection.ts';
import { openConnection, readPieces as readAnyPieces } from '#client/connection.ts';
import {
  ClientError,
  ConnectionLost,
  LoginRefused,
  NoCredentials,
  ServiceError,
  SessionGone,
  UnexpectedReply,
} from '#client/errors.ts';
import type { Credentials } from './credentials.ts';
import { MigrationFailure } from '#migrate/failures.ts';
import { CliFailure, NotLoggedIn, Unreachable, refusal, toCliFailure } from './failure.ts';

export type { Query, Sending } from '#client/connection.ts';

/** A connection to a service whose failures are CliFailures. Close it to end the session that it made. */
export type Client = Pick<Connection, 'url' | 'user' | 'send' | 'ask' | 'login' | 'close'> & {
  /** The connection below, for what libs/client does with one; its failures go through `inWords`. */
  readonly connection: Connection;
  /** Runs that, and gives its failures words. */
  inWords<T>(act: () => Promise<T>): Promise<T>;
};

/** Makes a client; nothing is sent yet. The signal stops whatever runs. */
export function connect(credentials: Credentials, signal: AbortSignal): Client {
  const { url, user, session, password } = credentials;
  const connection = openConnection({
    url,
    user,
    signal,
    ...(session === undefined ? {} : { session }),
    ...(password === undefined ? {} : { password }),
    // Who waits at a shell wants to hear at once that nobody answers.
    retries: { whenLost: false },
  });
  const inWords = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw failureOf(error, credentials);
    }
  };
  return {
    url,
    user,
    connection,
    inWords,
    send: (path, sending) => inWords(() => connection.send(path, sending)),
    ask: (path, sending) => inWords(() => connection.ask(path, sending)),
    login: (isLong) => inWords(() => connection.login(isLong)),
    close: connection.close,
  };
}

/** A body in pieces; an interruption or a lost connection becomes the failure to show. */
export async function* readPieces(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* readAnyPieces(response, url, signal);
  } catch (error) {
    throw error instanceof ConnectionLost ? lost(error, url) : error;
  }
}

function failureOf(error: unknown, { url, user, passwordFrom }: Credentials): unknown {
  if (!(error instanceof ClientError)) return error;
  if (error instanceof NoCredentials)
    return new NotLoggedIn(
      `No password for ${user} at ${url}: set MUNIMENT_PASSWORD, or give --password or --session. (The password that a first start generates is read from data/admin-password for admin on this machine alone.)`,
    );
  if (error instanceof LoginRefused)
    return new NotLoggedIn(`${url} refused the password of ${user} (it came from ${passwordFrom}).`, { status: 403 });
  if (error instanceof SessionGone) return new NotLoggedIn('The session has ended: log in again.', { status: 412 });
  if (error instanceof ServiceError) return refusal(error.status, error.body, user);
  if (error instanceof UnexpectedReply) return new CliFailure(error.message, { status: error.status });
  return error instanceof ConnectionLost ? lost(error, url) : error;
}

function lost(error: ConnectionLost, url: string): CliFailure {
  const { code } = error;
  const cause = error.cause instanceof Error && error.cause.cause instanceof Error ? error.cause.cause : error.cause;
  const says = cause instanceof Error ? cause.message : String(cause);
  // The file that is being sent, not the service.
  if (cause instanceof MigrationFailure) return toCliFailure(cause);
  if (['ENOENT', 'EACCES', 'EISDIR', 'EIO'].includes(code)) return new CliFailure(says, { cause: error });
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
  return new Unreachable(`The connection to ${url} failed: ${says}.`, { cause: error });
}
