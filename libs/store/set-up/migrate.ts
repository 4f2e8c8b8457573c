// Brings a database to the state of the code: plain SQL files NNNN_name.sql, forward only, each in one transaction, one process
// at a time. Knows nothing of what is in them. No session state is used, so it may run through a transaction pooler.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import { openClient } from '../connection/own-client.ts';
import { readOn } from '../connection/reader.ts';
import { sql } from '../connection/sql.ts';

/** One migration: its file name and text. `sha256` is over the text with line ends as \n, so that a checkout cannot change it. */
export type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };

/** The database and the migration files do not fit together, or a file failed; `file` is the file's name. Nothing of it was kept. */
export class MigrationRefused extends Error {
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationRefused';
    this.file = file;
  }
}

/**
 * Applies the files of `directory` that the database has not seen, in order, and names them. Takes a connection that is in no
 * transaction, or a URL. Throws MigrationRefused where a file was changed after it ran, where the database holds a migration
 * that the code does not know (the database is newer), where a new file's number is below one that ran, where SQL fails, and where the
 * server is too old;
 * files applied before a failing one stay applied. `until` names the last file to apply; a restored backup needs the tables of its time.
 */
export async function migrate(
  client: pg.ClientBase | string,
  directory: URL | string,
  until?: string,
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(directory).filter(({ name }) => until === undefined || name <= until);
  if (typeof client !== 'string') return applyAll(client, migrations);
  const own = await openClient({ connectionString: client });
  try {
    return await applyAll(own, migrations);
  } finally {
    await own.end();
  }
}

/** The migrations of a directory in order. Throws MigrationRefused on a misnamed .sql file or a number used twice. */
export function readMigrations(directory: URL | string): Migration[] {
  const folder = directory instanceof URL ? fileURLToPath(directory) : directory;
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new MigrationRefused(name, `Migration ${name} is not named NNNN_name.sql.`);
    const before = names[index - 1];
    if (before?.slice(0, 4) === name.slice(0, 4))
      throw new MigrationRefused(name, `Migrations ${before} and ${name} have the same number.`);
  }
  return names.map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

const ServerRow = z.strictObject({ number: column.text, version: column.text });
const AppliedRow = z.strictObject({ name: column.text, sha256: column.text });

async function applyAll(client: pg.ClientBase, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const [server] = await readOn(
    client,
    sql.type(ServerRow)`
      SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version`,
  );
  refuseOldServer(Number(server?.number), server?.version ?? '');
  const seen = await inLockedTransaction(client, async () => {
    await client.query(createTable);
    return readOn(client, sql.type(AppliedRow)`SELECT name, sha256 FROM migration ORDER BY name`);
  });
  const pending = planMigrations(migrations, seen);
  const applied: string[] = [];
  // One transaction per file, each waiting for the last: this is an order of steps, not a set of records.
  for (const migration of pending) {
    const ran = await inLockedTransaction(client, () => applyOne(client, migration));
    if (ran) applied.push(migration.name);
  }
  return { applied };
}

/** Throws MigrationRefused for a server older than the oldest supported one; `number` is PostgreSQL's server_version_num. */
export function refuseOldServer(number: number, version: string): void {
  // Older ones take the migrations, and fail later at statements that they do not know.
  if (number < 160_000)
    throw new MigrationRefused('', `The database server is PostgreSQL ${version}; Muniment needs 16 or later.`);
}

/** What it means for an operator that the database ran what this version does not have. */
function describeUnknown(name: string, migrations: readonly Migration[]): string {
  const ran = `The database has run migration ${name}, which this version of Muniment does not have:`;
  // Oldest files are put together by a major version alone (decision 0048): then numbers begin behind them.
  const isBehind = name.slice(0, 4) < (migrations[0]?.name.slice(0, 4) ?? '');
  return isBehind
    ? `${ran} the database is older than this version can upgrade. Upgrade to the version before it first (docs/operations.md, Upgrade). Nothing was changed.`
    : `${ran} the database is newer than the code. Start the newer version again, or restore the backup from before the upgrade into a new folder with this one. Nothing was changed.`;
}

/** What is still to run, given what ran; throws MigrationRefused where the two do not fit together. */
function planMigrations(
  migrations: readonly Migration[],
  seen: readonly { readonly name: string; readonly sha256: string }[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of seen) {
    const file = known.get(row.name);
    if (file === undefined) throw new MigrationRefused(row.name, describeUnknown(row.name, migrations));
    if (file.sha256 !== row.sha256) {
      throw new MigrationRefused(
        row.name,
        `Migration ${row.name} was changed after it ran on this database. Restore the file, and put the change into a new one.`,
      );
    }
  }
  const done = new Set(seen.map((row) => row.name));
  const last = seen.at(-1)?.name ?? '';
  const pending = migrations.filter((migration) => !done.has(migration.name));
  const late = pending.find((migration) => migration.name < last);
  if (late)
    throw new MigrationRefused(
      late.name,
      `Migration ${late.name} is new, but ${last} already ran on this database. Give it the next free number.`,
    );
  return pending;
}

/** Runs the file and records it; false where another process did so since we looked. */
async function applyOne(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  const [other] = await readOn(
    client,
    sql.type(AppliedRow)`SELECT name, sha256 FROM migration WHERE name = ${migration.name}`,
  );
  if (other !== undefined) {
    if (other.sha256 === migration.sha256) return false;
    throw new MigrationRefused(migration.name, `Another process ran a different ${migration.name} at the same moment.`);
  }
  try {
    await client.query(migration.sql);
  } catch (error) {
    throw new MigrationRefused(migration.name, describeFailure(migration, error), { cause: error });
  }
  await client.query('INSERT INTO migration (name, sha256) VALUES ($1, $2)', [migration.name, migration.sha256]);
  return true;
}

function describeFailure(migration: Migration, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  const line = Number.isNaN(position) ? '' : ` line ${migration.sql.slice(0, position).split('\n').length}`;
  return `Migration ${migration.name}${line}: ${message}`;
}

/** The lock ends with the transaction, so a process that dies frees it. A pool's statement timeout is not for migrations. */
async function inLockedTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // The connection may be what failed; the first error tells more.
    throw error;
  }
}

/** "munimigr" in ASCII, as a number: a key that no other program chooses by chance. */
const lockKey = '7887331721495537522';

const createTable = `
  CREATE TABLE IF NOT EXISTS migration (
    name text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;
