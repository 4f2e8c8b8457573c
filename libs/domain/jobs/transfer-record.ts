// Job: a record with all that hangs on it goes to another repository. Jobs that take from one repository run one at a time.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import { defineJob } from '../job.ts';
import { repositoryMailbox } from '../merges/mailbox.ts';

/** Which record goes from where to where, and for whom. */
const TransferRecordPayload = z.object({
  kind: z.string(),
  id: z.int(),
  from: z.int(),
  to: z.int(),
  actor: z.string().nullable(),
});

/** The declaration. */
export const transferRecord = defineJob({
  name: 'transfer-record',
  doc: 'Moves a record with its components, digital objects, containers, events and assessments to another repository.',
  payload: TransferRecordPayload,
  mailbox: (payload) => repositoryMailbox(payload.from),
  needs: ({ kind, from, to }) => [from, to].map((repoId) => ({ code: kindNamed(kind).may.transfer ?? '', repoId })),
  reason: ({ kind, id, from }) => ({ records: [uriOf(kindNamed(kind), id, from)] }),
  attempts: 5,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});
