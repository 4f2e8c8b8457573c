// Keeps the search index up with the change log: a fast loop for single changes, slower ones beside it for imports and for what
// hangs on a change, so that neither holds up the other (docs/decisions/0009). Any number of processes may run it.
import { randomUUID } from 'node:crypto';
import type { Material } from '#domain/search/documents/material.ts';
import { makeDocuments } from '#domain/search/documents/material.ts';
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { Database } from '#store/connection/database.ts';
import { feedChannel, followChunk } from '#store/change-log/followers.ts';
import type { Listener, Waker } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';
import type { IndexMemory } from '#store/search/batch.ts';
import { createIndexMemory, prepareBatch, writeBatch } from '#store/search/batch.ts';
import type { Lane } from '#store/search/pending.ts';
import { writePace } from '#store/search/lag.ts';
import { claimPending } from '#store/search/claim.ts';
import { enqueueChanges, fillLane, indexFollower, isWaiting } from '#store/search/pending.ts';
import { renewOutgrownStatistics } from '#store/maintenance/statistics.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import { readMaterial } from '#store/search/material.ts';
import { dropAbandoned } from '#store/search/postgres/rebuild.ts';
import { foldCounts } from '#store/search/postgres/facet-counts.ts';
import { tidyHidden } from '#store/search/postgres/tidy-hidden.ts';
import type { SearchMirror } from '#store/search/port.ts';
import type { Threads } from '../threads/pool.ts';
import type { Pace } from './pace.ts';
import { createPace } from './pace.ts';

/** What runIndexer needs. `onError` hears of failed rounds; they are tried again. `batchSize`: records of a batch of lanes 1 and 2. `mirror`: an index beside PostgreSQL's. `diskReserveBytes`: these lanes wait where the disk has less. */
export type IndexerSettings = {
  readonly database: Database;
  readonly listener: Listener;
  readonly threads: Threads;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly batchSize?: number;
  readonly mirror?: SearchMirror | null;
  readonly diskReserveBytes?: number;
};

/** Records of a batch of lane 0. */
export const freshBatch = 100;
/** Records of a batch of lanes 1 and 2, where the settings say nothing. */
export const bulkBatch = 1000;
/** Loops over lanes 1 and 2 in a process, beside the one over lane 0. */
export const bulkLoops = 3;
const flushMs = 15_000;
// How often it is looked whether tables have outgrown their statistics, while changes come.
const statisticsMs = 1000;
// Fewer are made here than it costs to send them to a thread, and they need not wait behind an import's blocks.
const mostInline = 8;

/** Runs until the signal: woken by new entries of the feed, at least every second. */
export async function runIndexer(settings: IndexerSettings): Promise<void> {
  const { listener, mirror = null } = settings;
  if (mirror !== null) await prepareMirror(settings, mirror);
  const memory = createIndexMemory();
  const pace = createPace();
  const fresh = createWaker();
  const bulk = Array.from({ length: bulkLoops }, () => createWaker());
  const wakeBulk = (): void => bulk.forEach((bell) => bell.wake());
  const unsubscribe = await listener.subscribe(feedChannel, fresh.wake);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let hasChanged = false;
  await Promise.all([
    loop(settings, fresh, async (hasRested) => {
      const isFollowing =
        (await followChunk(settings.database, indexFollower, async (entries, tx) => enqueueChanges(tx, entries))) > 0;
      // Before what is new is read: whoever indexes reads the most. What comes too soon after a look is seen by the next round, in a second at the most.
      hasChanged ||= isFollowing;
      if (hasChanged && performance.now() - lookedAt > statisticsMs) {
        lookedAt = performance.now();
        hasChanged = false;
        await renewOutgrownStatistics(settings.database);
      }
      if (isFollowing) wakeBulk();
      if (hasRested && !isFollowing && !(await isWaiting(settings.database.reader, { from: 0, to: 0 }))) return false;
      const work = await runRound(settings, 0, { memory, pace, batch: freshBatch, after: 0 });
      if (work.hasSpread) wakeBulk();
      return isFollowing || work.hasWorked;
    }),
    ...bulk.map(async (bell) => {
      const states = ([1, 2] as const).map((lane) => ({
        lane,
        state: { memory, pace, batch: settings.batchSize ?? bulkBatch, after: 0 },
      }));
      await loop(settings, bell, async (hasRested) => {
        if (hasRested && !(await isWaiting(settings.database.reader, { from: 1, to: 2 }))) return false;
        for (const { lane, state } of states) {
          const work = await runRound(settings, lane, state);
          state.after = work.after;
          if (work.hasSpread) wakeBulk();
          if (work.hasWorked) return true;
        }
        return false;
      });
    }),
    keepCounts(settings, memory, pace),
  ]);
  unsubscribe();
}

/** Sees to it that the mirror is there, however long its server is away. */
async function prepareMirror({ database, signal, onError }: IndexerSettings, mirror: SearchMirror): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      const { isCurrent } = await mirror.prepare(database);
      if (!isCurrent)
        onError(new Error('The search index was made by another release: POST /system/reindex makes it anew'));
      return;
    } catch (error) {
      onError(error);
      failures += 1;
      await createWaker().wait(pauseMs(failures), signal);
    }
  }
}

const pauseMs = (failures: number): number => Math.min(30_000, 100 * 2 ** failures);

/** Calls `round` until it finds nothing to do, then waits for the bell or a second; after a failure for a growing pause. `round` hears whether it was called before and found nothing. */
async function loop(
  { signal, onError }: IndexerSettings,
  bell: Waker,
  round: (hasRested: boolean) => Promise<boolean>,
): Promise<void> {
  let hasRested = false;
  for (let failures = 0; !signal.aborted;) {
    try {
      const hasWorked = await round(hasRested);
      failures = 0;
      hasRested = !hasWorked;
      if (!hasWorked) await bell.wait(1000, signal);
    } catch (error) {
      // What a stop cut off is rolled back, and due as before.
      if (signal.aborted) return;
      onError(error);
      failures += 1;
      await createWaker().wait(pauseMs(failures), signal);
    }
  }
}

type LaneState = {
  readonly memory: IndexMemory;
  readonly pace: Pace;
  readonly batch: number;
  readonly after: number;
};
/** `hasSpread`: there is more to do in the other lanes than before. */
type Round = { readonly hasWorked: boolean; readonly hasSpread: boolean; readonly after: number };

/** One batch of a lane; where nothing is due, one step of its dependents. */
async function runRound(settings: IndexerSettings, lane: Lane, state: LaneState): Promise<Round> {
  const done = await state.pace.during(() => indexBatch(settings, lane, state));
  if (done !== null) return { hasWorked: true, hasSpread: done.hasSpread, after: done.after };
  // Rows behind the last place taken are those that were locked then, or came back when their taker died.
  if (state.after > 0) return { hasWorked: true, hasSpread: false, after: 0 };
  // While one fills the lane, the others find nothing to fill, and rest.
  const hasFilled = await fillLane(settings.database, lane);
  return { hasWorked: hasFilled, hasSpread: hasFilled && lane !== 0, after: 0 };
}

async function indexBatch(
  { database, threads, signal, mirror = null, diskReserveBytes = 0 }: IndexerSettings,
  lane: Lane,
  state: LaneState,
): Promise<{ readonly hasSpread: boolean; readonly after: number; readonly records: number } | null> {
  let committed: () => void = () => undefined;
  const result = await database.transaction(
    async (tx) => {
      const taken = await claimPending(tx, lane, state.batch, state.after);
      if (taken.length === 0) return null;
      if (lane !== 0) await (await openDiskSpace(tx, diskReserveBytes)).require();
      const read = await readMaterial(tx, taken);
      const packed = await pack(read.material, threads, signal);
      await prepareBatch(database, packed, state.memory);
      const written = await writeBatch(tx, { lane, taken, read, packed }, state.memory, {
        keepsUnchanged: mirror === null,
      });
      // Before the commit: where this fails, the records are due again as if nothing had been.
      if (lane !== 2) await mirror?.write(tx, taken);
      committed = written.committed;
      return {
        hasSpread: written.hasSpread,
        after: taken.reduce((last, { n }) => Math.max(last, n), 0),
        records: taken.length,
      };
    },
    { statementTimeoutMs: 300_000 },
  );
  committed();
  return result;
}

async function pack(material: Material, threads: Threads, signal: AbortSignal): Promise<PackedDocuments> {
  if (material.records.length <= mostInline) return makeDocuments(material);
  return threads.run('makeDocuments', material, { signal });
}

/** Writes now and then what is counted beside documents: in how many each word is, and facet values, and how fast it goes. Clears away what a canceled job has left. */
async function keepCounts(
  { database, signal, onError }: IndexerSettings,
  { words }: IndexMemory,
  pace: Pace,
): Promise<void> {
  const own = randomUUID();
  const bell = createWaker();
  while (!signal.aborted) {
    await bell.wait(flushMs, signal);
    await words.flush(database).catch(onError);
    await foldCounts(database).catch(onError);
    await dropAbandoned(database).catch(onError);
    await tidyHidden(database).catch(onError);
    const { records, seconds } = pace.take();
    if (records > 0) await writePace(database, own, records, seconds).catch(onError);
  }
}
