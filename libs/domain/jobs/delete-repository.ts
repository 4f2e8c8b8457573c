// Job: a repository goes, with everything in it.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import { repositoryMailbox } from '../merges/mailbox.ts';

/** Which repository goes, and for whom. `lockVersion`: the version that it must have (If-Match); null: any, as in jobs that an earlier version of the service made. */
const DeleteRepositoryPayload = z.object({
  repoId: z.int(),
  actor: z.string().nullable(),
  lockVersion: z.int().nullable().default(null),
});

/** The declaration. */
export const deleteRepository = defineJob({
  name: 'delete-repository',
  doc: 'Deletes a repository with everything in it.',
  payload: DeleteRepositoryPayload,
  mailbox: (payload) => repositoryMailbox(payload.repoId),
  needs: ({ repoId }) => [{ code: 'delete_repository', repoId }],
  reason: ({ repoId }) => ({ records: [`/repositories/${repoId}`] }),
  attempts: 3,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});
