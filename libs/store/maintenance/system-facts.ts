// What administrators are told of the installation: the database, the index, the jobs, and what happened to it.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import type { Database, Reader } from '../connection/database.ts';
import { readQueueDepth } from '../queue/depth.ts';
import { readIndexLag } from '../search/lag.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const ServerRow = z.strictObject({ version: column.text, size: column.int, name: column.text });

const KindRow = z.strictObject({ kind: column.text, count: column.int });

/** Server, size and estimated numbers of records by kind (of the planner's statistics, so no table is counted). */
export async function readSystemFacts(database: Database): Promise<JsonObject> {
  const { reader } = database;
  const server = await reader.one(sql.type(ServerRow)`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size, current_database() AS name`);
  const kinds = await reader.any(sql.type(KindRow)`
    SELECT substr(c.relname, 8) AS kind, greatest(c.reltuples, 0)::float8 AS count FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'record'::regclass ORDER BY 1`);
  return {
    database: {
      server: `PostgreSQL ${server.version}`,
      name: server.name,
      size_bytes: server.size,
      connections: { ...database.poolUse },
    },
    records: Object.fromEntries(kinds.map((row) => [row.kind, row.count])),
    index: { ...(await readIndexLag(database)) },
    jobs: { ...(await readQueueDepth(reader)) },
  };
}

const SystemEventRow = z.strictObject({ id: column.int, title: column.text, time: column.time });

/** What happened to the installation, newest first: the migrations of its database. */
export async function readSystemEvents(reader: Reader): Promise<readonly JsonObject[]> {
  const rows = await reader.any(sql.type(SystemEventRow)`
    SELECT row_number() OVER (ORDER BY name) AS id, 'MIGRATION ' || name AS title, applied_at AS time FROM migration ORDER BY name DESC`);
  return rows.map((row) => ({ id: row.id, title: row.title, time: row.time }));
}
