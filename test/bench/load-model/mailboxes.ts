// The job queue of a simulation: one job of a mailbox at a time and in order, whichever worker has a place (docs/decisions/0007).
import type { Agenda, Window } from './agenda.ts';
import { createHeap, createMeter } from './agenda.ts';

/** A job: `run` begins it, and calls what it is given when it has ended. */
type SimulatedJob = {
  readonly mailbox: string;
  readonly isLong: boolean;
  readonly run: (ended: () => void) => void;
};

/** Jobs that wait or run. */
export type JobQueue = {
  /** Jobs that wait now. */
  readonly depth: number;
  enqueue(job: SimulatedJob): void;
  /** Places in use, the mean over the window. */
  busySlots(): number;
  /** The mailbox in which a job ran for most of the window, and for which share of it; null where there was none. */
  busiestMailbox(): { readonly name: string; readonly share: number } | null;
};

type Mailbox = {
  readonly waiting: { readonly n: number; readonly job: SimulatedJob }[];
  /** Where the first that waits is: what is before it has begun. */
  next: number;
  readonly busy: ReturnType<typeof createMeter>;
};

/** Makes an empty queue for workers with so many places each. */
export function createJobQueue(agenda: Agenda, workers: number, slots: number, window: Window): JobQueue {
  const mailboxes = new Map<string, Mailbox>();
  // The first jobs of mailboxes in which none runs, by when they came; apart, as there may be places for short ones alone.
  const ready = { short: createHeap<string>(), long: createHeap<string>() };
  const places = Array.from({ length: workers }, () => ({ running: 0, long: 0 }));
  const busy = createMeter(agenda, window);
  let [made, depth] = [0, 0];

  const offer = (name: string, mailbox: Mailbox): void => {
    const first = mailbox.waiting[mailbox.next];
    if (first !== undefined) ready[first.job.isLong ? 'long' : 'short'].push(first.n, name);
  };
  const firstOf = (name: string | undefined): number => {
    const mailbox = name === undefined ? undefined : mailboxes.get(name);
    return mailbox?.waiting[mailbox.next]?.n ?? Number.POSITIVE_INFINITY;
  };
  /** The worker with the fewest jobs that may take one more. */
  const placeFor = (isLong: boolean): (typeof places)[number] | undefined =>
    places
      .filter(({ running, long }) => running < slots && (!isLong || long < Math.max(1, slots - 1)))
      .reduce<(typeof places)[number] | undefined>(
        (least, each) => (least === undefined || each.running < least.running ? each : least),
        undefined,
      );

  const begin = (name: string, place: (typeof places)[number]): void => {
    const mailbox = mailboxes.get(name);
    const first = mailbox?.waiting[mailbox.next];
    if (mailbox === undefined || first === undefined) throw new Error(`nothing waits in ${name}`);
    mailbox.next += 1;
    // Forgotten now and then: each by itself would move all behind it.
    if (mailbox.next > 1000) {
      mailbox.waiting.splice(0, mailbox.next);
      mailbox.next = 0;
    }
    depth -= 1;
    place.running += 1;
    place.long += first.job.isLong ? 1 : 0;
    busy.add(1);
    mailbox.busy.add(1);
    first.job.run(() => {
      place.running -= 1;
      place.long -= first.job.isLong ? 1 : 0;
      busy.add(-1);
      mailbox.busy.add(-1);
      offer(name, mailbox);
      claim();
    });
  };
  const claim = (): void => {
    for (;;) {
      const [short, long] = [placeFor(false), placeFor(true)];
      const isLongFirst = long !== undefined && firstOf(ready.long.first()) < firstOf(ready.short.first());
      const place = isLongFirst ? long : short;
      const name = place === undefined ? undefined : ready[isLongFirst ? 'long' : 'short'].pop();
      if (place === undefined || name === undefined) return;
      begin(name, place);
    }
  };
  return {
    get depth() {
      return depth;
    },
    enqueue: (job) => {
      const mailbox = mailboxes.get(job.mailbox) ?? { waiting: [], next: 0, busy: createMeter(agenda, window) };
      mailboxes.set(job.mailbox, mailbox);
      mailbox.waiting.push({ n: made++, job });
      depth += 1;
      if (mailbox.busy.level === 0 && mailbox.waiting.length - mailbox.next === 1) offer(job.mailbox, mailbox);
      claim();
    },
    busySlots: () => busy.mean(),
    busiestMailbox: () =>
      [...mailboxes]
        .map(([name, mailbox]) => ({ name, share: mailbox.busy.mean() }))
        .reduce<{ readonly name: string; readonly share: number } | null>(
          (most, each) => (most === null || each.share > most.share ? each : most),
          null,
        ),
  };
}
