// COPY of ready text into a table, in a transaction.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Transaction } from '../database.ts';
import { toFailure } from '../pg-errors.ts';

/** Copies lines of COPY text (copy-text.ts) into columns of a table; both names are ours. Fails as any other write does. */
export async function copyText(tx: Transaction, table: string, columns: readonly string[], chunks: readonly Uint8Array[]): Promise<void> {
  const filled = chunks.filter((chunk) => chunk.length > 0);
  if (filled.length === 0) return;
  try {
    await pipeline(Readable.from(filled, { objectMode: false }), tx.client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`)));
  } catch (error) {
    throw toFailure(error);
  }
}
