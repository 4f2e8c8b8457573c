// What others do beside the handler of a job, begun at the statements of its transactions in turn: nobody waits in a circle.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { Failure } from '#domain/errors.ts';
import type { JobDeclaration } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import type { JobContext, JobHandler } from '../../apps/worker/handler.ts';
import { interrupted, triedOnce } from './begin-at.ts';
import { amount } from './long.ts';
import { runHandler } from './run-handler.ts';
import { sharedThreads } from './threads.ts';

const reference: { readonly permissions: readonly { readonly code: string }[] } = JSON.parse(
  readFileSync(new URL('../../db/reference/permissions.json', import.meta.url), 'utf8'),
);

/** Somebody who may do everything everywhere. */
export const everybody: Caller = {
  userId: 1,
  username: 'tester',
  agentUri: null,
  grants: new Map([[globalRepoId, new Set(reference.permissions.map(({ code }) => code))]]),
};

/** A job, made anew every time, what is done beside it, and how both are looked at when they are done; `value` is null where the job was refused. */
export type JobBeside<Payload> = {
  readonly payload: Payload;
  readonly around?: Partial<JobContext>;
  readonly other: (tx: Transaction) => Promise<unknown>;
  readonly check?: (value: Json | null) => Promise<void>;
};

/** Begins it at each of so many statements of the job, in a long run at each: both are done, or refused, at the first try. */
export async function besideJob<Payload>(
  database: Database,
  declaration: JobDeclaration<Payload>,
  handler: JobHandler,
  make: () => Promise<JobBeside<Payload>>,
  { every = 3 }: { readonly every?: number } = {},
): Promise<void> {
  const threads = await sharedThreads();
  let isReached = true;
  for (let nth = 1; isReached; nth += amount(every, 1)) {
    const { payload, around, other, check } = await make();
    isReached = false;
    let beside: Promise<void> = Promise.resolve();
    let passed = 0;
    let tries = 0;
    let transactions = 0;
    const value = await runHandler(database, declaration, handler, payload, (context) => ({
      threads,
      caller: everybody,
      ...around,
      transaction: async (work, options) => {
        transactions += 1;
        return context.transaction(async (tx) => {
          tries += 1;
          const within = interrupted(database, tx, nth - passed, async () => {
            isReached = true;
            return (beside = triedOnce(database, other));
          });
          const done = await work(isReached ? tx : within.tx);
          passed += within.count();
          return done;
        }, options);
      },
    })).catch((error: unknown) => {
      if (error instanceof Failure && error.status < 500) return null;
      throw error;
    });
    await beside;
    expect(tries).toBe(transactions);
    await check?.(value ?? null);
  }
}
