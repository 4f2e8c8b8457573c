// Handler of the extent calculator for what has many components: one statement, which leaves a row for each profile, so that the rest needs no thread.
import { seesSuppressed } from '#domain/access/suppression.ts';
import { extentReply } from '#domain/calculators/calculated.ts';
import { shelfExtent } from '#domain/extents/shelf-extent.ts';
import { calculateExtent } from '#domain/jobs/calculate-extent.ts';
import { readContainersByProfile, requireCalculated } from '#store/calculators/read.ts';
import { defineHandler } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';

/** Calculates; the value is the reply of the extent calculator. */
export const handler = defineHandler(calculateExtent, async ({ form, wantsSuppressed, ...address }, context) => {
  const record = await requireCalculated(context.database.reader, {
    ...address,
    seesSuppressed: seesSuppressed(context.caller, address.repoId, wantsSuppressed),
  });
  if (!record.isPublic) demandOfOwner(context, address.repoId, 'view_repository');
  const extent = shelfExtent(await readContainersByProfile(context.database.reader, record), form);
  const reply = extentReply(record, extent, new Date());
  return context.transaction(async (tx) => {
    await context.complete(tx, reply);
    return reply;
  });
});
