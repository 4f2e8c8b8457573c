// What a job reads and leaves: its files (blobs) and the records that it made or changed.
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A file of a job. */
export const JobFile = z.strictObject({
  id: column.int,
  blobId: column.text,
  role: column.text,
  fileName: column.maybeText,
  mediaType: column.maybeText,
  sizeBytes: column.int,
});
export type JobFile = z.infer<typeof JobFile>;

const KeptFile = JobFile.extend({ showsSuppressed: column.bool });
/** The same with whom it is for: `showsSuppressed` tells that suppressed records may stand in it. */
export type KeptFile = z.infer<typeof KeptFile>;

/** The files of a job in the order in which they were named. */
export async function readJobFiles(reader: Reader, jobId: number): Promise<readonly KeptFile[]> {
  return reader.any(sql.type(KeptFile)`
    SELECT f.id, f.blob_id AS "blobId", f.role, b.file_name AS "fileName", b.media_type AS "mediaType", coalesce(b.size_bytes, 0) AS "sizeBytes", f.shows_suppressed AS "showsSuppressed"
    FROM job_file f JOIN blob b ON b.id = f.blob_id WHERE f.job_id = ${jobId} ORDER BY f.id`);
}

/** Adds a written blob to the job's output files and gives the file's number. `suppressedOf`: the repository whose suppressed records stand in it if there are any; null: none do. */
export async function addOutputFile(
  tx: Transaction,
  jobId: number,
  blobId: string,
  suppressedOf: number | null,
): Promise<number> {
  const { id } = await tx.one(sql.type(IdRow)`
    INSERT INTO job_file (job_id, blob_id, role, shows_suppressed)
    VALUES (${jobId}, ${blobId}, 'output', EXISTS (SELECT FROM record WHERE repo_id = ${suppressedOf}::int AND suppressed)) RETURNING id`);
  return id;
}

/** Takes the files that a job was given out of its files; expiry removes their bytes once no job names them. */
export async function removeInputFiles(tx: Transaction, jobId: number): Promise<void> {
  await tx.run(sql`DELETE FROM job_file WHERE job_id = ${jobId} AND role = 'input'`);
}

/** Records, in the job's own transaction, which records it made (`created`) or changed. */
export async function addJobRecords(
  tx: Transaction,
  jobId: number,
  uris: readonly string[],
  created: boolean,
): Promise<void> {
  if (uris.length === 0) return;
  await tx.run(sql`
    INSERT INTO job_record (job_id, uri, created)
    SELECT ${jobId}, uri, ${created} FROM unnest(${sql.array(uris, 'text')}) WITH ORDINALITY AS given (uri, place) ORDER BY place`);
}

const CountedRow = z.strictObject({ uri: column.text, n: column.int });

/** How many records a job has made and changed so far, in all its runs, by kind; one that it changed twice counts once. */
export async function countJobRecords(reader: Reader, jobId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.any(sql.type(CountedRow)`
    SELECT min(uri) AS uri, count(DISTINCT uri)::int AS n FROM job_record WHERE job_id = ${jobId} GROUP BY regexp_replace(uri, '[^/]*$', '')`);
  const counts = new Map<string, number>();
  for (const { uri, n } of rows) {
    const kind = parseUri(uri)?.kind;
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + n);
  }
  return counts;
}
