// PostgreSQL's own figures that are worth an alert, and what else only the database knows of the installation, for /metrics.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { unsequencedAge } from '../change-log/sequencer.ts';
import { readFreeBytes } from '../files/disk-space.ts';
import { presenceClass } from '../queue/presence.ts';

/** Times in seconds; `wraparound` is the share of 2^31 transactions that is used; null is what is not known or not there. */
const VitalsRow = z.strictObject({
  sizeBytes: column.int,
  wraparound: column.number,
  transactionSeconds: column.number,
  connections: column.int,
  connectionsLimit: column.int,
  slotBytes: column.int,
  workers: column.int,
  unsequencedSeconds: column.number,
  deliveriesPending: column.int,
  deliveriesDead: column.int,
  backupSeconds: column.maybeNumber,
});
export type Vitals = z.infer<typeof VitalsRow> & { readonly freeBytes: number | null };

/** One statement; the size of the database is asked of its files. */
export async function readVitals(reader: Reader): Promise<Vitals> {
  const vitals = await reader.one(sql.type(VitalsRow)`
    SELECT pg_database_size(d.oid) AS "sizeBytes", (greatest(age(d.datfrozenxid), mxid_age(d.datminmxid)) / 2147483648.0)::float8 AS wraparound,
      (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0) FROM pg_stat_activity WHERE datname = d.datname AND backend_type = 'client backend')::float8 AS "transactionSeconds",
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "connectionsLimit",
      (SELECT coalesce(max(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)), 0) FROM pg_replication_slots)::bigint AS "slotBytes",
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${presenceClass} AND granted AND database = d.oid) AS workers,
      (SELECT ${unsequencedAge} FROM sequencer) AS "unsequencedSeconds",
      (SELECT count(*) FROM (SELECT FROM webhook_delivery WHERE status = 'pending' LIMIT 100000) AS p) AS "deliveriesPending",
      (SELECT count(*) FROM webhook_delivery WHERE status = 'dead' AND coalesce(last_attempt, create_time) > now() - interval '1 day') AS "deliveriesDead",
      (SELECT extract(epoch FROM now() - max(at)) FROM backup_made)::float8 AS "backupSeconds"
    FROM pg_database d WHERE d.datname = current_database()`);
  return { ...vitals, freeBytes: await readFreeBytes(reader) };
}
