// Job: the time that the components of a record cover. The date calculator makes it where there are many.
import { z } from 'zod';
import { calculationMailbox, CalculationPayload } from '../calculators/calculated.ts';
import { defineJob, inRepository } from '../job.ts';

/** `label`: of dates with this label alone (null: of all); `withOwn`: the dates of the record itself count as well. */
const CalculateDatesPayload = CalculationPayload.extend({ label: z.string().nullable(), withOwn: z.boolean() });

/** The declaration. Somebody waits for it, so it counts as short. */
export const calculateDates = defineJob({
  name: 'calculate-dates',
  doc: 'Finds the time that the components of a record cover.',
  payload: CalculateDatesPayload,
  mailbox: calculationMailbox,
  needs: ({ repoId }) => inRepository(repoId, 'view_repository'),
  attempts: 3,
  timeoutSeconds: 120,
  progressUnit: 'components',
});
