// The variables that say which replicas of the database answer reads.
import { z } from 'zod';
import { integer, isDatabaseUrl, listOf } from './values.ts';

/** The variables by name; config.ts has them among the others. */
export const replicaVariables = {
  DATABASE_REPLICA_URL: z
    .string()
    .refine((text) => listOf(text).every(isDatabaseUrl), 'must be addresses as in DATABASE_URL with commas between')
    .transform(listOf)
    .optional()
    .describe(
      'Streaming replicas of that database, with commas between (a comma in a password is %2C), which answer lists, trees, searches, exports and harvesters. Absent: the database answers all. Of reads alone, by API processes; jobs, reports among them, stay with the database.',
    ),
  MUNIMENT_REPLICA_LAG_MS: integer(1000, 50, 5000).describe(
    'How far a replica may be behind, in milliseconds, before it is left out until it is within half of that. So old may be what others changed; what the caller wrote, and what was hidden, is never shown as it was before.',
  ),
} as const;
