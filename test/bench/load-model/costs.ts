// From what was measured of each sort of work alone to what a simulation is told of it.
import type { Taken } from './calibrate.ts';
import type { WorkName } from './service.ts';
import { size } from './service.ts';
import type { Cost, Fanout, Installation, LaneSettings, Sort } from './sorts.ts';
import { bulkBatch, bulkLoops, freshBatch } from '../../../apps/worker/followers/indexer.ts';

/** What was measured of each sort. */
export type TakenOf = { readonly [name in WorkName]: Taken };

/** The sorts that make up the load, with what comes in an hour: the load at one time. */
const perHour = { component: 10_800, heading: 1800, publication: 1800, import: 1800 } as const;

/** The names of the load's sorts, in the order of sortsOf. */
export const loadNames = ['component', 'heading', 'publication', 'import'] as const;

type Seconds = { readonly worker: number; readonly server: number };

const each = (of: (which: keyof Seconds) => number): Seconds => ({
  worker: Math.max(0, of('worker')),
  server: Math.max(0, of('server')),
});

/** What a record of a bulk batch costs, and what a batch of a single change costs besides its record: a save that nothing follows has one of those, a heading's one and all that link to it. */
function ofBatches({ note, heading }: TakenOf): { readonly record: Seconds; readonly batch: Seconds } {
  const record = each((which) => (heading.indexing[which] - note.indexing[which]) / Math.max(1, heading.records - 1));
  return { record, batch: each((which) => note.indexing[which] - record[which]) };
}

/** The sorts of the load as a simulation takes them. */
export function sortsOf(taken: TakenOf): readonly Sort[] {
  const { record, batch } = ofBatches(taken);
  const { component, note, heading, publication } = taken;
  const imported = taken.import;
  const pending = (lane: Fanout['lane'], records: number, seconds: Seconds, sets: number | null): Fanout => ({
    lane,
    records,
    workerSeconds: seconds.worker,
    databaseSeconds: seconds.server,
    sets,
  });
  // Its heading follows it: one for all components of a tree.
  const told = Math.round(component.records) - 1;
  const toldSeconds = each(
    (which) => (component.indexing[which] - note.indexing[which] - batch[which]) / Math.max(1, told),
  );
  const perRecord = ({ indexing, records }: Taken): Seconds => each((which) => indexing[which] / Math.max(1, records));
  const components = size.trees * size.components;
  return [
    {
      name: 'save of a component',
      perHour: perHour.component,
      targets: components,
      job: null,
      cost: ofRequest(component),
      pending: [
        {
          ...pending('single', 1, record, components),
          ...(told > 0 ? { afterwards: pending('single', told, toldSeconds, size.trees) } : {}),
        },
      ],
    },
    {
      name: `save of a heading with ${size.components} links`,
      perHour: perHour.heading,
      targets: size.trees,
      job: null,
      cost: ofRequest(heading),
      pending: [
        {
          ...pending('single', 1, record, size.trees),
          afterwards: pending('bulk', Math.round(heading.records) - 1, record, size.trees),
        },
      ],
    },
    {
      name: `publication of ${size.components} components`,
      perHour: perHour.publication,
      targets: size.published,
      job: { mailbox: 'tree', isLong: false },
      cost: ofJob(publication),
      // First what is published itself; then all of it once more, for what it shows of the resource has changed.
      pending: [
        {
          ...pending('bulk', size.components + 1, perRecord(publication), size.published),
          afterwards: pending(
            'bulk',
            Math.max(0, Math.round(publication.records) - size.components - 1),
            perRecord(publication),
            size.published,
          ),
        },
      ],
    },
    {
      name: `import of ${size.components} components`,
      perHour: perHour.import,
      targets: size.repositories,
      job: { mailbox: 'import', isLong: true },
      cost: ofJob(imported),
      pending: [pending('bulk', Math.round(imported.records), perRecord(imported), null)],
    },
  ];
}

/** What is left of the clock's time holds the place. */
const ofRequest = ({ done }: Taken): Cost => ({
  heldSeconds: Math.max(0, done.wall - done.api - done.server),
  workerSeconds: done.api,
  databaseSeconds: done.server,
});

// What the API takes beside it, to read and answer the request, is in no place of a worker.
const ofJob = ({ done, claimSeconds }: Taken): Cost => ({
  heldSeconds: Math.max(0, done.wall - claimSeconds - done.api - done.worker - done.server),
  workerSeconds: done.worker,
  databaseSeconds: done.server,
});

/** What passes until a job is claimed where places are free. */
export const claimSecondsOf = ({ publication, import: imported }: TakenOf): number =>
  (publication.claimSeconds + imported.claimSeconds) / 2;

/** The lanes of an indexer: the product's loops and batches, with what a batch costs besides its records. */
export function lanesOf(taken: TakenOf): Installation['lanes'] {
  const { note, heading } = taken;
  const { batch } = ofBatches(taken);
  const held = (wall: number, { worker, server }: Seconds): number => Math.max(0, wall - worker - server);
  const rest = each((which) => heading.indexing[which] - note.indexing[which]);
  const single: LaneSettings = {
    loops: 1,
    batch: freshBatch,
    // What passes until a change is noticed is among it.
    heldSeconds: held(note.indexing.wall, note.indexing),
    workerSeconds: batch.worker,
    databaseSeconds: batch.server,
  };
  return {
    single,
    bulk: {
      loops: bulkLoops,
      batch: bulkBatch,
      heldSeconds: held(heading.indexing.wall - note.indexing.wall, rest),
      workerSeconds: 0,
      databaseSeconds: 0,
    },
  };
}
