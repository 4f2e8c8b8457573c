// Handler of reindexing: hands the records to the indexer's slow lane once, then tells how far that is. A run that is cut off goes on
// with what is left: the fans themselves remember it (libs/store/search/due.ts). One that is canceled takes what is left out of the lane.
import { setTimeout as sleep } from 'node:timers/promises';
import { reindex } from '#domain/jobs/reindex.ts';
import { indexedKinds } from '#domain/search/echo.ts';
import { endRenewal } from '#store/search/form.ts';
import { enqueueReindex, forgetReindex, readReindexLeft, removeStray, withdrawReindex } from '#store/search/reindex.ts';
import type { JobContext } from '../context.ts';
import { defineHandler } from '../context.ts';

const lookMs = 1000;

/** Feeds the lane and waits until it is empty. The value is the number of records. */
export const handler = defineHandler(reindex, async (payload, context) => {
  const { database, signal, jobId } = context;
  const kinds = payload.kinds ?? [...indexedKinds];
  // A mirror is made anew beside the live one where everything is; a part of it in place, as in PostgreSQL.
  const isAll = payload.kinds === null && payload.repoId === null;
  const mirror = isAll ? context.searchMirror : null;
  const isNew = mirror !== null && (await mirror.beginRebuild(jobId)).isNew;
  const total = await context.transaction(async (tx) => {
    if (isNew) await forgetReindex(tx, jobId);
    return enqueueReindex(tx, jobId, { kinds, repoId: payload.repoId, rewrite: payload.rewrite });
  });
  try {
    await untilIndexed(total, context);
  } catch (error) {
    if (signal.aborted) await withdrawReindex(database.unbound, jobId);
    throw error;
  }
  const stray = await context.transaction(async (tx) => {
    if (isAll) await endRenewal(tx, jobId);
    return removeStray(tx, kinds, payload.repoId);
  }, { statementTimeoutMs: 600_000 });
  await mirror?.finishRebuild(database, jobId);
  context.log(`records: ${total}, documents without a record removed: ${stray}`);
  return { records: total };
});

async function untilIndexed(total: number, { database, signal, jobId, progress }: JobContext): Promise<void> {
  for (;;) {
    const left = await readReindexLeft(database.reader, jobId);
    progress({ label: 'Indexing', done: Math.max(0, total - left), total });
    if (left === 0) return;
    await sleep(lookMs, undefined, { signal });
  }
}
