// Job: a record of a tree goes with all that is below it, where that is much. In the mailbox of its root, beside moves.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { treeMailbox } from '../tree/mailbox.ts';

/** With no more below it a record is deleted by the request itself. */
export const directlyDeleted = 1000;

/** What is deleted, and for whom. `lockVersion`: the version that it must have (If-Match); null: any. */
const DeleteRecordPayload = z.object({
  kind: z.string(),
  id: z.int(),
  repoId: z.int(),
  nodeKind: z.string(),
  rootId: z.int(),
  lockVersion: z.int().nullable(),
  actor: z.string().nullable(),
});

/** The declaration. */
export const deleteRecord = defineJob({
  name: 'delete-record',
  doc: 'Deletes a record of a tree with everything below it.',
  payload: DeleteRecordPayload,
  mailbox: treeMailbox,
  needs: ({ kind, repoId }) => [{ code: kindNamed(kind).may.delete ?? '', repoId }],
  reason: ({ kind, id, repoId }) => ({ records: [uriOf(kindNamed(kind), id, repoId)] }),
  attempts: 5,
  timeoutSeconds: 600,
  progressUnit: 'records',
});
