// A server over real HTTP with routes of a test's own and ports that need no storage, for tests of the HTTP framework.
import { connect } from 'node:net';
import { pino } from 'pino';
import { RecentFigures } from '../../apps/api/recent-figures.ts';
import { buildServer } from '../../apps/api/server.ts';
import type { ServerOptions } from '../../apps/api/server.ts';
import type { Route } from '../../apps/api/route.ts';
import type { CheckedRecord, Services, SessionState } from '../../apps/api/services.ts';
import { readConfig } from '#domain/config.ts';
import { fail } from '#domain/errors.ts';
import type { Caller } from '#domain/access/caller.ts';
import { Database } from '#store/connection/database.ts';

/** A running server: `fetch` takes a path, `send` writes raw bytes and gives all that comes back until the connection ends. */
export type TestServer = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(bytes: string | Uint8Array, options?: { readonly end?: boolean }): Promise<string>;
  close(): Promise<void>;
  /** Lines that the server logged at level warn or above. */
  readonly logged: readonly string[];
};

/** Tokens that the test server knows, and what each stands for. */
export const tokens = {
  reader: 'reader-token',
  admin: 'admin-token',
  deleted: 'deleted-user-token',
  expired: 'expired-token',
} as const;

const caller = (userId: number, grants: Caller['grants']): Caller => ({
  userId,
  username: `user${userId}`,
  agentUri: null,
  grants,
});

function stateOf(token: string): SessionState {
  const session = { token, expirable: true };
  if (token === tokens.expired) return { kind: 'expired' };
  if (token === tokens.reader)
    return { kind: 'ok', digest: token, session, caller: caller(7, new Map([[2, new Set(['view_repository'])]])) };
  if (token === tokens.admin)
    return {
      kind: 'ok',
      digest: token,
      session,
      caller: caller(1, new Map([[1, new Set(['administer_system', 'view_repository', 'update_thing'])]])),
    };
  if (token === tokens.deleted)
    return {
      kind: 'ok',
      digest: token,
      session,
      caller: { userId: null, username: null, agentUri: null, grants: new Map() },
    };
  return { kind: 'gone' };
}

/** Starts a server with the given routes. Repositories 2 and 3 exist; a record body needs a `title`. */
export async function startServer(
  routes: readonly Route[],
  options: ServerOptions & {
    readonly environment?: { readonly [name: string]: string };
    readonly services?: Partial<Services>;
  } = {},
): Promise<TestServer> {
  const logged: string[] = [];
  const config = readConfig({ ...options.environment });
  const database = new Database({ url: 'postgresql://127.0.0.1:1/none', poolSize: 2 });
  const recentFigures = new RecentFigures(database, () => undefined);
  const known: Pick<
    Services,
    | 'config'
    | 'database'
    | 'listener'
    | 'log'
    | 'sessions'
    | 'repositoryExists'
    | 'checkRecord'
    | 'recentFigures'
    | 'replicas'
    | 'onReplica'
    | 'isReady'
  > = {
    config,
    database,
    // No route of these tests waits for a change, so nobody asks the listener.
    listener: {} as Services['listener'],
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    sessions: { read: async (token) => stateOf(token), hold: () => () => undefined },
    repositoryExists: async (id) => id === 2 || id === 3,
    checkRecord: async (_schema, body) => {
      if (typeof body['title'] !== 'string')
        throw fail(
          'invalid_record',
          { title: ['Property is required but was missing'] },
          { warning: {}, invalid_object: '{}' },
        );
      return {
        record: body,
        warnings: {},
        prepared: { body, links: [] } as unknown as CheckedRecord['prepared'],
        lockVersion: body['lock_version'],
      };
    },
    recentFigures,
    replicas: null,
    onReplica: async () => null,
    isReady: async () => true,
  };
  // Routes of these tests use the ports above and no other.
  const services = { ...known, ...options.services } as Services;
  const app = buildServer(services, routes, options);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  const close = async (): Promise<void> => {
    await app.close();
    recentFigures[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  };
  return {
    url,
    port,
    logged,
    close,
    fetch: (path, init) => fetch(`${url}${path}`, init),
    send: (bytes, { end = false } = {}) =>
      new Promise((resolve, reject) => {
        let received = '';
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(bytes);
          if (end) socket.end();
        });
        socket.setEncoding('latin1');
        socket.on('data', (text: string) => (received += text));
        socket.on('close', () => resolve(received));
        socket.on('error', (error: Error & { code?: string }) =>
          error.code === 'ECONNRESET' ? resolve(received) : reject(error),
        );
      }),
    [Symbol.asyncDispose]: close,
  };
}
