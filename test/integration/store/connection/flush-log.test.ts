import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { flushLog } from '#store/connection/flush-log.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const BytesRow = z.strictObject({ bytes: column.number });
/** How far the log is written, or only made, in bytes from its beginning. */
const logAt = async (tx: Transaction, where: 'insert' | 'flush'): Promise<number> =>
  (
    await tx.one(
      where === 'insert'
        ? sql.type(BytesRow)`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`
        : sql.type(BytesRow)`SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS bytes`,
    )
  ).bytes;

test('what a transaction has written is on the disk before it commits, where it is much', async () => {
  await store.database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE much (text text STORAGE PLAIN) WITH (autovacuum_enabled = off)`);
    await tx.run(sql`INSERT INTO much VALUES ('x')`);
    // The server writes by itself now and then, and others commit: then nothing is left to do.
    const flushed: boolean[] = [];
    for (let n = 0; n < 10 && !flushed.includes(true); n += 1) {
      await tx.run(sql`INSERT INTO much SELECT repeat('x', 6000) FROM generate_series(1, 2000)`);
      const made = await logAt(tx, 'insert');
      const isWritten = await flushLog(tx, store.database);
      flushed.push(isWritten);
      if (isWritten) expect(await logAt(tx, 'flush')).toBeGreaterThanOrEqual(made);
    }
    expect(flushed).toContain(true);
  });
});

test('little is left to the commit', async () => {
  await store.database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE little (text text)`);
    // Others may write much at the same time.
    await expect.poll(() => flushLog(tx, store.database)).toBe(false);
  });
});
