// Handler of suppression in trees: steps in the mailbox of the root; one for small trees.
import { kindNamed } from '#domain/addresses.ts';
import { suppressRecords } from '#domain/jobs/suppress-records.ts';
import { suppressSteps } from '#store/records/visibility/suppress.ts';
import { defineHandler } from '../handler.ts';
import { runSteps } from '../job-steps/in-steps.ts';

/** Suppresses the record with all below it, or shows it again; the value tells how many records were written. */
export const handler = defineHandler(suppressRecords, async ({ kind, id, repoId, suppressed, actor }, context) =>
  runSteps(
    context,
    await suppressSteps(context.database.reader, { kind: kindNamed(kind), id, repoId, suppressed, actor }),
    { label: suppressed ? 'Suppressing' : 'Showing', timeoutSeconds: suppressRecords.timeoutSeconds },
  ),
);
