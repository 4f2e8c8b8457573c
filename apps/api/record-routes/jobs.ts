// What routes of jobs, and requests that stand on one, have in common. A request that stands on a job: enqueue, wait, answer. With `Prefer: respond-async` it answers 202 and the job's address at once.
import { Readable } from 'node:stream';
import { can } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import type { JobDeclaration } from '#domain/job.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { JobOptions } from '#store/queue/enqueue.ts';
import { heedingNobody } from '#store/connection/lock-waits.ts';
import type { Database, Reader } from '#store/connection/database.ts';
import { oneJobOf, promisedOf } from '#store/access/idempotency.ts';
import { jobUri, readJobLockVersion, showJob } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog } from '#store/queue/log.ts';
import { cancelJob } from '#store/queue/mailbox.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { resolveRefs } from '#store/records/reading/resolve.ts';
import { parseResolve } from '#store/records/reading/resolve-tree.ts';
import type { Reply } from '../reply/reply.ts';
import { json, jsonText, stream } from '../reply/reply.ts';
import type { Call } from '../route.ts';

/** How a request's job ended: the reply to send at once where nobody waits for it, or its number and the value of its handler. */
export type JobEnd =
  | { readonly early: Reply; readonly jobId: number }
  | { readonly early: null; readonly jobId: number; readonly value: Json };

/** What is asked of a call that stands on a job. */
export type JobCall = Pick<Call<unknown, unknown>, 'services' | 'whenGone' | 'preferAsync' | 'keyed'>;

/**
 * How a request stands on its job. `onlyReads`: nobody has anything of its end when the client goes away without a key to come back with, so
 * it is canceled then. `mayFollow`: whether the caller may read the job; who may not is not sent to its address, and waits for it in any case.
 * `promise`: what the request is answered when the job has completed, where it could not ask for that again, since what it names is gone by then (`joinJob`).
 */
export type Standing = { readonly onlyReads?: boolean; readonly mayFollow?: boolean; readonly promise?: JsonObject };

/**
 * Makes a job and waits for its end. `early` is the reply to send at once where the client does not want to wait, or has waited for
 * MUNIMENT_JOB_WAIT_SECONDS. Throws the failure that the job ended with.
 */
export async function runJob<Payload>(
  call: JobCall,
  declaration: JobDeclaration<Payload>,
  payload: Payload,
  options: JobOptions,
  standing: Standing = {},
): Promise<JobEnd> {
  const { promise } = standing;
  const jobId = await call.services.database.transaction(async (tx) => {
    const make = async (): Promise<number> => (await enqueueJob(tx, declaration, payload, options)).jobId;
    return call.keyed === null
      ? make()
      : oneJobOf(tx, call.keyed, make, promise === undefined ? null : JSON.stringify(promise));
  });
  return endOf(call, jobId, options.repoId ?? null, standing);
}

/** Waits for the end of a job, or answers where nobody wants to, or for too long. */
async function endOf(
  call: JobCall,
  jobId: number,
  repoId: number | null,
  { onlyReads = false, mayFollow = true }: Standing,
): Promise<JobEnd> {
  const { database, listener, config } = call.services;
  const leave = async (): Promise<JobEnd> => ({ early: await sendAway(database, jobId, repoId), jobId });
  if (call.preferAsync && mayFollow) return leave();
  const patience = AbortSignal.timeout(config.MUNIMENT_JOB_WAIT_SECONDS * 1000);
  try {
    return {
      early: null,
      jobId,
      value: await waitForJob(database, listener, jobId, { signal: AbortSignal.any([call.whenGone(), patience]) }),
    };
  } catch (error) {
    const isGone = call.whenGone().aborted;
    const isLate = patience.aborted && !isGone;
    if (isLate && mayFollow) return leave();
    if (isLate || (isGone && onlyReads && call.keyed === null))
      await heedingNobody(() => database.transaction((tx) => cancelJob(tx, jobId)));
    throw isLate ? fail('unavailable', 'This takes longer than requests wait') : error;
  }
}

/** The same where only its end counts: null once it has completed. */
export async function doJob<Payload>(
  call: JobCall,
  declaration: JobDeclaration<Payload>,
  payload: Payload,
  options: JobOptions,
  standing: Standing = {},
): Promise<Reply | null> {
  return (await runJob(call, declaration, payload, options, standing)).early;
}

/**
 * The reply of a request that made its job under this key before, and whose client or service was gone before the end: waits for it, and gives what was promised.
 * Null where there was none; to be asked before whether what the request names is there, for the job may have taken that away. Throws the failure that the job ended with.
 * `headers`: those of the reply, by the number of the job.
 */
export async function joinJob(
  call: JobCall,
  repoId: number | null,
  headers: (jobId: number) => Reply['headers'] = () => ({}),
): Promise<Reply | null> {
  const promised = call.keyed === null ? null : await promisedOf(call.services.database.reader, call.keyed);
  if (promised === null) return null;
  const { early } = await endOf(call, promised.jobId, repoId, {});
  return early ?? jsonText(promised.reply, 200, { ...headers(promised.jobId), 'idempotency-replayed': 'true' });
}

/** The 202 with the address of a job, at which the client finds it from now on. */
export async function sendAway(database: Database, jobId: number, repoId: number | null): Promise<Reply> {
  await database.transaction((tx) => showJob(tx, jobId));
  return madeJob(jobId, repoId, { 'preference-applied': 'respond-async' });
}

/** The 202 of a request that made a job, with its address; `repoId` null: a job of the installation. */
export function madeJob(jobId: number, repoId: number | null = null, headers: Reply['headers'] = {}): Reply {
  const uri = jobUri(repoId, jobId);
  return json({ status: 'Accepted', id: jobId, uri }, 202, { location: uri, ...headers });
}

/** The log of a job from a byte offset to its present end. */
export async function logOf(reader: Reader, jobId: number, offset: number): Promise<Reply> {
  const { sizeBytes, bytes } = await readJobLog(reader, jobId, offset);
  return stream(Readable.from(bytes, { objectMode: false }), 'text/plain; charset=utf-8', {
    'content-length': String(sizeBytes),
  });
}

/** Cancels a job, and gives the reply. */
export async function canceled(database: Database, jobId: number): Promise<JsonObject> {
  const lockVersion = await database.transaction(async (tx) => {
    await cancelJob(tx, jobId);
    return readJobLockVersion(tx, jobId);
  });
  return { status: 'Updated', id: jobId, lock_version: lockVersion, stale: null };
}

/** Embeds what `resolve` names into jobs or records of jobs. */
export async function withResolved<T extends JsonObject>(
  call: Pick<Call<unknown, unknown>, 'services' | 'caller'>,
  names: readonly string[],
  records: readonly T[],
): Promise<readonly T[]> {
  if (names.length > 0) {
    await resolveRefs(call.services.database.reader, records, parseResolve(names), {
      seesSuppressed: false,
      mayView: (repoId) => can(call.caller, 'view_repository', repoId),
    });
  }
  return records;
}
