// A table that somebody holds: statements that need it wait, for as long as the test wants them to.
import { expect } from 'vitest';
import type { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';

/** Which table, and against whom: `writers`, or those who only read it as well. Names are the test's own. */
export type Hold = { readonly table: string; readonly against: 'writers' | 'all' };

/** Holds the table while `work` runs; `isMet` resolves once so many statements (one) wait for it. */
export async function holding<T>(
  database: Database,
  { table, against }: Hold,
  work: (isMet: (count?: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  return database.withClient(async (client) => {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ${against === 'writers' ? 'EXCLUSIVE' : 'ACCESS EXCLUSIVE'} MODE`);
    const waiting = async (): Promise<number> =>
      (
        await database.reader.one(sql.type(NumberRow)`
          SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass`)
      ).n;
    try {
      return await work((count = 1) => expect.poll(waiting).toBeGreaterThanOrEqual(count));
    } finally {
      await client.query('ROLLBACK');
    }
  });
}
