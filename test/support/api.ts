// The whole service for tests: a database of its own, the real API over real HTTP, and a real worker with threads in this process.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import { namingFrom } from '#domain/identifiers/naming.ts';
import { readCaller } from '#store/access/grants.ts';
import { Database } from '#store/connection/database.ts';
import type { DatabaseSettings } from '#store/connection/database.ts';
import { openFileStorage } from '#store/files/open-storage.ts';
import { Listener } from '#store/connection/listener.ts';
import type { PasswordCost } from '#store/access/passwords.ts';
import { Passwords } from '#store/access/passwords.ts';
import { findLogin, setPassword } from '#store/access/users.ts';
import { openSearch } from '#store/search/open.ts';
import { setSystemPassword } from '#store/set-up/reference.ts';
import { startApi } from '../../apps/api/start.ts';
import { setServicePasswords } from '../../apps/open.ts';
import { handlers } from '../../apps/worker/jobs/index.ts';
import { startWorker } from '../../apps/worker/running/worker.ts';
import { jobOptionsOf, startWork } from '../../apps/worker/start.ts';
import { createDatabase } from './database.ts';
import type { Description } from './described.ts';
import { readDescription } from './described.ts';
import { sharedThreads } from './threads.ts';

/** A reply, read: status, headers, text, and the text as JSON where it is some. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: any };

/** What a request may have besides its path. `form` is sent as a form body (with files: FormData), `json` as JSON; `session` null sends none. */
export type Ask = {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly form?: URLSearchParams | FormData;
  readonly headers?: { readonly [name: string]: string };
  readonly session?: string | null;
};

/** A running service. Requests carry the administrator's session unless they say otherwise. */
export type TestApi = AsyncDisposable & {
  readonly url: string;
  readonly session: string;
  readonly database: Database;
  readonly databaseUrl: string;
  ask(path: string, ask?: Ask): Promise<Reply>;
  get(path: string, session?: string | null): Promise<Reply>;
  post(path: string, json?: unknown, session?: string | null): Promise<Reply>;
  del(path: string, session?: string | null): Promise<Reply>;
  /** Creates a record by a POST, and gives its uri; fails with what the service says. */
  create(path: string, body: object, session?: string | null): Promise<string>;
  /** Logs a user in and gives the session. */
  login(username: string, password: string): Promise<string>;
  /** Makes a user with the given permissions in a repository, by a group of its own, and gives a session. */
  userWith(permissions: readonly string[], repoId: number): Promise<string>;
  /** Makes a repository and gives its id. */
  repository(code?: string): Promise<number>;
};

/** The administrator's password in tests. */
export const adminPassword = 'admin';

/** A hash says what it cost, and costs as much to verify: this one lets every test log in at once. What users are given by requests is hashed as everywhere. */
const cheapest: PasswordCost = { memoryKib: 8, passes: 1, parallelism: 1 };

/** How a service for tests is started. */
export type StartOptions = {
  readonly worker?: boolean | 'jobs';
  readonly environment?: { readonly [name: string]: string };
  readonly database?: Partial<DatabaseSettings>;
  readonly through?: (url: string) => string;
  readonly url?: string;
};

/** Starts the service; `worker: false` leaves the worker out, `worker: 'jobs'` has it run jobs alone: nothing is indexed, numbered or told to harvesters, which costs more than the requests that write; `environment` sets configuration variables, `database` how connections are kept, `through` another address by which they reach the database, `url` a database that is there already in place of one of its own. */
export async function startTestApi(options: StartOptions = {}): Promise<TestApi> {
  const own =
    options.url === undefined
      ? await createDatabase({ isSettled: options.worker !== false })
      : { url: options.url, drop: async () => undefined };
  const config = readConfig({
    PORT: '0',
    MUNIMENT_LOGIN_RATE_LIMIT: '0',
    // What a busy machine is too slow for would be left out of a reply.
    MUNIMENT_SEARCH_LIMIT_MS: '60000',
    MUNIMENT_WORKER_THREADS: '1',
    ...options.environment,
  });
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const database = new Database({
    url: (options.through ?? String)(own.url),
    poolSize: 12,
    files: openFileStorage(config),
    ...options.database,
  });
  const listener = new Listener({ url: own.url });
  const passwords = new Passwords(1, cheapest);
  const stored = (await findLogin(database.reader, 'admin'))?.passwordHash ?? null;
  // A second API of a database leaves it: a new password ends what the first has opened.
  if (stored === null || !(await passwords.verify(adminPassword, stored))) {
    const hash = await passwords.hash(adminPassword);
    await database.transaction((tx) => setSystemPassword(tx, 'admin', hash));
  }
  await setServicePasswords(database, config);
  const api = await startApi({ config, database, listener, log });
  const { url } = api;
  const startParts = async (): Promise<AsyncDisposable> => {
    const said = (event: string, fields: object): void => log.info({ event, ...fields });
    const settings = { config, database, listener, directUrl: own.url, log: said, threads: await sharedThreads() };
    if (options.worker !== 'jobs') return startWork({ ...settings, schedules: false });
    const worker = await startWorker({
      ...settings,
      handlers,
      concurrency: config.MUNIMENT_WORKER_CONCURRENCY,
      readCaller,
      naming: namingFrom(config),
      searchMirror: openSearch(database, config).mirror,
      options: jobOptionsOf(config),
    });
    return { [Symbol.asyncDispose]: () => worker.stop() };
  };
  const work = options.worker === false ? null : await startParts();

  let session = '';
  const configuration = JSON.stringify(options.environment ?? {});
  const ask = async (
    path: string,
    { method, json: sent, body, form, headers = {}, session: given }: Ask = {},
  ): Promise<Reply> => {
    const token = given === undefined ? session : given;
    const payload = sent === undefined ? (form ?? body) : JSON.stringify(sent);
    const verb = method ?? (payload === undefined ? 'GET' : 'POST');
    const reply = await fetch(`${url}${path}`, {
      method: verb,
      redirect: 'manual',
      headers: {
        ...(token === null || token === '' ? {} : { 'x-service-session': token }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await reply.text();
    const json = parsed(text);
    const described = descriptions.get(configuration) ?? describedBy(url);
    descriptions.set(configuration, described);
    const description = await described;
    const { status, headers: told } = reply;
    const fault = description({ method: verb, path, status, contentType: told.get('content-type'), text, json });
    if (fault !== null) throw new Error(`The OpenAPI document does not describe it: ${fault}`);
    return { status, headers: told, text, json };
  };
  const login = async (username: string, password: string): Promise<string> => {
    const reply = await ask(`/users/${encodeURIComponent(username)}/login`, {
      form: new URLSearchParams({ password }),
      session: null,
    });
    if (reply.status !== 200) throw new Error(`login of ${username}: ${reply.status} ${reply.text}`);
    return String(reply.json.session);
  };
  session = await login('admin', adminPassword);
  let made = 0;
  // What runs, until it is disposed of: tests keep their TestApi in their module, which stays loaded, and a hundred services with it would
  // have the process collect half a gigabyte of garbage again and again.
  let running: readonly AsyncDisposable[] = [...(work === null ? [] : [work]), api, listener, database];
  const api_: TestApi = {
    url,
    session,
    database,
    databaseUrl: own.url,
    ask,
    get: (path, given) => ask(path, given === undefined ? {} : { session: given }),
    post: (path, json, given) =>
      ask(path, {
        method: 'POST',
        ...(json === undefined ? {} : { json }),
        ...(given === undefined ? {} : { session: given }),
      }),
    del: (path, given) => ask(path, { method: 'DELETE', ...(given === undefined ? {} : { session: given }) }),
    create: async (path, body, given) => {
      const reply = await ask(path, { json: body, ...(given === undefined ? {} : { session: given }) });
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      return String(reply.json.uri);
    },
    login,
    userWith: async (permissions, repoId) => {
      made += 1;
      const username = `user${made}`;
      const user = await ask(`/users?password=secret`, { json: { username, name: `User ${made}` } });
      if (user.status !== 200) throw new Error(user.text);
      const hashed = await new Passwords(1, cheapest).hash('secret');
      await database.transaction((tx) => setPassword(tx, Number(user.json.id), hashed));
      const group = await ask(`/repositories/${repoId}/groups`, {
        json: {
          group_code: `g${made}`,
          description: 'for a test',
          member_usernames: [username],
          grants_permissions: permissions,
        },
      });
      if (group.status !== 200) throw new Error(group.text);
      return login(username, 'secret');
    },
    repository: async (code) => {
      made += 1;
      const reply = await ask('/repositories', {
        json: { repo_code: code ?? `REPO${made}`, name: `Repository ${made}` },
      });
      if (reply.status !== 200) throw new Error(reply.text);
      return Number(reply.json.id);
    },
    [Symbol.asyncDispose]: async () => {
      for (const part of running) await part[Symbol.asyncDispose]();
      running = [];
      await own.drop();
    },
  };
  return api_;
}

// The document follows from the code and the configuration: services of a process that are configured alike have the same one.
const descriptions = new Map<string, Promise<Description>>();

/** What the document of a running service describes. */
const describedBy = async (url: string): Promise<Description> =>
  readDescription(await (await fetch(`${url}/openapi.json`)).text());

/** The JSON of a reply that must be 200; fails with what the service says. */
export function ok(reply: Reply): any {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json;
}

/** The id at the end of a uri. */
export const idOf = (uri: string): number => Number(uri.split('/').at(-1));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Data of the contract that the tests carry (test/contract/data). */
export const contractData = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../contract/data/${name}`, import.meta.url), 'utf8'));
