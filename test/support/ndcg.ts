// How good an order is: the discounted gain of the first ten, as a share of the best order's.

/** nDCG@10 of names in the order found; names without a grade gain nothing. */
export function ndcg(found: readonly string[], grades: { readonly [name: string]: number }): number {
  const sum = (list: readonly number[]): number =>
    list.slice(0, 10).reduce((total, grade, rank) => total + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  return sum(found.map((name) => grades[name] ?? 0)) / sum(Object.values(grades).sort((a, b) => b - a));
}
