// A request that stands on a job: enqueue, wait, answer. With `Prefer: respond-async` it answers 202 and the job's address at once.
import type { JobDeclaration } from '#domain/job.ts';
import type { JobOptions } from '#store/queue/enqueue.ts';
import { oneJobOf } from '#store/idempotency.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import type { Reply } from '../reply.ts';
import { json } from '../reply.ts';
import type { Call } from '../route.ts';

/**
 * Makes a job and waits for its end. Null once it has completed; the reply to send at once where the client does not want to wait,
 * or has waited for MUNIMENT_JOB_WAIT_SECONDS. Throws the failure that the job ended with.
 */
export async function doJob<Payload>(call: Pick<Call<unknown, unknown>, 'services' | 'signal' | 'preferAsync' | 'keyed'>, declaration: JobDeclaration<Payload>, payload: Payload, options: JobOptions): Promise<Reply | null> {
  const { database, listener, config } = call.services;
  const jobId = await database.transaction(async (tx) => {
    const make = async (): Promise<number> => (await enqueueJob(tx, declaration, payload, options)).jobId;
    return call.keyed === null ? make() : oneJobOf(tx, call.keyed, make);
  });
  if (call.preferAsync) return accepted(jobId, options.repoId ?? null);
  const patience = AbortSignal.timeout(config.MUNIMENT_JOB_WAIT_SECONDS * 1000);
  try {
    await waitForJob(database, listener, jobId, { signal: AbortSignal.any([call.signal, patience]) });
    return null;
  } catch (error) {
    if (patience.aborted && !call.signal.aborted) return accepted(jobId, options.repoId ?? null);
    throw error;
  }
}

function accepted(jobId: number, repoId: number | null): Reply {
  const uri = repoId === null ? `/jobs/${jobId}` : `/repositories/${repoId}/jobs/${jobId}`;
  return json({ status: 'Accepted', id: jobId, uri }, 202, { location: uri, 'preference-applied': 'respond-async' });
}
