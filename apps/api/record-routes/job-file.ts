// A reply that is the file of a job: of one that the request waits for, or of one that is asked for by its address.
import { fail } from '#domain/errors.ts';
import type { JobDeclaration } from '#domain/job.ts';
import type { Database } from '#store/connection/database.ts';
import { readJobFile } from '#store/queue/client-jobs.ts';
import type { JobOptions } from '#store/queue/enqueue.ts';
import type { JobFile } from '#store/queue/files.ts';
import { readJobFiles } from '#store/queue/files.ts';
import { attachment } from '../reply/attachment.ts';
import { fileStream } from '../reply/file-stream.ts';
import type { Reply } from '../reply/reply.ts';
import { stream } from '../reply/reply.ts';
import type { JobCall } from './jobs.ts';
import { runJob } from './jobs.ts';

/** How the file is sent: its media type, and headers that follow from it. */
export type SentFile = {
  readonly contentType: string;
  readonly headers?: (file: JobFile) => { readonly [name: string]: string };
};

/** The media type of files of jobs. The misspelling is on the wire (contract trees-and-jobs 3.3), and clients compare. */
export const jobFileType = 'application/octect-stream';

/** Headers of a file that is to be stored under the name that its job gave it. */
export const asAttachment = ({ fileName }: JobFile): { readonly [name: string]: string } =>
  fileName === null ? {} : { 'content-disposition': attachment(fileName) };

/** Makes a job that only reads, waits for it and streams its output file; 202 where nobody waits. Throws the failure that the job ended with. */
export async function fileByJob<Payload>(
  call: JobCall,
  declaration: JobDeclaration<Payload>,
  payload: Payload,
  options: JobOptions,
  { contentType, headers }: SentFile,
): Promise<Reply> {
  const { database } = call.services;
  const end = await runJob(call, declaration, payload, options, { onlyReads: true });
  if (end.early !== null) return end.early;
  const file = (await readJobFiles(database.reader, end.jobId)).find(({ role }) => role === 'output');
  if (file === undefined) throw fail('internal', 'The job made no file');
  return stream(await fileStream(database, file.blobId), contentType, headers?.(file));
}

/** The reply of a file that a job was given or made (contract trees-and-jobs 3.3). `repoId` null: a job of the installation. Fails with `not_found`, and with `access_denied` where suppressed records stand in it which the caller may not see. */
export async function fileOf(
  database: Database,
  address: { readonly repoId: number | null; readonly jobId: number; readonly fileId: number },
  seesSuppressed: boolean,
): Promise<Reply> {
  const file = await readJobFile(database.reader, address);
  if (file.showsSuppressed && !seesSuppressed) throw fail('access_denied', 'Access denied');
  return stream(await fileStream(database, file.blobId), jobFileType, {
    'content-length': String(file.sizeBytes),
    ...asAttachment(file),
  });
}
