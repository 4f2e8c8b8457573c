// Opens the database of the service: an external server or the embedded one, brought to the state of the code, with reference data.
import type { Kind } from '#domain/kind.ts';
import type { FileStorage } from '../files/storage.ts';
import { Database } from '../connection/database.ts';
import { keepEmbedded } from '../embedded/keeper.ts';
import { ensureKinds } from './kind-partitions.ts';
import type { LockPatience } from '../connection/lock-waits.ts';
import { Listener } from '../connection/listener.ts';
import { migrate } from './migrate.ts';
import { prepareQueue } from './queue.ts';

/** How to open. `url` absent: an embedded server in `dataDir`. `directUrl` is for LISTEN and migrations, where `url` goes through a pooler. */
export type OpenSettings = {
  readonly url?: string;
  readonly directUrl?: string;
  readonly dataDir: string;
  readonly poolSize: number;
  /** How many of them stay open when nobody asks; absent: none. */
  readonly keptOpen?: number;
  readonly rowsChecked: number;
  readonly applicationName: string;
  /** How long transactions that write wait for locks; absent: as long as a statement may take. */
  readonly lockPatience?: LockPatience;
  /** What keeps files outside of the database; null: nothing does. */
  readonly files: FileStorage | null;
  readonly migrations: URL;
  readonly kinds: Iterable<Kind>;
  readonly log: (event: string, fields?: object) => void;
  /** Reference data to load once the tables are there; left out by processes that start beside one that did. */
  readonly prepare?: (database: Database) => Promise<void>;
};

/** An open database: dispose to close connections and then stop the server, where it is ours. */
export type OpenDatabase = AsyncDisposable & {
  readonly database: Database;
  readonly listener: Listener;
  readonly url: string;
  readonly directUrl: string;
};

/** Opens, migrates and prepares. Fails with words for the operator where the server or the migrations refuse, and leaves nothing open then. */
export async function openDatabase(settings: OpenSettings): Promise<OpenDatabase> {
  const { log } = settings;
  await using opened = new AsyncDisposableStack();
  const embedded =
    settings.url === undefined ? opened.use(await keepEmbedded({ dataDir: settings.dataDir, log })) : null;
  const url = settings.url ?? embedded?.url ?? '';
  const directUrl = settings.directUrl ?? url;
  const { applied } = await migrate(directUrl, settings.migrations);
  if (applied.length > 0) log('migrations_applied', { files: applied });
  await prepareQueue(directUrl);
  const database = opened.use(
    new Database({
      url,
      poolSize: settings.poolSize,
      ...(settings.keptOpen === undefined ? {} : { keptOpen: settings.keptOpen }),
      applicationName: settings.applicationName,
      ...(settings.lockPatience === undefined ? {} : { lockPatience: settings.lockPatience }),
      rowsChecked: settings.rowsChecked,
      files: settings.files,
    }),
  );
  const listener = opened.use(
    new Listener({ url: directUrl, onError: (error) => log('listen_lost', { error: error.message }) }),
  );
  // Without a limit: an index of a new release over millions of records takes its time.
  await database.transaction((tx) => ensureKinds(tx, settings.kinds), { statementTimeoutMs: 0 });
  await settings.prepare?.(database);
  const kept = opened.move();
  return { database, listener, url, directUrl, [Symbol.asyncDispose]: async () => kept.disposeAsync() };
}
