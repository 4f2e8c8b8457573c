// Running steps that may be repeated, each in a transaction of the job's own: between them others have their turn, and a job that is canceled stops.
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
