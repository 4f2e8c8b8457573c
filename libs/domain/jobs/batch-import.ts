// Job: write the records of a JSON array into a repository, all or nothing (contract trees-and-jobs 2).
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** What a batch import is given: the upload, where to, and the wire's two switches. */
const BatchImportPayload = z.object({
  blobId: z.uuid(),
  repoId: z.int(),
  actor: z.string().nullable(),
  /** Siblings keep the order of the file where their positions tie or the switch is on. */
  migration: z.boolean(),
  /** The reply leaves out the list of created uris. */
  skipResults: z.boolean(),
  /** Nobody waits: the list of created uris becomes a file of the job. Absent in jobs made before there was a choice. */
  isDetached: z.boolean().optional(),
});

/** The declaration. Imports of one repository run one after the other, so that two of them cannot make the same heading twice. */
export const batchImport = defineJob({
  name: 'batch-import',
  doc: 'Imports a JSON array of records, all or nothing.',
  payload: BatchImportPayload,
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  needs: ({ repoId }) => [{ code: 'import_records', repoId }],
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});
