// Running steps that may be repeated, each in a transaction of the job's own: between them others have their turn, and a job that is canceled stops.
import type { Transaction } from '#store/connection/database.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import type { JobContext } from '../handler.ts';

/**
 * Runs the steps one after another; the last one ends the job. The value tells how many records were written by this run. A statement may take as long as
 * the job: the step that hides the top of a very large tree looks for all that is hidden with it.
 */
export async function runSteps(
  context: Pick<JobContext, 'transaction' | 'complete' | 'progress'>,
  steps: readonly Step[],
  { label, timeoutSeconds }: { readonly label: string; readonly timeoutSeconds: number },
): Promise<{ readonly written: number }> {
  const total = steps.reduce((sum, { records }) => sum + records, 0);
  let [done, written] = [0, 0];
  for (const step of steps) {
    const before = written;
    written = await context.transaction(
      async (tx) => {
        const sum = before + (await step.work(tx));
        if (step === steps.at(-1)) await context.complete(tx, { written: sum });
        return sum;
      },
      { statementTimeoutMs: timeoutSeconds * 1000 },
    );
    done += step.records;
    if (steps.length > 1) context.progress({ label, done, total });
  }
  return { written };
}

/** Does the blocks one after another, each in a transaction, where another comes behind the last. */
export async function eachBlock<T>(
  context: Pick<JobContext, 'transaction' | 'progress'>,
  blocks: readonly (readonly T[])[],
  label: string,
  work: (tx: Transaction, block: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  let done = 0;
  for (const block of blocks) {
    await context.transaction((tx) => work(tx, block));
    done += block.length;
    context.progress({ label, done, total });
  }
}

/** Does a block in a transaction, again and again, until it says that none is left. */
export async function untilNoneIsLeft(
  context: Pick<JobContext, 'transaction'>,
  work: (tx: Transaction) => Promise<number>,
): Promise<void> {
  while ((await context.transaction(work)) > 0);
}
