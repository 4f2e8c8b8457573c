// Job: publish or unpublish a record of a tree with all that is below it. In the mailbox of its root, beside moves.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { treeMailbox } from '../tree/mailbox.ts';

/** What is published: a record of a tree, and whether suppressed records below it are taken along. */
const PublishRecordsPayload = z.object({
  kind: z.string(),
  id: z.int(),
  repoId: z.int(),
  nodeKind: z.string(),
  rootId: z.int(),
  publish: z.boolean(),
  seesSuppressed: z.boolean(),
  actor: z.string().nullable(),
});

/** The declaration. */
export const publishRecords = defineJob({
  name: 'publish-records',
  doc: 'Publishes or unpublishes a record and everything below it.',
  payload: PublishRecordsPayload,
  mailbox: treeMailbox,
  needs: ({ kind, repoId, publish }) => [
    { code: kindNamed(kind).may[publish ? 'publish' : 'unpublish'] ?? '', repoId },
  ],
  reason: ({ kind, id, repoId }) => ({ records: [uriOf(kindNamed(kind), id, repoId)] }),
  attempts: 5,
  // 100,000 components take some seconds; at most 120 so that it is not held back as a long job.
  timeoutSeconds: 120,
  progressUnit: 'records',
});
