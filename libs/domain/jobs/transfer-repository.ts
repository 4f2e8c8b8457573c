// Job: everything in a repository goes to another one.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import { repositoryMailbox } from '../merges/mailbox.ts';

/** From where to where, and for whom. */
const TransferRepositoryPayload = z.object({ from: z.int(), to: z.int(), actor: z.string().nullable() });

/** The declaration. */
export const transferRepository = defineJob({
  name: 'transfer-repository',
  doc: 'Moves all records of a repository, but for its groups and preferences, and what is set for it to another repository.',
  payload: TransferRepositoryPayload,
  mailbox: (payload) => repositoryMailbox(payload.from),
  needs: ({ from, to }) => [from, to].map((repoId) => ({ code: 'transfer_repository', repoId })),
  reason: ({ from, to }) => ({ records: [from, to].map((id) => `/repositories/${id}`) }),
  attempts: 3,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});
