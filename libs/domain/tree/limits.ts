// Sizes of the buckets in which ordered children are kept, and the distances between order numbers (decision 0006).
// Tests inject tiny values so that every rewriting path is taken; a database may be written with different values over time.

/** How large buckets grow and how far apart order numbers are laid. All numbers stay within ±`bound`, so they are exact in JavaScript. */
export type TreeLimits = {
  /** Most nodes in a bucket. */
  readonly max: number;
  /** Nodes a bucket gets when many are laid out at once. */
  readonly target: number;
  /** A bucket that shrinks below this is merged with a neighbour where both together stay within `target`. */
  readonly min: number;
  /** Distance between neighbours in a freshly written bucket. */
  readonly ordStep: number;
  /** Distance between freshly written bucket keys. */
  readonly keyStep: number;
  readonly bound: number;
};

/** The limits of the service: 512 rows a bucket keep both the walk over buckets and the walk within one short. */
export const treeLimits: TreeLimits = {
  max: 512,
  target: 384,
  min: 64,
  ordStep: 2 ** 40,
  keyStep: 2 ** 32,
  bound: 2 ** 52,
};
