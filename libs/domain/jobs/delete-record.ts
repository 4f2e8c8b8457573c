// Job: a record goes with all that is below it in its tree, where that is much, or where many others link to it. In the mailbox of its root, beside moves; where it takes refs out of many others in steps
// (docs/decisions/0046), in that of these.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { treeMailbox } from '../tree/mailbox.ts';
import { holdersMailbox } from '../merges/mailbox.ts';

/** With no more below it a record is deleted by the request itself. */
export const directlyDeleted = 1000;

/** What is deleted, and for whom. `nodeKind`, `rootId`: its tree, if it is in one or a root. `lockVersion`: the version that it must have (If-Match); null: any. `isHeldByMany`: more link to it than others shall wait for. */
const DeleteRecordPayload = z.object({
  kind: z.string(),
  id: z.int(),
  repoId: z.int().nullable(),
  nodeKind: z.string().nullable(),
  rootId: z.int().nullable(),
  lockVersion: z.int().nullable(),
  isHeldByMany: z.boolean().default(false),
  actor: z.string().nullable(),
});

/** The declaration. */
export const deleteRecord = defineJob({
  name: 'delete-record',
  doc: 'Deletes a record with everything below it in its tree, or to which many others link.',
  payload: DeleteRecordPayload,
  mailbox: ({ repoId, nodeKind, rootId, isHeldByMany }) =>
    isHeldByMany || repoId === null || nodeKind === null || rootId === null
      ? holdersMailbox(repoId)
      : treeMailbox({ repoId, nodeKind, rootId }),
  needs: ({ kind, repoId }) => [{ code: kindNamed(kind).may.delete ?? '', repoId }],
  reason: ({ kind, id, repoId }) => ({ records: [uriOf(kindNamed(kind), id, repoId)] }),
  attempts: 5,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});
