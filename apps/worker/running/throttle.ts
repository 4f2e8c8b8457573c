// Collecting what is told of a run, so that a line or a step of progress does not cost a statement each.

const throttleMs = 200;
const throttleItems = 500;

/** Collects items and hands them on together, at once and then at most five times a second, one hand-over at a time and in order. */
export function createThrottle<Item>(handOver: (items: readonly Item[]) => Promise<void>): {
  add(item: Item): void;
  flush(): Promise<void>;
} {
  let items: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let quietUntil = 0;
  let last = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return last;
    const taken = items;
    items = [];
    quietUntil = performance.now() + throttleMs;
    // A progress or log line that cannot be stored must not end the job.
    last = last.then(async () => handOver(taken)).catch(() => undefined);
    return last;
  };
  return {
    add: (item) => {
      items.push(item);
      if (items.length >= throttleItems) void flush();
      else timer ??= setTimeout(() => void flush(), Math.max(0, quietUntil - performance.now()));
    },
    flush,
  };
}
