// Job: an archival object with everything below it goes to the end of another resource, in the mailbox of moves below that resource.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** The component, the resource it goes to, and for whom: the user and the user's agent. */
const TransferComponentPayload = z.object({
  repoId: z.int(),
  componentId: z.int(),
  resourceId: z.int(),
  actor: z.string().nullable(),
  agentUri: z.string().nullable(),
});

/** The declaration. */
export const transferComponent = defineJob({
  name: 'transfer-component',
  doc: 'Moves an archival object with everything below it to the end of another resource.',
  payload: TransferComponentPayload,
  mailbox: (payload) => `tree/${payload.repoId}/archival_object/${payload.resourceId}`,
  needs: ({ repoId }) => [{ code: 'update_resource_record', repoId }],
  reason: ({ repoId, componentId, resourceId }) => ({
    records: [
      `/repositories/${repoId}/archival_objects/${componentId}`,
      `/repositories/${repoId}/resources/${resourceId}`,
    ],
  }),
  attempts: 5,
  timeoutSeconds: 600,
  progressUnit: 'components',
});
