// What a database takes: bytes and rows of every table and index, those of partitions together; its log, and the processor time of its server.
import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';

/** A table (with what is kept beside its rows) or an index. `rows` are those that the statistics know; an index has those of its table. */
export type Taken = {
  readonly table: string;
  readonly index: string | null;
  readonly bytes: number;
  readonly rows: number;
};

const TakenRow = z.strictObject({
  table: column.text,
  index: column.maybeText,
  bytes: column.int,
  rows: column.int,
});

/** Every table and index of the service, the largest first. The statistics must be fresh. */
export async function readTaken({ reader }: Database): Promise<readonly Taken[]> {
  return reader.any(sql.type(TakenRow)`
    WITH tables AS (
      SELECT c.oid, coalesce(p.relname, c.relname) AS name, greatest(c.reltuples, 0) AS rows
      FROM pg_class c LEFT JOIN pg_inherits h ON h.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = h.inhparent
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace)
    SELECT name AS "table", NULL AS index, sum(pg_table_size(oid))::bigint AS bytes, sum(rows)::bigint AS rows FROM tables GROUP BY name
    UNION ALL
    SELECT t.name, coalesce(p.relname, i.relname), sum(pg_relation_size(i.oid))::bigint, sum(t.rows)::bigint
    FROM tables t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    LEFT JOIN pg_inherits h ON h.inhrelid = i.oid LEFT JOIN pg_class p ON p.oid = h.inhparent GROUP BY 1, 2 ORDER BY bytes DESC`);
}

const LogRow = z.strictObject({ bytes: column.int });

/** Bytes of the write-ahead log since the server was made. */
export async function readLogBytes({ reader }: Database): Promise<number> {
  return (await reader.one(sql.type(LogRow)`SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint AS bytes`)).bytes;
}

const PidRow = z.strictObject({ pid: column.int });

/** Processor time of the whole server since its start, in seconds: its processes, and those that have ended. NaN where it is not on this machine. */
export async function readServerCpu({ reader }: Database): Promise<number> {
  try {
    const { pid } = await reader.one(sql.type(PidRow)`SELECT pg_backend_pid() AS pid`);
    const { parent } = statOf(pid);
    const main = statOf(parent);
    const living = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => {
        try {
          return statOf(Number(name));
        } catch {
          // It has ended meanwhile: its time is with its parent's.
          return null;
        }
      });
    return living.reduce(
      (sum, each) => (each?.parent === parent ? sum + each.own : sum),
      main.own + main.endedChildren,
    );
  } catch {
    return Number.NaN;
  }
}

/** Parent, seconds of the processor, and those of children that have ended. */
function statOf(pid: number): { readonly parent: number; readonly own: number; readonly endedChildren: number } {
  // After the name in parentheses come the fields from the third on; times are in 1/100 s.
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number);
  const seconds = (...at: readonly number[]): number => at.reduce((sum, index) => sum + (fields[index] ?? 0), 0) / 100;
  return { parent: fields[1] ?? 0, own: seconds(11, 12), endedChildren: seconds(13, 14) };
}
