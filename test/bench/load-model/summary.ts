// What many numbers say together, measured and simulated ones alike.

/** Numbers in short; NaN where there are none. */
export type Summary = {
  readonly count: number;
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
};

/** Sums numbers up; percentiles are those numbers below which so many of them are. */
export function summaryOf(values: readonly number[]): Summary {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    median: at(0.5),
    p95: at(0.95),
    max: at(1),
  };
}
