// An export that a job makes: the request waits for the job and answers with its output file (contract, exports 1 and 11).
import type { WireJob } from '#domain/job.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Reply } from '../reply/reply.ts';
import { fileByJob } from '../record-routes/job-file.ts';
import { viewerOf } from '../record-routes/viewing.ts';
import type { Call } from '../route.ts';

/** Makes the job for a record that the caller sees, and streams its file; 202 where nobody waits. Fails with `not_found` as readRecord. */
export async function printedByJob(
  call: Call<{ readonly repo_id: number; readonly id: number }, unknown>,
  kind: Kind,
  declaration: WireJob,
  jobOf: (uri: string) => JsonObject,
  contentType: string,
): Promise<Reply> {
  const { params, services, caller } = call;
  const { database } = services;
  const { uri } = await readRecord(database.reader, kind, params.id, params.repo_id, viewerOf(call));
  const job = { jsonmodel_type: declaration.wire.name, ...jobOf(uri) };
  const payload = declaration.payload.parse({ repoId: params.repo_id, actor: caller.username, job, params: {} });
  return fileByJob(
    call,
    declaration,
    payload,
    { repoId: params.repo_id, owner: caller.username, body: { jsonmodel_type: 'job', job } },
    { contentType, headers: ({ sizeBytes }) => ({ 'content-length': String(sizeBytes) }) },
  );
}
