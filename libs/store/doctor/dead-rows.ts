// Rows of tables that vacuum should remove. PostgreSQL tells how many there are and not since when, so that those of an import that ended a minute ago look like those that
// nobody will ever remove: a job notes when it saw them first (table_behind).
import { z } from 'zod';
import type { ServerFacts } from '#domain/doctor/facts.ts';
import { limits } from '#domain/doctor/limits.ts';
import { column, CountRow } from '../connection/columns.ts';
import type { Database, Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

const ThereRow = z.strictObject({ there: column.bool });
const DeadRow = z.strictObject({ name: column.text, dead: column.int, live: column.int, seconds: column.number });

/** The tables with the most dead rows, and for how long they have had many; in a database that was not migrated yet nobody has noted that. */
export async function readDeadRows(reader: Reader): Promise<ServerFacts['deadRows']> {
  const { there } = await reader.one(
    sql.type(ThereRow)`SELECT to_regclass('public.table_behind') IS NOT NULL AS there`,
  );
  const since = there ? sql.fragment`(SELECT since FROM table_behind b WHERE b.name = relname)` : sql.fragment`now()`;
  return reader.any(sql.type(DeadRow)`
    SELECT relname::text AS name, n_dead_tup AS dead, n_live_tup AS live, coalesce(extract(epoch FROM now() - ${since}), 0)::float8 AS seconds
    FROM pg_stat_user_tables WHERE schemaname IN ('public', 'pgboss') ORDER BY n_dead_tup DESC LIMIT 10`);
}

/** Notes which tables have many dead rows, and forgets those that have not any more. Returns how many have. */
export async function noteDeadRows(database: Database, { least, share } = limits.deadRows): Promise<number> {
  const behind = sql.fragment`
    SELECT DISTINCT relname::text AS name FROM pg_stat_user_tables WHERE schemaname IN ('public', 'pgboss') AND n_dead_tup >= ${least}::int AND n_dead_tup >= n_live_tup * ${share}::float8`;
  return database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM table_behind WHERE name NOT IN (${behind})`);
    await tx.run(sql`INSERT INTO table_behind (name) ${behind} ON CONFLICT DO NOTHING`);
    const { count } = await tx.one(sql.type(CountRow)`SELECT count(*)::int AS count FROM table_behind`);
    return count;
  });
}
