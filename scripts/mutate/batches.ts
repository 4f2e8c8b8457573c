// Mutants that are type-checked together: at most one of each file, so that each file with a fault belongs to one of them.

/** The first `size` of what waits that are of different files, and the rest, in the order given. */
export function nextBatch<T extends { readonly path: string }>(
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
