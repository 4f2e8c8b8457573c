// How fast the indexer of a process is, for the time that is left (GET /system/index-status).

/** How many records were indexed, and for how long any loop was at work, until both are taken. */
export type Pace = {
  /** Does a piece of work, whose result says of how many records it was; null: there was nothing to do. */
  during<T extends { readonly records: number } | null>(work: () => Promise<T>): Promise<T>;
  take(): { readonly records: number; readonly seconds: number };
};

/** Makes one that begins now. */
export function createPace(now: () => number = () => performance.now()): Pace {
  let [active, since, records, ms] = [0, 0, 0, 0];
  const count = (): void => {
    const time = now();
    if (active > 0) ms += time - since;
    since = time;
  };
  return {
    during: async (work) => {
      count();
      active += 1;
      try {
        const done = await work();
        records += done?.records ?? 0;
        return done;
      } finally {
        count();
        active -= 1;
      }
    },
    take: () => {
      count();
      const taken = { records, seconds: ms / 1000 };
      [records, ms] = [0, 0];
      return taken;
    },
  };
}
