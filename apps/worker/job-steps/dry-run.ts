// Doing everything but store: for jobs that only look. What could be written has been, so that uniqueness is checked as well.
import type { Transaction } from '#store/connection/database.ts';
import type { JobContext } from '../handler.ts';

/** Takes the transaction back with the value that its work gave. */
class DryRunDone<Value> extends Error {
  readonly value: Value;
  constructor(value: Value) {
    super('dry run done');
    this.value = value;
  }
}

/** Runs the work in a transaction that is rolled back; gives its value. Throws what the work throws. */
export async function dryRun<Value>(
  context: Pick<JobContext, 'transaction'>,
  work: (tx: Transaction) => Promise<Value>,
  options: { readonly statementTimeoutMs: number },
): Promise<Value> {
  let done: DryRunDone<Value> | undefined;
  try {
    return await context.transaction(async (tx) => {
      done = new DryRunDone(await work(tx));
      throw done;
    }, options);
  } catch (error) {
    if (done !== undefined && error === done) return done.value;
    throw error;
  }
}
