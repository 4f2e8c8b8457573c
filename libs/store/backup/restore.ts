// Reads what backup.ts wrote into an empty database. Nothing of the file is run as SQL: its statements are taken apart and checked
// against the tables that are there.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { BackupEnd, BackupHead, BackupSummary } from './backup.ts';
import { endPrefix, filesOutside, headPrefix } from './backup.ts';
import { Database } from '../connection/database.ts';
import { ensureKinds, ensurePartitions } from '../set-up/kind-partitions.ts';
import { migrate, readMigrations } from '../set-up/migrate.ts';
import { dropRebuild } from '../search/postgres/rebuild.ts';
import { adoptCluster } from '../change-log/sequencer.ts';
import { column } from '../connection/columns.ts';
import { openClient } from '../connection/own-client.ts';
import { readOn } from '../connection/reader.ts';
import { sql } from '../connection/sql.ts';

/** The file cannot be restored, or not here; the message is for the operator. The database has no data then. */
class RestoreRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RestoreRefused';
  }
}

/** The data is in, and what comes behind it failed: a service on it would do without. The message is for the operator. */
export class RestoreUnfinished extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'RestoreUnfinished';
  }
}

const damaged = (error: Error): RestoreRefused =>
  new RestoreRefused(`The file is damaged or not a backup of Muniment (${error.message}).`, { cause: error });

/** What inflates and is no row of its table, or no JSON: a byte that changed shows there long before the checksum at the end. */
const isOfContent = (error: unknown): error is Error =>
  error instanceof SyntaxError || (error instanceof pg.DatabaseError && /^(?:2[123]|42)/.test(error.code ?? ''));

/** Where to, from what, and the code's own migrations and kinds. */
export type RestoreSettings = {
  readonly url: string;
  readonly source: Readable;
  readonly migrations: URL;
  readonly kinds: readonly Kind[];
};

/**
 * Fills a database that holds no records with a backup: the tables of its time, the data in one transaction, then the migrations since.
 * New changes are numbered a million beyond those of the backup, so that no number that a client saw afterwards comes back (decision
 * 0005). Throws RestoreRefused where the file is not a whole backup, is newer than the code, or the database is not empty; RestoreUnfinished
 * where it fails behind the data.
 */
export async function restoreBackup(settings: RestoreSettings): Promise<BackupSummary> {
  const { url, source, migrations, kinds } = settings;
  const text = new ScriptReader(source.pipe(createGunzip()), source);
  const head = parseHead(await text.readLine());
  const last = checkMigrations(head, migrations);
  await checkEmpty(url, last);
  await migrate(url, migrations, last);
  await using database = new Database({ url, poolSize: 2, statementTimeoutMs: 0, applicationName: 'muniment restore' });
  await database.transaction(async (tx) => ensurePartitions(tx, kinds));
  const rows = await database.withClient(async (client) => {
    await client.query(
      "BEGIN READ WRITE; SET LOCAL timezone = 'UTC'; SET LOCAL client_encoding = 'UTF8'; SET LOCAL search_path = public",
    );
    try {
      const counts = await load(client, text, head);
      await client.query('COMMIT');
      return counts;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // The first error tells more.
      throw isOfContent(error) ? damaged(error) : error;
    }
  });
  await finish(database, settings).catch((error: unknown) => {
    throw new RestoreUnfinished(error);
  });
  return {
    at: head.at,
    tables: Object.keys(rows).length,
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    outside: filesOutside(head),
  };
}

/** What comes behind the data: the migrations since, and what each database has of its own. */
async function finish(database: Database, { url, migrations, kinds }: RestoreSettings): Promise<void> {
  await migrate(url, migrations);
  // Behind the migrations, which make what some of the indexes are over.
  await database.transaction(async (tx) => ensureKinds(tx, kinds), { statementTimeoutMs: 0 });
  await adoptCluster(database);
  // What was made beside the index is not in the backup; its job begins anew.
  await database.transaction(async (tx) => dropRebuild(tx));
  await database.withClient(async (client) => client.query('ANALYZE'));
}

function parseHead(line: string | null): BackupHead {
  if (line?.startsWith(headPrefix) !== true) throw new RestoreRefused('The file is not a backup of Muniment.');
  // Written by backup.ts; the format says which shape follows.
  const head = JSON.parse(line.slice(headPrefix.length)) as BackupHead;
  if (head.format !== 1)
    throw new RestoreRefused('The backup was made by a newer version of Muniment: restore it with that one.');
  return head;
}

/** The name of the last migration of the backup, all of which this version must have. */
function checkMigrations(head: BackupHead, directory: URL): string {
  const ours = new Map(readMigrations(directory).map(({ name, sha256 }) => [name, sha256]));
  const unknown = head.migrations.find(({ name, sha256 }) => ours.get(name) !== sha256);
  if (unknown !== undefined)
    throw new RestoreRefused(
      `The backup has tables by migration ${unknown.name}, which this version of Muniment does not have: restore it with the version that made it.`,
    );
  return head.migrations.at(-1)?.name ?? '';
}

const ThereRow = z.strictObject({ there: column.bool });

/** Looks before anything is touched; `load` makes sure in its transaction. `last` is the last migration of the backup, whose tables are to be made. */
async function checkEmpty(url: string, last: string): Promise<void> {
  const client = await openClient({ connectionString: url });
  try {
    const [tables] = await readOn(client, sql.type(ThereRow)`SELECT to_regclass('public.record') IS NOT NULL AS there`);
    if (tables?.there === true && (await client.query('SELECT FROM record LIMIT 1')).rowCount !== 0)
      throw new RestoreRefused(notEmpty);
    // A restore that failed leaves its tables behind, without data; those of an earlier time cannot be made any more.
    if (tables?.there === true && (await client.query('SELECT FROM migration WHERE name > $1', [last])).rowCount !== 0)
      throw new RestoreRefused(
        'The database has tables of a later version than the backup, as a restore that failed leaves them. Restore into a new data folder or a new database.',
      );
  } finally {
    await client.end();
  }
}

const notEmpty = 'The database is not empty. Restore into a new data folder or a new database.';

const StateRow = z.strictObject({
  empty: column.bool,
  tables: column.texts,
  sequences: column.texts,
  triggered: column.texts,
  parted: column.bool,
});

/** Loads everything in the caller's transaction and gives the number of rows of each table. */
async function load(client: pg.PoolClient, text: ScriptReader, head: BackupHead): Promise<BackupEnd['rows']> {
  // Held before it is looked at: what another restore, or the first start of a service, is bringing in at this moment would be seen too late, and go.
  await client.query('LOCK TABLE record, job IN ACCESS EXCLUSIVE MODE');
  const [state] = await readOn(
    client,
    sql.type(StateRow)`
    SELECT NOT EXISTS (SELECT FROM record) AND NOT EXISTS (SELECT FROM job) AS empty,
      ARRAY(SELECT quote_ident(relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration') AS tables,
      ARRAY(SELECT quote_ident(sequencename) FROM pg_sequences WHERE schemaname = 'public') AS sequences,
      ARRAY(SELECT DISTINCT quote_ident(relname) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal AND tgparentid = 0) AS triggered,
      to_regproc('make_revision_parts') IS NOT NULL AS parted`,
  );
  if (state?.empty !== true) throw new RestoreRefused(notEmpty);
  // Migrations put rows of their own into some tables; those of the backup come in their place.
  await client.query(`TRUNCATE ${state.tables.join(', ')}`);
  await client.query('SELECT make_feed_partition(k) FROM unnest($1::bigint[]) AS k', [head.feed]);
  const { revisions }: Partial<Pick<BackupHead, 'revisions'>> = head;
  // Tables of before there were parts, which this version backed up before it had migrated them, take all of them.
  if (revisions !== undefined && state.parted) await client.query('SELECT make_revision_parts($1)', [revisions]);
  // What triggers keep is in the backup.
  const setTriggers = (state: 'ENABLE' | 'DISABLE', tables: readonly string[]): Promise<unknown> =>
    client.query(tables.map((table) => `ALTER TABLE ${table} ${state} TRIGGER USER`).join('; '));
  await setTriggers('DISABLE', state.triggered);
  const rows: { [table: string]: number } = {};
  for (let line = await text.readLine(); line !== null; line = await text.readLine()) {
    const [, table = '', columns = ''] = /^COPY (\S+) \(([\w", ]+)\) FROM stdin;$/.exec(line) ?? [];
    const [, sequence = '', value = ''] = /^SELECT setval\('(\S+)', (-?\d+)\);$/.exec(line) ?? [];
    if (state.tables.includes(table)) {
      const copy = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
      await pipeline(text.readData(), copy);
      rows[table] = copy.rowCount;
    } else if (state.sequences.includes(sequence)) {
      await client.query('SELECT setval($1, $2)', [sequence, value]);
    } else if (line.startsWith(endPrefix)) {
      compareCounts(rows, line);
      // "Another cluster", even where it is the same: adoptCluster then starts the numbers anew.
      await client.query('UPDATE sequencer SET cluster = 0');
      await setTriggers('ENABLE', state.triggered);
      return rows;
    } else {
      throw new RestoreRefused(`The backup holds a line that this version does not understand: ${line.slice(0, 100)}`);
    }
  }
  throw new RestoreRefused('The backup is not whole: its end is missing.');
}

function compareCounts(rows: BackupEnd['rows'], line: string): void {
  // Written by backup.ts, format 1.
  const expected = (JSON.parse(line.slice(endPrefix.length)) as BackupEnd).rows;
  const wrong = Object.keys(expected).find((table) => expected[table] !== rows[table]);
  if (wrong !== undefined)
    throw new RestoreRefused(
      `The backup is damaged: of table ${wrong} ${rows[wrong] ?? 0} rows are there and ${expected[wrong] ?? 0} should be.`,
    );
}

const dataEnd = Buffer.from('\n\\.\n');

/** Reads a script by lines, and the data between them in chunks as they come. */
class ScriptReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable, origin: Readable) {
    origin.once('error', (error) => stream.destroy(error));
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Adds the next chunk to what is there; false at the end. */
  async #more(): Promise<boolean> {
    try {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
      return true;
    } catch (error) {
      // What zlib says of a file that is cut off or was never compressed.
      const isData = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
      throw isData ? damaged(error) : error;
    }
  }

  /** The next line without its end; null at the end of the script. */
  async readLine(): Promise<string | null> {
    let end = this.#rest.indexOf(10);
    while (end < 0) {
      if (!(await this.#more())) return null;
      end = this.#rest.indexOf(10);
    }
    const line = this.#rest.subarray(0, end).toString('utf8');
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  /** The rows up to the line `\.`, which is read too. */
  async *readData(): AsyncGenerator<Buffer> {
    while (this.#rest.length < 3)
      if (!(await this.#more())) throw new RestoreRefused('The backup is not whole: it ends inside a table.');
    if (this.#rest.subarray(0, 3).equals(dataEnd.subarray(1))) {
      this.#rest = this.#rest.subarray(3);
      return;
    }
    for (;;) {
      const end = this.#rest.indexOf(dataEnd);
      if (end >= 0) {
        yield this.#rest.subarray(0, end + 1);
        this.#rest = this.#rest.subarray(end + dataEnd.length);
        return;
      }
      // The mark may be cut in two by the end of the chunk.
      const sure = Math.max(0, this.#rest.length - (dataEnd.length - 1));
      if (sure > 0) yield this.#rest.subarray(0, sure);
      this.#rest = this.#rest.subarray(sure);
      if (!(await this.#more())) throw new RestoreRefused('The backup is not whole: it ends inside a table.');
    }
  }
}
