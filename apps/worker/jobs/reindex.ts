// Handler of reindexing: hands the records to one of the indexer's slow lanes once, then tells how far that is. A run that is cut off goes on
// with what is left: the dependents themselves remember it (libs/store/search/pending.ts). One that is canceled takes what is left out of the lane.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '#domain/errors.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { isRetryable } from '#store/connection/pg-errors.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import { endRenewal } from '#store/search/document-version.ts';
import { finishRebuild, isBuilding, sizeOfIndex } from '#store/search/postgres/rebuild.ts';
import type { Reindexing } from '#store/search/reindex.ts';
import { enqueueReindex, forgetReindex, readReindexLeft, removeStray, withdrawReindex } from '#store/search/reindex.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

const lookMs = 1000;

/** Feeds the lane and waits until it is empty. The value is the number of records. */
export const handler = defineHandler(reindex, async (payload, context) => {
  const { database, signal, jobId } = context;
  const kinds = payload.kinds ?? [...indexedKinds];
  // A mirror is made anew beside the live one where everything is; a part of it in place, as in PostgreSQL.
  const isAll = payload.kinds === null && payload.repoId === null;
  const mirror = isAll ? context.searchMirror : null;
  const isNew = mirror !== null && (await mirror.beginRebuild(jobId)).isNew;
  const isRebuild =
    payload.rewrite &&
    isAll &&
    mirror === null &&
    ((await isBuilding(database.reader, jobId)) || (await hasSpace(context)));
  const reindexing = await untilFree(signal, () =>
    context.transaction(async (tx) => {
      if (isNew) await forgetReindex(tx, jobId);
      return enqueueReindex(tx, jobId, { kinds, repoId: payload.repoId, rewrite: payload.rewrite, isRebuild });
    }),
  );
  const { total } = reindexing;
  try {
    await untilIndexed(reindexing, context);
    if (reindexing.isRebuild) await finishRebuild(database, jobId, signal, context.progress);
  } catch (error) {
    if (signal.aborted) await withdrawReindex(database.unbound, jobId);
    throw error;
  }
  const stray = await context.transaction(
    async (tx) => {
      if (isAll) await endRenewal(tx, jobId);
      return removeStray(tx, kinds, payload.repoId);
    },
    { statementTimeoutMs: 600_000 },
  );
  await mirror?.finishRebuild(database, jobId);
  context.log(`records: ${total}, documents without a record removed: ${stray}`);
  return { records: total };
});

/** Whether the disk has room for a second index; in the other case this one is written anew where it is. */
async function hasSpace({ database, options, log }: JobContext): Promise<boolean> {
  const diskSpace = await openDiskSpace(database.reader, options.diskReserveBytes);
  try {
    await diskSpace.require(await sizeOfIndex(database.reader));
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'disk_full') throw error;
    log(`${error.message} The index is written anew in its place.`);
    return false;
  }
}

/** Does what needs a lock, again and again until nobody is in the way. */
async function untilFree<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await sleep(lookMs, undefined, { signal });
    }
  }
}

async function untilIndexed(reindexing: Reindexing, { database, signal, jobId, progress }: JobContext): Promise<void> {
  const { total } = reindexing;
  for (;;) {
    const begun = performance.now();
    const left = await readReindexLeft(database.reader, jobId, reindexing);
    progress({ label: 'Indexing', done: Math.max(0, total - left), total });
    if (left === 0) return;
    // Counting what is left of millions takes its time.
    await sleep(Math.max(lookMs, 20 * (performance.now() - begun)), undefined, { signal });
  }
}
