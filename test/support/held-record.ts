// A record that somebody holds: whoever writes it waits, for as long as the test wants them to.
import { expect } from 'vitest';
import type { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordKey } from '#store/records/record-key.ts';

/** Holds a record while `work` runs; `isMet` resolves once somebody waits for it. */
export async function holdingRecord<T>(
  database: Database,
  { kind, id }: RecordKey,
  work: (isMet: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return database.withClient(async (client) => {
    await client.query('BEGIN READ WRITE');
    const { rowCount } = await client.query('SELECT FROM record WHERE kind = $1 AND id = $2 FOR UPDATE', [kind, id]);
    expect(rowCount).toBe(1);
    const pid = Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
    const waiting = async (): Promise<number> =>
      (
        await database.reader.one(sql.type(NumberRow)`
          SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${pid}::int = ANY(pg_blocking_pids(pid))`)
      ).n;
    try {
      return await work(() => expect.poll(waiting).toBe(1));
    } finally {
      await client.query('ROLLBACK');
    }
  });
}
