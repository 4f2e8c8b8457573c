// The log of a job as its owner reads it: text that only grows, in pieces that know their place in bytes, written outside the job's
// transaction so that a failed job keeps it.
import { z } from 'zod';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Appends text to the log; the one run of the job is its only writer, and its last transaction waits for that. Nothing is written once the job is gone. */
export async function appendJobLog(database: Database, jobId: number, text: string): Promise<void> {
  // PostgreSQL text holds no NUL.
  const clean = text.replaceAll('\0', '');
  await database.writeBeside(sql`
    INSERT INTO job_log (job_id, at_byte, size_bytes, text)
    SELECT id, coalesce((SELECT at_byte + size_bytes FROM job_log WHERE job_id = ${jobId} ORDER BY at_byte DESC LIMIT 1), 0), ${Buffer.byteLength(clean)}, ${clean}
    FROM job WHERE id = ${jobId}`);
}

/** The line that stands before what a further run of a job tells: the log only grows, and what a run had told of itself before it was cut off may be undone. */
export const runAgainLine = 'Run again: the run above was interrupted, and what it had not stored is undone';

/** The last line of the log of a job that was canceled. */
export const canceledLine = 'The job was canceled';

/** Adds that line to those of the jobs that have just become canceled; to be called in the transaction in which they did. */
export async function logCanceled(tx: Transaction, jobIds: readonly number[]): Promise<void> {
  await tx.run(sql`
    INSERT INTO job_log (job_id, at_byte, size_bytes, text)
    SELECT id, coalesce((SELECT max(at_byte + size_bytes) FROM job_log WHERE job_id = job.id), 0), ${Buffer.byteLength(canceledLine) + 1}, ${`${canceledLine}\n`}
    FROM job WHERE id = ANY (${sql.array(jobIds, 'int4')}) AND status = 'canceled'`);
}

const EndRow = z.strictObject({ end: column.int });

/** Bytes of the log from an offset to its present end: their number, and the bytes page by page. An offset past the end gives none. */
export async function readJobLog(
  reader: Reader,
  jobId: number,
  offset: number,
): Promise<{ readonly sizeBytes: number; readonly bytes: AsyncIterable<Buffer> }> {
  const end =
    (
      await reader.maybeOne(sql.type(EndRow)`
    SELECT at_byte + size_bytes AS "end" FROM job_log WHERE job_id = ${jobId} ORDER BY at_byte DESC LIMIT 1`)
    )?.end ?? 0;
  return { sizeBytes: Math.max(0, end - offset), bytes: pages(reader, jobId, offset, end) };
}

const PieceRow = z.strictObject({ atByte: column.int, text: column.text });

async function* pages(
  reader: Reader,
  jobId: number,
  offset: number,
  end: number,
): AsyncGenerator<Buffer, void, undefined> {
  // A page of pieces at the reader's pace; pieces are up to some 64 KB.
  for (let next = offset; next < end;) {
    const pieces = await reader.any(sql.type(PieceRow)`
      SELECT at_byte AS "atByte", text FROM job_log
      WHERE job_id = ${jobId} AND at_byte < ${end}
        AND at_byte >= coalesce((SELECT max(at_byte) FROM job_log WHERE job_id = ${jobId} AND at_byte <= ${next}), 0)
      ORDER BY at_byte LIMIT 16`);
    const first = pieces[0];
    if (first === undefined) return;
    const bytes = Buffer.from(pieces.map(({ text }) => text).join('')).subarray(next - first.atByte);
    if (bytes.byteLength === 0) return;
    next += bytes.byteLength;
    yield bytes;
  }
}
