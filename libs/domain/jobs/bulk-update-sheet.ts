// Job: the spreadsheet for changing many archival objects (contract trees-and-jobs 6.1, 6.2). The request for it stands on it.
import { z } from 'zod';
import { defineJob, inRepository } from '../job.ts';
import { sheetMailbox } from '../spreadsheets/mailbox.ts';

/** The records in the order of their rows, the resource that the file is named for (0: none), which columns it has, and who looks. */
const BulkUpdateSheetPayload = z.object({
  repoId: z.int(),
  actor: z.string().nullable(),
  ids: z.array(z.int()),
  resourceId: z.int(),
  selectedColumns: z.array(z.string()),
  minSubrecords: z.int(),
  extraSubrecords: z.int(),
  minNotes: z.int(),
  wantsSuppressed: z.boolean(),
  release: z.enum(['R-A', 'R-B']),
});

/** The declaration. */
export const bulkUpdateSheet = defineJob({
  name: 'bulk-update-sheet',
  doc: 'Makes the spreadsheet for changing many archival objects.',
  payload: BulkUpdateSheetPayload,
  mailbox: sheetMailbox,
  needs: ({ repoId }) => inRepository(repoId, 'view_repository'),
  attempts: 3,
  timeoutSeconds: 600,
  progressUnit: 'records',
});
