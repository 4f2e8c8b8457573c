// Job: suppress or unsuppress a record of a tree with all that is below it. In the mailbox of its root, beside moves.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { treeMailbox } from '../tree/mailbox.ts';

/** What is suppressed: a record of a tree. */
const SuppressRecordsPayload = z.object({
  kind: z.string(),
  id: z.int(),
  repoId: z.int(),
  nodeKind: z.string(),
  rootId: z.int(),
  suppressed: z.boolean(),
  actor: z.string().nullable(),
});

/** The declaration. */
export const suppressRecords = defineJob({
  name: 'suppress-records',
  doc: 'Suppresses or unsuppresses a record, everything below it, and the events that speak of nothing else.',
  payload: SuppressRecordsPayload,
  mailbox: treeMailbox,
  needs: ({ kind, repoId }) => [{ code: kindNamed(kind).may.suppress ?? '', repoId }],
  reason: ({ kind, id, repoId }) => ({ records: [uriOf(kindNamed(kind), id, repoId)] }),
  attempts: 5,
  timeoutSeconds: 120,
  progressUnit: 'records',
});
