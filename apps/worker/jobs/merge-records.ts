// Handler of merges: one transaction; where there are many holders of refs, steps before it that lead most of them over.
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords as merge } from '#store/merges/merge.ts';
import { defineHandler } from '../handler.ts';
import { leadHolders } from '../job-steps/merge-in-steps.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Merges; the value tells how many links came to the record that stays. */
export const handler = defineHandler(
  mergeRecords,
  async ({ what, repoId, destination, candidates, selections, actor, agentUri }, context) => {
    const records = toMergeRecords(what, destination, candidates, repoId);
    const asked = { id: context.jobId, what, records, actor, agentUri, selections };
    const enumerations = await EnumerationCache.load(context.database.reader);
    await undoOthersSteps(context, repoId);
    await leadHolders(context, asked);
    return context.transaction(
      async (tx) => {
        const { generatedValues } = context;
        const settings = { at: new Date().toISOString(), generatedValues, enumerations };
        return { links: await merge(tx, asked, settings, (links) => context.completeAhead(tx, { links })) };
      },
      { statementTimeoutMs: mergeRecords.timeoutSeconds * 1000 },
    );
  },
);
