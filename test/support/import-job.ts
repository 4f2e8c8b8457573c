// Runs import jobs in tests: files in, the end of the job with its log and records out.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { importFormat } from '#domain/jobs/import-format.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { readCaller } from '#store/access/grants.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog } from '#store/queue/log.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../apps/worker/jobs/import-format.ts';
import type { Importer } from './batch.ts';
import { openImporter } from './batch.ts';
import type { ImportWorker } from './import-worker.ts';
import { spawnImportWorker } from './import-worker.ts';
import type { Connected } from './worker.ts';
import { amount } from './long.ts';
import { connect, startTestWorker } from './worker.ts';

/** How an import job ended: its value or its failure, its log, and the uris of the records it made. */
export type EndedImport = {
  readonly jobId: number;
  readonly value: JsonObject | null;
  readonly failure: { readonly code: string; readonly error: unknown } | null;
  readonly log: string;
  readonly records: readonly string[];
};

/** A database whose import jobs run: what imports without a job, and the connections of those that enqueue jobs and wait for them. */
export type ImportJobs = Importer & {
  readonly connected: Connected;
  /** Runs a job into the repository of the database, as runImportJob. */
  runJob(files: readonly (string | Uint8Array)[], more?: JsonObject): Promise<EndedImport>;
  /** Starts a worker as a process of its own, for tests that kill it; what is left of it ends with the database. */
  spawnWorker(): Promise<ImportWorker>;
  /** Rows of every table, by name, but those of jobs and their files: the same before and after an import that leaves nothing. */
  contents(): Promise<{ readonly [table: string]: number }>;
};

/** Opens a fresh database with a worker in this process; with `worker: false` the test spawns workers itself. */
export async function openImportJobs(options: { readonly worker?: boolean } = {}): Promise<ImportJobs> {
  const importer = await openImporter();
  const connected = connect(importer.database.settings.url);
  const worker =
    options.worker === false
      ? null
      : await startTestWorker(connected, { handlers: [handler], threads: importer.threads, readCaller });
  const processes: ImportWorker[] = [];
  return {
    ...importer,
    connected,
    runJob: (files, more) => runImportJob(connected, importer.repoId, files, more),
    spawnWorker: async () => {
      const spawned = await spawnImportWorker(connected.url, amount(1, 2));
      processes.push(spawned);
      return spawned;
    },
    contents: async () => {
      // What the job itself leaves, its own due row for search among it.
      const {
        job: _j,
        job_log: _l,
        job_file: _f,
        job_progress: _p,
        blob: _b,
        blob_chunk: _c,
        reindex_fan: _r,
        ...rest
      } = await importer.counts();
      return rest;
    },
    [Symbol.asyncDispose]: async () => {
      await worker?.stop();
      for (const spawned of processes) spawned.process.kill('SIGKILL');
      await connected[Symbol.asyncDispose]();
      await importer[Symbol.asyncDispose]();
    },
  };
}

/** Makes the job as the route for jobs with files does, and waits for its end. `more` changes the typed object of the job. */
export async function runImportJob(
  { database, listener }: Connected,
  repoId: number,
  files: readonly (string | Uint8Array)[],
  more: JsonObject = {},
): Promise<EndedImport> {
  const blobs = [];
  for (const [index, file] of files.entries())
    blobs.push(await writeBlob(database, [Buffer.from(file)], { fileName: `uploaded-${index}.xml` }));
  const job = {
    jsonmodel_type: 'import_job',
    import_type: 'ead_xml',
    filenames: files.map((_, index) => `finding-aid-${index}.xml`),
    ...more,
  };
  const inputs = blobs.map((blob) => ({ blobId: blob.id, role: 'input' as const }));
  const { jobId } = await database.transaction(async (tx) =>
    enqueueJob(
      tx,
      importFormat,
      { repoId, actor: 'importer', job, params: {} },
      { repoId, owner: 'admin', visible: true, files: inputs },
    ),
  );
  const outcome = await waitForJob(database, listener, jobId).then(
    (value) => ({ value: value as JsonObject, failure: null }),
    (failure: EndedImport['failure']) => ({ value: null, failure }),
  );
  const parts: Buffer[] = [];
  for await (const bytes of (await readJobLog(database.reader, jobId, 0)).bytes) parts.push(bytes);
  const records = await database.reader.any(sql.type(z.strictObject({ uri: column.text }))`
    SELECT uri FROM job_record WHERE job_id = ${jobId} AND created ORDER BY n`);
  return { jobId, ...outcome, log: Buffer.concat(parts).toString('utf8'), records: records.map((row) => row.uri) };
}
