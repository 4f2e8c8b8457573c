// Handler of publishing in trees: steps in the mailbox of the root; one for small trees.
import { kindNamed } from '#domain/addresses.ts';
import { publishRecords } from '#domain/jobs/publish-records.ts';
import { publishSteps } from '#store/records/visibility/publish.ts';
import { defineHandler } from '../handler.ts';
import { runSteps } from '../job-steps/in-steps.ts';

/** Publishes or unpublishes the record with all below it; the value tells how many records were written. */
export const handler = defineHandler(
  publishRecords,
  async ({ kind, id, repoId, publish, seesSuppressed, actor }, context) =>
    runSteps(
      context,
      await publishSteps(context.database.reader, {
        kind: kindNamed(kind),
        id,
        repoId,
        publish,
        seesSuppressed,
        actor,
      }),
      { label: publish ? 'Publishing' : 'Unpublishing', timeoutSeconds: publishRecords.timeoutSeconds },
    ),
);
