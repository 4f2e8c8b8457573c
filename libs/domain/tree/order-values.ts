// Numbers that put things between others: the order of nodes in a bucket and of buckets in a list.
// And the even cut of a list into buckets.

/** The distance to keep where there is room, and the largest absolute value. */
export type OrderSpace = { readonly step: number; readonly bound: number };

/**
 * `count` ascending integers strictly between `before` and `after` (null: open on that side), spread evenly; null where
 * there is no room, so that the neighbours must be renumbered first.
 */
export function spreadBetween(
  before: number | null,
  after: number | null,
  count: number,
  space: OrderSpace,
): readonly number[] | null {
  if (before !== null && after !== null) {
    if (after - before <= count) return null;
    const stride = (after - before) / (count + 1);
    return Array.from({ length: count }, (_, i) => before + Math.floor(stride * (i + 1)));
  }
  const first = after !== null ? after - space.step * count : (before ?? 0) + space.step;
  const last = first + space.step * (count - 1);
  if (first < -space.bound || last > space.bound) return null;
  return Array.from({ length: count }, (_, i) => first + space.step * i);
}

/** Cuts a list into the fewest parts of about `target`, whose lengths differ by at most one. An empty list gives no part. */
export function cutEvenly<T>(list: readonly T[], target: number): readonly (readonly T[])[] {
  const parts = Math.ceil(list.length / target);
  return Array.from({ length: parts }, (_, i) =>
    list.slice(Math.floor((i * list.length) / parts), Math.floor(((i + 1) * list.length) / parts)),
  );
}
