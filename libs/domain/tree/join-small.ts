// Which buckets of a list go together when some of them have become small (decision 0006).
import type { TreeLimits } from './limits.ts';

/**
 * The neighbours that are to become one bucket, of the buckets of a list in order: afterwards none that holds less than `min` would fit together with a neighbour into `target`.
 * Goes through the list once; buckets that stay as they are are in no group.
 */
export function joinSmall<Bucket extends { readonly n: number }>(
  buckets: readonly Bucket[],
  { min, target }: Pick<TreeLimits, 'min' | 'target'>,
): readonly (readonly Bucket[])[] {
  const groups: { readonly members: Bucket[]; n: number }[] = [];
  for (const bucket of buckets) {
    const last = groups.at(-1);
    if (last !== undefined && last.n + bucket.n <= target && (last.n < min || bucket.n < min)) {
      last.members.push(bucket);
      last.n += bucket.n;
    } else groups.push({ members: [bucket], n: bucket.n });
  }
  return groups.map(({ members }) => members).filter((members) => members.length > 1);
}
