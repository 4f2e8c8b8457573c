// Job: a value of a controlled list becomes another in every record that uses it: one that is there (a migration), or a new text of its own. Every body of every kind that may hold it is looked at.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/** Which value becomes which, or which value is saved with which body; for whom, and whether blanks around texts go. */
const RenameValuePayload = z.object({
  change: z.union([
    z.object({ listId: z.int(), from: z.string(), to: z.string() }),
    z.object({
      valueId: z.int(),
      body: z.custom<JsonObject>(isObject),
      lockVersion: z.custom<Json>((value) => value !== undefined),
    }),
  ]),
  actor: z.string().nullable(),
  trims: z.boolean(),
});

/** The mailbox of changes of lists, which come one after another. */
export const listsMailbox = 'lists';

/** The declaration. */
export const renameValue = defineJob({
  name: 'rename-value',
  doc: 'Makes a value of a controlled list another in all records that use it.',
  payload: RenameValuePayload,
  mailbox: () => listsMailbox,
  needs: () => [{ code: 'update_enumeration_record', repoId: null }],
  attempts: 5,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});
