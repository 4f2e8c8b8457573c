// The variables that say how long is kept what nobody needs for ever.
import { integer } from './values.ts';

const days = (value: number) => integer(value, 0, 36_500);

/** The variables by name; config.ts has them among the others. */
export const retentionVariables = {
  MUNIMENT_AUDIT_DAYS: days(730).describe('How long entries of the audit log are kept, in days; 0: for ever.'),
  MUNIMENT_REVISION_DAYS: days(0).describe(
    'How long earlier versions of records are kept after they were replaced or deleted, and what undoing merges needs, in days; 0: for ever.',
  ),
  MUNIMENT_DELIVERY_DAYS: days(7).describe(
    'How long deliveries of webhooks that arrived are kept, in days; 0: for ever.',
  ),
  MUNIMENT_DEAD_DELIVERY_DAYS: days(30).describe(
    'How long deliveries of webhooks that were given up are kept, in days; 0: for ever.',
  ),
  MUNIMENT_JOB_DAYS: days(0).describe(
    'How long jobs that clients made are kept after their end, with their logs and files, in days; 0: until somebody deletes them.',
  ),
} as const;
