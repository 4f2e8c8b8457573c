// A backup of a running service as one file: every table in one snapshot, as COPY text between SQL statements, compressed. The embedded
// server has no pg_dump; for one of yours pg_dump does as well. restore.ts reads it back. The file is a data-only SQL script, so psql
// can load it too (into tables of the same version).
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { replacedTables } from '../search/postgres/rebuild.ts';
import { FilePlace, filePlaces } from '../files/objects.ts';
import { column } from '../connection/columns.ts';
import { openClient } from '../connection/own-client.ts';
import { readOn } from '../connection/reader.ts';
import { sql } from '../connection/sql.ts';

/** The first line of a backup, after `headPrefix`: what the rest needs to be read. */
export const BackupHead = z.strictObject({
  format: z.literal(1),
  at: column.text,
  server: column.text,
  /** The migrations that the database had run. */
  migrations: z.array(z.strictObject({ name: column.text, sha256: column.text })),
  /** The numbers of the partitions of the feed. */
  feed: column.ints,
  /** The last number of a revision: their parts have to reach so far. None where the backup is of a version that kept them in one table. */
  revisions: column.int,
  /** How many complete files are where: in the backup, where `storage` is null. What is elsewhere has to be backed up there. */
  files: z.array(FilePlace).readonly(),
});
export type BackupHead = z.infer<typeof BackupHead>;

/** The last line, after `endPrefix`; where it is missing, so is part of the backup. */
export type BackupEnd = { readonly rows: { readonly [table: string]: number } };

export const headPrefix = '-- Muniment backup ';
export const endPrefix = '-- end ';

/** What a backup holds. */
export type BackupSummary = {
  readonly at: string;
  readonly tables: number;
  readonly rows: number;
  /** Files that are in a storage, and not in the backup; none where the backup is of a version that kept all in the database. */
  readonly outside: readonly FilePlace[];
};

/** The files of a head that are not in the backup. Earlier versions name none. */
export const filesOutside = ({ files }: Partial<Pick<BackupHead, 'files'>>): readonly FilePlace[] =>
  (files ?? []).filter(({ storage }) => storage !== null);

/**
 * Writes everything that the service keeps to `target`, as it is at this moment; writers go on meanwhile. Not in it are the schedules
 * of pg-boss, which every start makes anew. Needs one connection without a transaction pooler, for as long as it takes. Where the signal aborts, it
 * throws, and what was written is no backup.
 */
export async function writeBackup(url: string, target: Writable, signal?: AbortSignal): Promise<BackupSummary> {
  const client = await openClient({ connectionString: url, application_name: 'muniment backup' });
  try {
    // The settings that COPY's text depends on.
    await client.query(
      "SET statement_timeout = 0; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET client_encoding = 'UTF8'; SET extra_float_digits = 1; SET search_path = public",
    );
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; LOCK TABLE ${replacedTables.join(', ')} IN ACCESS SHARE MODE`,
    );
    const head = await readHead(client);
    const rows: { [table: string]: number } = {};
    await pipeline(Readable.from(script(client, head, rows)), createGzip({ level: 4 }), target, {
      ...(signal === undefined ? {} : { signal }),
    });
    await client.query('COMMIT');
    return {
      at: head.at,
      tables: Object.keys(rows).length,
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
      outside: filesOutside(head),
    };
  } finally {
    await client.end().catch(() => undefined); // What failed was told already.
  }
}

const ThereRow = z.strictObject({ there: column.bool });

async function readHead(client: pg.Client): Promise<BackupHead> {
  // Before an upgrade the tables may be of an earlier version than the code: where all files were in the database, none is told of.
  const [tables] = await readOn(client, sql.type(ThereRow)`SELECT to_regclass('stored_object') IS NOT NULL AS there`);
  const files = tables?.there === true ? await readOn(client, filePlaces) : [];
  const [head] = await readOn(
    client,
    sql.type(BackupHead.omit({ files: true }))`
    SELECT 1 AS format, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at, current_setting('server_version') AS server,
      (SELECT json_agg(json_build_object('name', name, 'sha256', sha256) ORDER BY name) FROM migration) AS migrations,
      (SELECT json_agg(substring(inhrelid::regclass::text FROM '[0-9]+$')::int ORDER BY 1) FROM pg_inherits WHERE inhparent = 'feed'::regclass) AS feed,
      (SELECT last_value::float8 FROM revision_n_seq) AS revisions`,
  );
  if (head === undefined) throw new Error('the database gave no head for the backup');
  return { ...head, files };
}

const SequenceRow = z.strictObject({ name: column.text, value: column.text });
const Table = z.strictObject({ name: column.text, columns: column.text });
type Table = z.infer<typeof Table>;
const TableRow = Table.extend({ depends: column.texts });

/** The lines of the backup; fills `rows` on the way. One table after the other on the one connection that holds the snapshot. */
async function* script(
  client: pg.Client,
  head: BackupHead,
  rows: { [table: string]: number },
): AsyncGenerator<string | Buffer> {
  yield `${headPrefix}${JSON.stringify(head)}\n`;
  for (const { name, columns } of await readTables(client)) {
    yield `COPY ${name} (${columns}) FROM stdin;\n`;
    const copy = client.query(copyTo(`COPY (SELECT ${columns} FROM ${name}) TO STDOUT`));
    yield* copy;
    yield '\\.\n';
    rows[name] = copy.rowCount;
  }
  // Sequences are outside of snapshots: read after the tables they are never behind them.
  const sequences = await readOn(
    client,
    sql.type(SequenceRow)`
    SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  yield sequences.map(({ name, value }) => `SELECT setval('${name}', ${value});\n`).join('');
  const end: BackupEnd = { rows };
  yield `${endPrefix}${JSON.stringify(end)}\n`;
}

/** Tables with the columns that can be written; those that others refer to come first. Partitions are in the table that they are parts of. */
async function readTables(client: pg.Client): Promise<readonly Table[]> {
  const rows = await readOn(
    client,
    sql.type(TableRow)`
    SELECT quote_ident(c.relname) AS name,
      (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
      ARRAY(SELECT quote_ident(t.relname) FROM pg_constraint k JOIN pg_class t ON t.oid = k.confrelid WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS depends
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration' ORDER BY 1`,
  );
  const ordered: Table[] = [];
  const waiting = new Map(rows.map((row) => [row.name, row]));
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ depends }) => depends.every((name) => !waiting.has(name)));
    if (ready.length === 0) throw new Error('tables refer to each other in a circle');
    for (const table of ready) {
      ordered.push(table);
      waiting.delete(table.name);
    }
  }
  return ordered;
}
