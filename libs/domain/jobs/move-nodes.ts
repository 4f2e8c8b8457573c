// Job: move nodes of a tree. All moves under one root go through one mailbox, so they happen one at a time and in order.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { treeMailbox } from '../tree/mailbox.ts';

/** What a move is given: nodes in the wanted order, the new parent (null: directly under the root), the rank of the first one (null: the end). */
const MoveNodesPayload = z.object({
  repoId: z.int(),
  nodeKind: z.string(),
  rootId: z.int(),
  parentId: z.int().nullable(),
  position: z.int().nullable(),
  ids: z.array(z.int()),
  actor: z.string().nullable(),
});

/** The declaration. */
export const moveNodes = defineJob({
  name: 'move-nodes',
  doc: 'Moves nodes of a tree under another parent or to another position.',
  payload: MoveNodesPayload,
  mailbox: treeMailbox,
  needs: ({ nodeKind, repoId }) => [{ code: kindNamed(nodeKind).may.update ?? '', repoId }],
  reason: ({ nodeKind, ids, repoId }) => ({ records: ids.map((id) => uriOf(kindNamed(nodeKind), id, repoId)) }),
  attempts: 5,
  timeoutSeconds: 60,
  progressUnit: 'nodes',
});
