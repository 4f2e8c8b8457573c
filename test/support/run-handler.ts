// Running the handler of a job as a worker does, without one: the job is a row, claimed and fenced. And the same, killed before its commit.
import { randomUUID } from 'node:crypto';
import { anonymous } from '#domain/access/caller.ts';
import type { JobDeclaration } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import type { Database } from '#store/connection/database.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { ClaimedJob } from '#store/queue/claim.ts';
import { sql } from '#store/connection/sql.ts';
import type { JobContext, JobHandler } from '../../apps/worker/handler.ts';
import { makeContext } from '../../apps/worker/running/context.ts';
import { demandAll } from '../../apps/worker/running/owner.ts';
import { noThreads } from './worker.ts';

type Change = (context: JobContext) => JobContext;

async function run<Payload>(
  database: Database,
  declaration: JobDeclaration<Payload>,
  handler: JobHandler,
  payload: Payload,
  change: Change,
): Promise<Json | void> {
  // In one transaction: a worker of the same database would take it in between.
  const { jobId } = await database.transaction(async (tx) => {
    const made = await enqueueJob(tx, declaration, payload);
    await tx.run(
      sql`UPDATE job SET status = 'running', run = run + 1, attempts = attempts + 1 WHERE id = ${made.jobId}`,
    );
    return made;
  });
  // A row that is claimed, as claimJob gives it.
  const job = {
    id: jobId,
    type: declaration.name,
    run: 1,
    attempt: 1,
    repoId: null,
    owner: null,
    body: null,
    payload: JSON.stringify(payload),
    mailbox: declaration.mailbox(payload),
    // Nobody's: what is settled of it is nothing.
    activation: { id: randomUUID(), attempt: 0 },
  } as unknown as ClaimedJob;
  const { context } = makeContext({
    job,
    caller: anonymous,
    database,
    threads: noThreads,
    signal: new AbortController().signal,
  });
  try {
    const changed = change(context);
    // A worker asks this of every job that somebody owns.
    if (changed.caller !== anonymous) demandAll(changed.caller, handler.needs(payload));
    return await handler.run(payload, changed);
  } finally {
    await database.transaction((tx) =>
      tx.run(sql`UPDATE job SET status = 'failed', worker = NULL WHERE id = ${jobId} AND status = 'running'`),
    );
  }
}

/** Runs a handler to its end; gives its value, throws its failure. `around` replaces parts of the context, such as the caller; or gives what replaces them, of what they are. */
export const runHandler = <Payload>(
  database: Database,
  declaration: JobDeclaration<Payload>,
  handler: JobHandler,
  payload: Payload,
  around: Partial<JobContext> | ((context: JobContext) => Partial<JobContext>) = {},
): Promise<Json | void> =>
  run(database, declaration, handler, payload, (context) => ({
    ...context,
    ...(typeof around === 'function' ? around(context) : around),
  }));

/** Runs a handler whose connection ends after all its work, before the commit: throws `killed`. */
export const killedOnce = <Payload>(
  database: Database,
  declaration: JobDeclaration<Payload>,
  handler: JobHandler,
  payload: Payload,
  around: Partial<JobContext> = {},
): Promise<Json | void> =>
  run(database, declaration, handler, payload, (context) => {
    let isEnding = false;
    return {
      ...context,
      ...around,
      transaction: (work, options) =>
        context.transaction(async (tx) => {
          const value = await work(tx);
          if (isEnding) throw new Error('killed');
          return value;
        }, options),
      complete: async () => Promise.reject(new Error('killed')),
      // The work goes on behind this.
      completeAhead: async () => {
        isEnding = true;
      },
    };
  });
