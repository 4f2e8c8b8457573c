// A table of temporary uris that grows while it is filled: by its one writer, before others read it.
import type { SharedUriTable, UriTable } from './uri-table.ts';
import { growUriTable, hasRoomFor, makeUriTable, openUriTable } from './uri-table.ts';

/** The table as its writer sees it. */
export type GrowingUriTable = UriTable & {
  /** The table as it is now, for threads; no longer this one once it has grown. */
  readonly shared: SharedUriTable;
  /** Makes room for so many uris more; `expected`: how many there seem to be in the end, so that it need not grow often. */
  reserve(count: number, expected?: (entries: number) => number | null): void;
};

const first = 4096;
// What is expected comes from the beginning of a file, which may be unlike the rest of it: by no more than this is believed at once.
const mostAtOnce = 8;
const leastAtOnce = 1.25;
const unknownGrowth = 2;
const spare = 1.05;

/** Makes an empty one. */
export function makeGrowingUriTable(): GrowingUriTable {
  let shared = makeUriTable(first);
  let open = openUriTable(shared);
  let entries = 0;
  const counted = (isNew: boolean): boolean => {
    if (isNew) entries += 1;
    return isNew;
  };
  return {
    get shared() {
      return shared;
    },
    get: (uri) => open.get(uri),
    reserve: (count, expected) => {
      const needed = entries + count;
      if (hasRoomFor(shared, needed)) return;
      const wanted = expected?.(needed) ?? null;
      const growth =
        wanted === null ? unknownGrowth : Math.min(mostAtOnce, Math.max(leastAtOnce, (wanted / needed) * spare));
      shared = growUriTable(shared, Math.ceil(needed * growth));
      open = openUriTable(shared);
    },
    add: (uri, target) => counted(open.add(uri, target)),
    addHashed: (hashes, at, target) => counted(open.addHashed(hashes, at, target)),
  };
}
