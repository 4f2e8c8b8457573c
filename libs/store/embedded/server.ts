// The PostgreSQL server that comes with Muniment, for one machine without a database of its own: made, started, found again
// after a crash, and stopped. Which user it runs as, its files and its process are in embedded/; decision 0002 tells why.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from './account.ts';
import type { Account } from './account.ts';
import { loadBinaries } from './binaries.ts';
import {
  checkVersion,
  findClusterDir,
  handOver,
  initialiseCluster,
  makeSocketDir,
  placeInStateFolder,
  programEnvironment,
  removeSocketDir,
} from './cluster-files.ts';
import { askServer, ensureDatabase, socketUrl } from './connection.ts';
import { makeFolders } from './make-folders.ts';
import { claimServer, releaseServer } from './owner.ts';
import { isServerOf, lockFile, readPostmaster, removeStaleLocks, socketLockFile, stopServer } from './postmaster.ts';
import { serverArguments } from './settings.ts';

/** What `startEmbedded` needs. `settings` are further PostgreSQL parameters (tests: fsync=off); they win over our own. */
export type EmbeddedOptions = {
  readonly dataDir: string;
  readonly log: (event: string, fields?: object) => void;
  readonly settings?: Readonly<Record<string, string>>;
  /** Fails where the folder has no database, in place of making one: for who reads what is there, and may have been given a wrong name. */
  readonly mustExist?: true;
  /** For a command, which needs the server for a while and leaves it to a service that begins meanwhile. */
  readonly isCommand?: true;
};

/** A running server. `url` names the database `muniment`; `adopted` says that it ran already. */
export type EmbeddedServer = {
  readonly url: string;
  readonly adopted: boolean;
  /** Whether its main process is there. A server that recovers from the death of another of its processes is. */
  isRunning(): boolean;
  /**
   * Fast shutdown, to be called after all pools are closed; returns when the server has ended. Does nothing where another living
   * process is responsible for the server, or at a second call.
   */
  stop(): Promise<void>;
};

type Place = { readonly socketDir: string; readonly port: number };

/** Crash recovery reads at most max_wal_size of log; on a slow disk that may take minutes. */
const recoveryPatienceMs = 600_000;
/** How long the remains of a killed server (zombie, children that still end) may keep a new one from starting. */
const remainsPatienceMs = 10_000;

/**
 * Starts PostgreSQL on `<dataDir>/pg`, making the cluster first where there is none, or adopts the server that already runs there
 * (left behind by a killed Node). It listens on a Unix socket only and outlives this process unless `stop` is called. Throws with
 * words for the operator where it cannot: no programs for this platform, data of another major version, refused by PostgreSQL.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, settings = {}, isCommand = false } = options;
  if (options.mustExist === true && !existsSync(join(options.dataDir, 'pg')))
    throw new Error(
      `There is no database in ${resolve(options.dataDir)}: name the data folder in MUNIMENT_DATA_DIR, or a database in DATABASE_URL.`,
    );
  const binaries = await loadBinaries();
  makeFolders(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  let clusterDir = findClusterDir(dataDir);

  const running = await adopt(clusterDir);
  if (running) return serve({ place: running, adopted: true, dataDir, clusterDir, isCommand, log });

  const account = chooseAccount({ home: dirname(clusterDir), clusterDir, binaries, stateFolder });
  if (!account.reachesHome) {
    clusterDir = placeInStateFolder(dataDir, stateFolder);
    log('database_placed_elsewhere', { directory: clusterDir });
  }
  if (initialiseCluster(clusterDir, account, settings['fsync'] !== 'off'))
    log('database_initialised', { version: binaries.version, road: account.road });
  checkVersion(clusterDir, binaries.version);
  const found = await launchOrAdopt({ dataDir, clusterDir, account, log, settings });
  return serve({ ...found, dataDir, clusterDir, isCommand, log });
}

/** Where root may put what another user must reach: the customary place for the state of a service. */
const stateFolder = '/var/lib/muniment';

async function serve(server: {
  readonly place: Place;
  readonly adopted: boolean;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly isCommand: boolean;
  readonly log: EmbeddedOptions['log'];
}): Promise<EmbeddedServer> {
  const { place, adopted, dataDir, clusterDir, isCommand, log } = server;
  const isOurs = claimServer(dataDir, isCommand);
  await ensureDatabase(socketUrl(place.socketDir, place.port, 'postgres'), databaseName);
  log(adopted ? 'database_adopted' : 'database_started', {
    socket: place.socketDir,
    process: readPostmaster(clusterDir)?.pid,
  });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    // A service may have taken it over from a command since.
    if (!isOurs || !claimServer(dataDir, isCommand))
      return log('database_left_running', { reason: 'another process uses it' });
    const outcome = await stopServer(clusterDir);
    removeSocketDir(place.socketDir);
    releaseServer(dataDir);
    log('database_stopped', { outcome });
  };
  const isRunning = (): boolean => {
    const recorded = readPostmaster(clusterDir);
    return recorded !== undefined && isServerOf(recorded.pid, clusterDir);
  };
  return {
    url: socketUrl(place.socketDir, place.port, databaseName),
    adopted,
    isRunning,
    stop: () => (stopping ??= stop()),
  };
}

const databaseName = 'muniment';

/** The server that runs on the directory, once it accepts connections; undefined where none does, or the one that did has ended. */
async function adopt(clusterDir: string): Promise<Place | undefined> {
  const started = performance.now();
  for (;;) {
    const recorded = readPostmaster(clusterDir);
    if (!recorded) return undefined;
    const answer = await askServer(recorded.socketDir, recorded.port, clusterDir);
    if (answer === 'ready') return recorded;
    if (answer === 'other_server' || !isServerOf(recorded.pid, clusterDir)) return undefined;
    if (performance.now() - started > (answer === 'starting' ? recoveryPatienceMs : remainsPatienceMs))
      return undefined;
    await sleep(25);
  }
}

type Launch = {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly account: Account;
  readonly log: EmbeddedOptions['log'];
  readonly settings: Readonly<Record<string, string>>;
};

async function launchOrAdopt(launch: Launch): Promise<{ place: Place; adopted: boolean }> {
  const { clusterDir, log } = launch;
  const started = performance.now();
  for (;;) {
    const place = { socketDir: makeSocketDir(clusterDir, launch.account), port: 5432 };
    if (removeStaleLocks(clusterDir, place.socketDir)) log('database_stale_lock_removed');
    if (!existsSync(lockFile(clusterDir))) handOver(clusterDir, launch.account);
    const failure = await launchOnce(launch, place.socketDir);
    if (failure === undefined) return { place, adopted: false };
    // A lock file that stays means the remains of a killed server; without one, PostgreSQL refused for a reason of its own.
    const isHeld = existsSync(lockFile(clusterDir)) || existsSync(socketLockFile(place.socketDir));
    removeSocketDir(place.socketDir);
    const running = await adopt(clusterDir);
    if (running) return { place: running, adopted: true };
    if (!isHeld || performance.now() - started > remainsPatienceMs) {
      throw new Error(`PostgreSQL did not start: ${failure}`);
    }
    await sleep(200);
  }
}

/** Starts the server and waits until it accepts connections; returns what it wrote into its log where it ended instead. */
async function launchOnce(launch: Launch, socketDir: string): Promise<string | undefined> {
  const { account, clusterDir } = launch;
  const logPath = join(launch.dataDir, 'postgresql.log');
  const logFd = openLog(logPath);
  const logStart = statSync(logPath).size;
  const [program = account.binaries.postgres, ...args] = [
    ...account.prefix,
    account.binaries.postgres,
    ...serverArguments(clusterDir, socketDir, launch.settings),
  ];
  // Its own process group, so that Ctrl-C reaches us alone and requests in flight can end; a descriptor and no pipe for its log,
  // so that it can go on writing when we are killed.
  const child = spawn(program, args, {
    ...account.identity,
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  closeSync(logFd);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `ended with ${signal ?? code}`;
  });
  const started = performance.now();
  while (ended === undefined) {
    // The answer may come from the server of another process that was faster; then ours is about to end.
    if ((await askServer(socketDir, 5432, clusterDir)) === 'ready' && readPostmaster(clusterDir)?.pid === child.pid)
      return undefined;
    if (performance.now() - started > recoveryPatienceMs) {
      child.kill('SIGQUIT');
      return `it did not accept connections within ${recoveryPatienceMs / 1000} s`;
    }
    await sleep(25);
  }
  const written = readFileSync(logPath).subarray(logStart).toString('utf8').trim();
  return written === '' ? ended : written.slice(-2000);
}

/** Opens the server's log for appending; one that grew past 16 MB is kept as `.1` and begun anew. */
function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 16 * 1024 * 1024) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
