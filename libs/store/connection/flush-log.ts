// What a large transaction has written comes to the disk before it takes what others wait for, and commits. Else the commit writes it, with all locks held: 150 to 250 ms after
// 20,000 records, longer where the server makes a new file of its log in between (decision 0037).
import { z } from 'zod';
import { column } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

const muchBytes = 1_000_000;

const MuchRow = z.strictObject({ is_much: column.bool });

/** Has the server write its log up to here where much of it waits, by a commit of its own, which takes all before it along; gives whether it did. For the end of a transaction that may have written much. */
export async function flushLog(tx: Transaction, database: Database): Promise<boolean> {
  const { is_much: isMuch } = await tx.one(sql.type(MuchRow)`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn()) > ${muchBytes} AS is_much`);
  // A message that nobody decodes: a commit that has written nothing waits for nothing.
  if (isMuch) await database.writeBeside(sql`SELECT pg_logical_emit_message(true, 'muniment', '')`);
  return isMuch;
}
