// The order in which clients are told of what standards declare: types of imports, prefixes for harvesters.

/** What is on offer by a name; `place` is the contract's, from 1. */
export type Offered = { readonly name: string; readonly place?: number | undefined };

/** Compares for sorting: the contract's in its order, then additions by name. */
export function compareOffers(a: Offered, b: Offered): number {
  const [place, otherPlace] = [a.place ?? Infinity, b.place ?? Infinity];
  if (place === otherPlace) return a.name < b.name ? -1 : 1;
  return place - otherPlace;
}
