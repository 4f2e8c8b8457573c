// Doing everything but store: for jobs that only look. What could be written has been, so that uniqueness is checked as well.
import type { Transaction } from '#store/connection/database.ts';
import type { JobContext } from '../handler.ts';

/** Takes the transaction back with the value that its work gave. */
class Rehearsed<Value> extends Error {
  readonly value: Value;
  constructor(value: Value) {
    super('rehearsed');
    this.value = value;
  }
}

/** Runs the work in a transaction that is rolled back; gives its value. Throws what the work throws. */
export async function rehearse<Value>(
  context: Pick<JobContext, 'transaction'>,
  work: (tx: Transaction) => Promise<Value>,
  options: { readonly statementTimeoutMs: number },
): Promise<Value> {
  let rehearsed: Rehearsed<Value> | undefined;
  try {
    return await context.transaction(async (tx) => {
      rehearsed = new Rehearsed(await work(tx));
      throw rehearsed;
    }, options);
  } catch (error) {
    if (rehearsed !== undefined && error === rehearsed) return rehearsed.value;
    throw error;
  }
}
