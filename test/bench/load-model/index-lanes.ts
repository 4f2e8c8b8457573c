// The indexer of a simulation: loops of two lanes take pending records in batches, oldest first (docs/decisions/0009). Single changes have loops
// of their own, so no bulk is before them; processors they share.
import type { Agenda, Window } from './agenda.ts';
import { createMeter } from './agenda.ts';
import type { Processor } from './processor.ts';
import type { LaneSettings } from './sorts.ts';

/** Records that become pending at once. `key`: what names the same records; null where there are no others such. `indexed` is called when all of them are, with how many were not pending before. Seconds are of one record. */
type Portion = {
  readonly key: string | null;
  readonly records: number;
  readonly workerSeconds: number;
  readonly databaseSeconds: number;
  readonly indexed: (written: number) => void;
};

/** A lane. */
export type IndexLane = {
  /** Records that are still to be indexed, those of batches under way among them. */
  readonly pending: number;
  /** How long the oldest of them waits, in seconds; 0 where there are none. */
  readonly oldestSeconds: number;
  add(portion: Portion): void;
  /** Loops at work on full batches, the mean over the window: whose batch is not full could have taken more in the same time. */
  fullLoops(): number;
};

type Waiting = Portion & { readonly since: number; readonly written: number; untaken: number; unindexed: number };
type Taken = { readonly portion: Waiting; readonly records: number };

/** Makes an empty lane, with the loops of so many indexers. */
export function createIndexLane(
  agenda: Agenda,
  settings: LaneSettings,
  indexers: number,
  { worker, database, window }: { readonly worker: Processor; readonly database: Processor; readonly window: Window },
): IndexLane {
  // In the order in which they came; what is at the beginning and wholly indexed is forgotten.
  let portions: Waiting[] = [];
  let [firstUntaken, firstUnindexed, pending] = [0, 0, 0];
  // Records not yet taken, by key: those become pending no second time.
  const waiting = new Map<string, number>();
  const full = createMeter(agenda, window);
  let working = 0;

  const take = (): readonly Taken[] => {
    const taken: Taken[] = [];
    let room = settings.batch;
    while (room > 0) {
      const portion = portions[firstUntaken];
      if (portion === undefined) break;
      const records = Math.min(room, portion.untaken);
      portion.untaken -= records;
      room -= records;
      if (portion.untaken === 0) firstUntaken += 1;
      if (portion.key !== null) {
        const left = (waiting.get(portion.key) ?? 0) - records;
        if (left > 0) waiting.set(portion.key, left);
        else waiting.delete(portion.key);
      }
      taken.push({ portion, records });
    }
    return taken;
  };
  const forget = (): void => {
    while (portions[firstUnindexed]?.unindexed === 0) firstUnindexed += 1;
    if (firstUnindexed < 1000) return;
    portions = portions.slice(firstUnindexed);
    firstUntaken -= firstUnindexed;
    firstUnindexed = 0;
  };
  const work = (): void => {
    while (working < settings.loops * indexers) {
      const taken = take();
      if (taken.length === 0) return;
      working += 1;
      const isFull = taken.reduce((total, { records }) => total + records, 0) === settings.batch;
      if (isFull) full.add(1);
      const sum = (of: 'workerSeconds' | 'databaseSeconds'): number =>
        taken.reduce((total, { portion, records }) => total + records * portion[of], settings[of]);
      agenda.after(settings.heldSeconds, () =>
        worker.take(sum('workerSeconds'), () => database.take(sum('databaseSeconds'), () => end(taken, isFull))),
      );
    }
  };
  const end = (taken: readonly Taken[], isFull: boolean): void => {
    working -= 1;
    if (isFull) full.add(-1);
    const whole: Waiting[] = [];
    for (const { portion, records } of taken) {
      portion.unindexed -= records;
      pending -= records;
      if (portion.unindexed === 0) whole.push(portion);
    }
    forget();
    for (const portion of whole) portion.indexed(portion.written);
    work();
  };
  return {
    get pending() {
      return pending;
    },
    get oldestSeconds() {
      const oldest = portions[firstUnindexed];
      return oldest === undefined ? 0 : agenda.now - oldest.since;
    },
    add: (portion) => {
      const known = portion.key === null ? 0 : (waiting.get(portion.key) ?? 0);
      const records = Math.max(0, portion.records - known);
      // They are pending, all of them: what follows comes with those.
      if (records === 0) return;
      if (portion.key !== null) waiting.set(portion.key, known + records);
      pending += records;
      portions.push({ ...portion, since: agenda.now, written: records, untaken: records, unindexed: records });
      work();
    },
    fullLoops: () => full.mean(),
  };
}
