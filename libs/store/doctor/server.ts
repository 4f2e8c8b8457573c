// Figures of the database server and of the database as such, for `muniment doctor`: whoever may connect may read them.
import { z } from 'zod';
import type { ServerFacts } from '#domain/doctor/facts.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { readFreeBytes } from '../files/disk-space.ts';
import { readMigrations } from '../set-up/migrate.ts';
import { readDeadRows } from './dead-rows.ts';

/**
 * Reads the server's figures. `reader` goes around a pooler, `pooled` is as the service connects. `migrations` are those of this version, `clock`
 * gives this machine's time in milliseconds.
 */
export async function readServerFacts(
  reader: Reader,
  pooled: Reader,
  migrations: URL,
  clock: () => number,
): Promise<ServerFacts> {
  return {
    ...(await readFigures(reader)),
    migrations: await readMigrationState(reader, migrations),
    freeBytes: await readFreeBytes(reader),
    deadRows: await readDeadRows(reader),
    oldest: await readOldest(reader),
    slots: await readSlots(reader),
    archiveFailing: await readArchiving(reader),
    connections: await readConnections(reader),
    lostSettings: await readLostSettings(pooled),
    clockSeconds: await readClock(reader, clock),
  };
}

const FiguresRow = z.strictObject({
  unsafeSettings: column.texts,
  withoutVacuum: column.texts,
  sizeBytes: column.int,
  wraparound: column.number,
  readOnlyByDefault: column.bool,
  invalidIndexes: column.texts,
  sequences: z.array(z.object({ name: z.string(), share: z.number() })),
});

// Tables of the schema `beside` are an index in the making, without vacuum on purpose (decision 0017).
const readFigures = (reader: Reader): Promise<z.infer<typeof FiguresRow>> =>
  reader.one(sql.type(FiguresRow)`
    SELECT ARRAY(SELECT name::text FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY 1) AS "unsafeSettings",
      ARRAY(SELECT 'the server (' || name || ')' FROM pg_settings WHERE name IN ('autovacuum', 'track_counts') AND setting = 'off'
        UNION ALL SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND 'autovacuum_enabled=false' = ANY(reloptions) ORDER BY 1) AS "withoutVacuum",
      pg_database_size(current_database()) AS "sizeBytes",
      (SELECT greatest(age(datfrozenxid), mxid_age(datminmxid)) / 2147483648.0 FROM pg_database WHERE datname = current_database())::float8 AS wraparound,
      EXISTS (SELECT FROM pg_db_role_setting s WHERE (s.setdatabase = 0 OR s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
        AND (s.setrole = 0 OR s.setrole = current_user::regrole)
        AND EXISTS (SELECT FROM unnest(s.setconfig) AS set WHERE CASE WHEN set ^@ 'default_transaction_read_only=' THEN split_part(set, '=', 2)::boolean END)) AS "readOnlyByDefault",
      ARRAY(SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE NOT indisvalid AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'i' ORDER BY 1) AS "invalidIndexes",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('name', sequencename, 'share', last_value / max_value::float8)), '[]') FROM pg_sequences
        WHERE schemaname = 'public' AND last_value IS NOT NULL AND NOT cycle) AS sequences`);

const TableThere = z.strictObject({ there: column.bool });
const AppliedRow = z.strictObject({ name: column.text, sha256: column.text });

async function readMigrationState(reader: Reader, folder: URL): Promise<ServerFacts['migrations']> {
  const files = readMigrations(folder);
  const { there } = await reader.one(sql.type(TableThere)`SELECT to_regclass('public.migration') IS NOT NULL AS there`);
  const applied = there ? await reader.any(sql.type(AppliedRow)`SELECT name, sha256 FROM migration ORDER BY name`) : [];
  const ran = new Map(applied.map(({ name, sha256 }) => [name, sha256]));
  const known: ReadonlySet<string> = new Set(files.map(({ name }) => name));
  return {
    pending: files.filter(({ name }) => !ran.has(name)).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: files.filter(({ name, sha256 }) => ran.has(name) && ran.get(name) !== sha256).map(({ name }) => name),
  };
}

const OldestRow = z.strictObject({ seconds: column.number, program: column.text });

/** Of backends and of transactions that were prepared and left. Those of other users show no more than that they are there. */
const readOldest = (reader: Reader): Promise<z.infer<typeof OldestRow> | null> =>
  reader.maybeOne(sql.type(OldestRow)`
    SELECT extract(epoch FROM clock_timestamp() - at)::float8 AS seconds, program FROM (
      SELECT xact_start AS at, coalesce(nullif(application_name, ''), usename::text, '?') AS program FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND xact_start IS NOT NULL
      UNION ALL SELECT prepared, 'the prepared transaction ' || gid FROM pg_prepared_xacts WHERE database = current_database()) AS open ORDER BY at LIMIT 1`);

const SlotRow = z.strictObject({ name: column.text, active: column.bool, bytes: column.int });

const readSlots = (reader: Reader): Promise<readonly z.infer<typeof SlotRow>[]> =>
  reader.any(sql.type(SlotRow)`
    SELECT slot_name::text AS name, active, coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn), 0)::bigint AS bytes
    FROM pg_replication_slots ORDER BY 1`);

const ArchiveRow = z.strictObject({ failed: column.time });

async function readArchiving(reader: Reader): Promise<string | null> {
  const row = await reader.maybeOne(sql.type(ArchiveRow)`
    SELECT last_failed_time AS failed FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off' AND last_failed_time IS NOT NULL
      AND (last_archived_time IS NULL OR last_failed_time > last_archived_time)`);
  return row?.failed ?? null;
}

const ConnectionsRow = z.strictObject({ used: column.int, limit: column.int, processes: column.int });

/** The limit is the nearest of the server's, the database's and the role's. Every process has one connection for notifications. */
const readConnections = (reader: Reader): Promise<z.infer<typeof ConnectionsRow>> =>
  reader.one(sql.type(ConnectionsRow)`
    WITH use AS (SELECT count(*) AS server, count(*) FILTER (WHERE datname = current_database()) AS here, count(*) FILTER (WHERE usename = current_user) AS mine,
        count(*) FILTER (WHERE datname = current_database() AND application_name = 'muniment listener') AS processes FROM pg_stat_activity WHERE backend_type = 'client backend'),
      bound AS (
        SELECT server AS used, current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - current_setting('reserved_connections')::int AS most FROM use
        UNION ALL SELECT here, datconnlimit FROM use, pg_database WHERE datname = current_database() AND datconnlimit >= 0
        UNION ALL SELECT mine, rolconnlimit FROM use, pg_roles WHERE rolname = current_user AND rolconnlimit >= 0)
    SELECT b.used, b.most AS "limit", use.processes FROM bound b, use ORDER BY b.most - b.used LIMIT 1`);

const SessionRow = z.strictObject({ timezone: column.text, cost: column.text, timeout: column.text });

async function readLostSettings(pooled: Reader): Promise<readonly string[]> {
  const { timezone, cost, timeout } = await pooled.one(sql.type(SessionRow)`
    SELECT current_setting('timezone') AS timezone, current_setting('random_page_cost') AS cost, current_setting('statement_timeout') AS timeout`);
  return [
    ...(timezone === 'UTC' ? [] : ['timezone']),
    ...(cost === '1.1' ? [] : ['random_page_cost']),
    ...(timeout === '0' ? ['statement_timeout'] : []),
  ];
}

const ClockRow = z.strictObject({ at: column.number });

/** Seconds that the server's clock is before this machine's; what the way took is split in two. */
async function readClock(reader: Reader, clock: () => number): Promise<number> {
  const before = clock();
  const { at } = await reader.one(sql.type(ClockRow)`SELECT extract(epoch FROM clock_timestamp())::float8 AS at`);
  return at - (before + clock()) / 2000;
}
