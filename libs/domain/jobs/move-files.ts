// Job: move files between the database and the storage of files, while they are read and written.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** Where files may be moved to. */
export const filePlaces = ['s3', 'database'] as const;

/** Where all files are to be. */
const MoveFilesPayload = z.object({ to: z.enum(filePlaces) });

/** The declaration. One at a time: two would do the same work, or undo it. */
export const moveFiles = defineJob({
  name: 'move-files',
  doc: 'Moves files between the database and the storage that MUNIMENT_FILES_URL names. A file is where it was until its copy is read again and found to be the same.',
  payload: MoveFilesPayload,
  mailbox: () => 'move-files',
  isShown: true,
  needs: () => [{ code: 'administer_system', repoId: null }],
  attempts: 20,
  timeoutSeconds: 7 * 24 * 3600,
  progressUnit: 'files',
});
