// Job: the shelf space of the containers of a record and all below it. The extent calculator makes it where that is many.
import { z } from 'zod';
import { calculationMailbox, CalculationPayload } from '../calculators/calculated.ts';
import { defineJob } from '../job.ts';

/** How the extent is reported is that of the moment it was asked for (ExtentForm of extents/shelf-extent.ts). */
const CalculateExtentPayload = CalculationPayload.extend({
  form: z.object({ unit: z.string().nullable(), decimals: z.int(), isVolume: z.boolean() }),
});

/** The declaration. Somebody waits for it, so it counts as short. What its owner needs depends on the record: published ones are everybody's. */
export const calculateExtent = defineJob({
  name: 'calculate-extent',
  doc: 'Adds up the shelf space of the containers of a record.',
  payload: CalculateExtentPayload,
  mailbox: calculationMailbox,
  attempts: 3,
  timeoutSeconds: 120,
  progressUnit: 'components',
});
