// Runs import jobs in tests: files in, the end of the job with its log and records out.
import type { JsonObject } from '#domain/json.ts';
import { importFormat } from '#domain/jobs/import-format.ts';
import { writeBlob } from '#store/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog } from '#store/queue/log.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { sql } from '#store/sql.ts';
import type { Connected } from './worker.ts';

/** How an import job ended: its value or its failure, its log, and the uris of the records it made. */
export type EndedImport = {
  readonly jobId: number;
  readonly value: JsonObject | null;
  readonly failure: { readonly code: string; readonly error: unknown } | null;
  readonly log: string;
  readonly records: readonly string[];
};

/** Makes the job as the route for jobs with files does, and waits for its end. `more` changes the typed object of the job. */
export async function runImportJob({ database, listener }: Connected, repoId: number, files: readonly (string | Uint8Array)[], more: JsonObject = {}): Promise<EndedImport> {
  const blobs = [];
  for (const [index, file] of files.entries()) blobs.push(await writeBlob(database, [Buffer.from(file)], { fileName: `uploaded-${index}.xml` }));
  const job = { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: files.map((_, index) => `finding-aid-${index}.xml`), ...more };
  const inputs = blobs.map((blob) => ({ blobId: blob.id, role: 'input' as const }));
  const { jobId } = await database.transaction(async (tx) => enqueueJob(tx, importFormat, { repoId, actor: 'importer', job, params: {} }, { repoId, owner: 'importer', visible: true, files: inputs }));
  const outcome = await waitForJob(database, listener, jobId).then((value) => ({ value: value as JsonObject, failure: null }), (failure: EndedImport['failure']) => ({ value: null, failure }));
  const parts: Buffer[] = [];
  for await (const bytes of (await readJobLog(database.reader, jobId, 0)).bytes) parts.push(bytes);
  const records = await database.reader.any<{ uri: string }>(sql`SELECT uri FROM job_record WHERE job_id = ${jobId} AND created ORDER BY n`);
  return { jobId, ...outcome, log: Buffer.concat(parts).toString('utf8'), records: records.map((row) => row.uri) };
}
