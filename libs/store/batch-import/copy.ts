// COPY of ready rows into a table, in a transaction.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { copyHeader, copyTrailer } from '#domain/batch-import/copy-binary.ts';
import type { Transaction } from '../connection/database.ts';
import { toFailure } from '../connection/pg-errors.ts';

/** Copies lines of COPY text (copy-text.ts) into columns of a table; both names are ours. Fails as any other write does. */
export async function copyText(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  chunks: readonly Uint8Array[],
): Promise<void> {
  const filled = chunks.filter((chunk) => chunk.length > 0);
  if (filled.length > 0) await copy(tx, `COPY ${table} (${columns.join(', ')}) FROM STDIN`, filled);
}

/** The same with rows of binary COPY (copy-binary.ts), without its header and trailer. */
export async function copyRows(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: Uint8Array,
): Promise<void> {
  if (rows.length > 0)
    await copy(tx, `COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`, [copyHeader, rows, copyTrailer]);
}

async function copy(tx: Transaction, statement: string, chunks: readonly Uint8Array[]): Promise<void> {
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), tx.client.query(copyFrom(statement)));
  } catch (error) {
    throw toFailure(error);
  }
}
