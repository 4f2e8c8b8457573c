// Opens the database for a process of the service: configuration to store settings, reference data, and the administrator's password.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#domain/config.ts';
import { connectionsOfWorker } from '#domain/configuration/connections.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { Database } from '#store/connection/database.ts';
import { patienceOfRequests } from '#store/connection/lock-waits.ts';
import { keptForPeople } from '#store/connection/pool.ts';
import { makeFolders } from '#store/embedded/make-folders.ts';
import { openFileStorage } from '#store/files/open-storage.ts';
import { watchSlowStatements } from '#store/observing/slow-statements.ts';
import type { OpenDatabase } from '#store/set-up/open.ts';
import { openDatabase } from '#store/set-up/open.ts';
import { Passwords } from '#store/access/passwords.ts';
import { findLogin } from '#store/access/users.ts';
import { hasAdminPassword, loadReference, readReferenceData, setSystemPassword } from '#store/set-up/reference.ts';
import { generatedValues } from './generated-values.ts';

/** An open database of the service; `passwordPlace` says in words where the administrator's password is. */
export type ServiceDatabase = OpenDatabase & { readonly passwordPlace: string };

/** Opens, migrates, loads reference data and sees to the administrator's password. */
export async function openForService(config: Config, log: Logger, name: string): Promise<ServiceDatabase> {
  const { MUNIMENT_DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = config;
  let passwordPlace = 'as set before';
  const open = await openDatabase({
    ...(url === undefined ? {} : { url }),
    ...(directUrl === undefined ? {} : { directUrl }),
    dataDir,
    poolSize: name === 'worker' ? connectionsOfWorker(config) : config.MUNIMENT_POOL_SIZE,
    rowsChecked: config.MUNIMENT_ROWS_CHECKED,
    applicationName: `muniment-${name}`,
    files: openFileStorage(config),
    // Jobs may wait: nobody stands behind them.
    ...(name === 'api' ? { lockPatience: patienceOfRequests, keptOpen: keptForPeople } : {}),
    migrations: new URL('../db/migrations/', import.meta.url),
    kinds: kinds.values(),
    log: (event, fields) => log.info({ event, ...fields }),
    prepare: async (database) => {
      const data = readReferenceData(new URL('../db/reference/', import.meta.url));
      await database.transaction(
        (tx) => loadReference(tx, data, generatedValues, config.MUNIMENT_GLOBAL_PERMISSIONS_KEY),
        { statementTimeoutMs: 60_000 },
      );
      // A worker has no users, and often none of these settings. It is started again where it dies, which must not bring back a password that was changed since.
      if (name !== 'worker') passwordPlace = await ensureAdminPassword(database, config, log);
      if (name === 'api') await setServicePasswords(database, config);
    },
  });
  const watch = watchForService(open.database, config, log);
  tellOfStorage(open.database, log);
  return {
    ...open,
    passwordPlace,
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      await open[Symbol.asyncDispose]();
    },
  };
}

/**
 * Asks the storage of files, and tells the log where it cannot be used, with the setting that is wrong. Nobody waits for it: most of the service works
 * without, and a storage that is away at the start may be there later.
 */
export function tellOfStorage({ settings: { files } }: Database, log: Pick<Logger, 'error'>): void {
  files?.probe().catch((error: unknown) => log.error({ event: 'file_storage_fails', storage: files.name, err: error }));
}

/** Has slow statements of this process told to its log, as the configuration says. */
export function watchForService(database: Database, config: Config, log: Pick<Logger, 'warn'>): Disposable {
  return watchSlowStatements(database, {
    limitMs: config.MUNIMENT_SLOW_STATEMENT_MS,
    withPlans: config.MUNIMENT_SLOW_STATEMENT_PLANS,
    tell: (slow) => log.warn({ event: 'slow_statement', ...slow }),
  });
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Sets the configured password, or makes one at the first start and keeps it in a file that only the owner can read. */
async function ensureAdminPassword(database: Database, config: Config, log: Logger): Promise<string> {
  if (config.MUNIMENT_ADMIN_PASSWORD !== undefined) {
    if (config.MUNIMENT_ADMIN_PASSWORD === 'admin' && !loopback.has(config.HOST))
      log.warn(
        { event: 'weak_admin_password', host: config.HOST },
        'the password that everybody tries first, on an address that others reach',
      );
    await setPasswordOf(database, 'admin', config.MUNIMENT_ADMIN_PASSWORD);
    return 'as set by MUNIMENT_ADMIN_PASSWORD';
  }
  const file = resolve(join(config.MUNIMENT_DATA_DIR, 'admin-password'));
  if (await hasAdminPassword(database.reader)) return existsSync(file) ? `in ${file}` : 'as set before';
  makeFolders(config.MUNIMENT_DATA_DIR);
  // The file is written first: a password that nobody can read would lock everybody out.
  await setPasswordOf(database, 'admin', keptPassword(file) ?? makePassword(file));
  return `in ${file}`;
}

/** The password in a file; null where there is none, as in one that a full disk or a kill left empty: an empty password would let everybody in. */
function keptPassword(file: string): string | null {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? null : text;
}

/** Makes a password and keeps it in a file, which has its name when it is whole. */
function makePassword(file: string): string {
  const password = randomBytes(18).toString('base64url');
  const part = `${file}.part-${process.pid}`;
  writeFileSync(part, `${password}\n`, { mode: 0o600, flush: true });
  renameSync(part, file);
  return password;
}

/** The hidden users that programs log in as, and the settings of their passwords (contract 2.3). */
const servicePasswords = [
  ['public_anonymous', 'MUNIMENT_PUBLIC_USER_PASSWORD'],
  ['staff_system', 'MUNIMENT_STAFF_USER_PASSWORD'],
  ['search_indexer', 'MUNIMENT_SEARCH_USER_PASSWORD'],
] as const;

/** Sets the passwords of the hidden users to what is configured, at each start: one that is configured no more is taken away. */
export async function setServicePasswords(database: Database, config: Config): Promise<void> {
  // One after the other, on one connection: opening another costs the server thirty times what these ask of it.
  for (const [username, variable] of servicePasswords)
    await setPasswordOf(database, username, config[variable] ?? null);
}

/**
 * Makes a configured password that of a user of the system; null: nobody's. One that is so already is left alone: a new hash of it would refuse whoever logs in
 * at this moment, as where the API's processes are started one after the other.
 */
export async function setPasswordOf(database: Database, username: string, password: string | null): Promise<void> {
  const passwords = new Passwords(1);
  const stored = (await findLogin(database.reader, username))?.passwordHash ?? null;
  if (password !== null && stored !== null && (await passwords.verify(password, stored))) return;
  const hash = password === null ? null : await passwords.hash(password);
  await database.transaction((tx) => setSystemPassword(tx, username, hash));
}
