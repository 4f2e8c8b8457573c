// The clock of a simulation: what is to happen, in the order of its time, and levels measured over time.

/** What waits in order: the smallest comes first, of equals the one that was put in first. */
export type Heap<Item> = {
  readonly size: number;
  first(): Item | undefined;
  push(order: number, item: Item): void;
  pop(): Item | undefined;
};

/** Makes an empty heap. */
export function createHeap<Item>(): Heap<Item> {
  type Entry = { readonly order: number; readonly n: number; readonly item: Item };
  const entries: Entry[] = [];
  let made = 0;
  const isBefore = (a: Entry, b: Entry): boolean => a.order < b.order || (a.order === b.order && a.n < b.n);
  /** Puts an entry in at a place, or nearer to the top where those above it come later. */
  const raise = (entry: Entry, from: number): void => {
    let at = from;
    for (;;) {
      const above = (at - 1) >> 1;
      const parent = entries[above];
      if (at === 0 || parent === undefined || !isBefore(entry, parent)) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  };
  /** Fills the top with an entry, or with those below it that come sooner. */
  const sink = (entry: Entry): void => {
    let at = 0;
    for (;;) {
      const [left, right] = [entries[2 * at + 1], entries[2 * at + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, entry)) break;
      entries[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    entries[at] = entry;
  };
  return {
    get size() {
      return entries.length;
    },
    first: () => entries[0]?.item,
    push: (order, item) => raise({ order, n: made++, item }, entries.length),
    pop: () => {
      const top = entries[0];
      const last = entries.pop();
      if (top !== undefined && last !== undefined && entries.length > 0) sink(last);
      return top?.item;
    },
  };
}

/** Simulated time, in seconds from its beginning. */
export type Agenda = {
  readonly now: number;
  /** Has something happen after so many seconds; what falls on the same moment happens in the order of these calls. */
  after(seconds: number, action: () => void): void;
  /** Lets all happen, until nothing is left to happen. */
  run(): void;
};

/** Makes a clock that stands at 0. */
export function createAgenda(): Agenda {
  let now = 0;
  const heap = createHeap<{ readonly at: number; readonly action: () => void }>();
  return {
    get now() {
      return now;
    },
    after: (seconds, action) => heap.push(now + seconds, { at: now + seconds, action }),
    run: () => {
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
        now = next.at;
        next.action();
      }
    },
  };
}

/** What counts of a simulation: seconds from its beginning. */
export type Window = { readonly from: number; readonly to: number };

/** How many of something there are. */
export type Meter = {
  readonly level: number;
  add(difference: number): void;
  /** The mean over the window, once it has passed. */
  mean(): number;
};

/** Makes a meter that stands at 0. */
export function createMeter(agenda: Agenda, { from, to }: Window): Meter {
  let [level, area, since] = [0, 0, 0];
  const pass = (): void => {
    area += level * Math.max(0, Math.min(agenda.now, to) - Math.max(since, from));
    since = agenda.now;
  };
  return {
    get level() {
      return level;
    },
    add: (difference) => {
      pass();
      level += difference;
    },
    mean: () => {
      pass();
      return area / (to - from);
    },
  };
}
