// Mutants that are type-checked together: at most one of each file, so that each file with a fault belongs to one of them.

/** The first `size` of what waits that are of different files, and the rest, in the order given. */
function nextBatch<T extends { readonly path: string }>(
  waiting: readonly T[],
  size: number,
): { readonly batch: readonly T[]; readonly rest: readonly T[] } {
  const batch = new Map<string, T>();
  const rest = waiting.filter((mutant) => {
    if (batch.size >= size || batch.has(mutant.path)) return true;
    batch.set(mutant.path, mutant);
    return false;
  });
  return { batch: [...batch.values()], rest };
}

/** What was drawn, and whether it type-checks. */
export type Checked<T> = { readonly mutant: T; readonly isSound: boolean };

/** All that waits, batch by batch, each checked when its first one is asked for. `faultyAmong` gives the paths that do not type-check. */
export function* checkedInBatches<T extends { readonly path: string }>(
  all: readonly T[],
  size: number,
  faultyAmong: (batch: readonly T[]) => readonly string[],
): Generator<Checked<T>, void> {
  let waiting = all;
  while (waiting.length > 0) {
    const { batch, rest } = nextBatch(waiting, size);
    waiting = rest;
    const faulty = new Set(faultyAmong(batch));
    for (const mutant of batch) yield { mutant, isSound: !faulty.has(mutant.path) };
  }
}
