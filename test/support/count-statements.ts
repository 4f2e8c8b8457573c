// Counting statements of a transaction, for work that must take as many for ten records as for ten thousand.
import type { Transaction } from '#store/connection/database.ts';

/** A transaction that counts, and how many statements went through it. */
export function counting(tx: Transaction): { readonly tx: Transaction; readonly count: () => number } {
  let count = 0;
  // Called as what it stands for, so it has that type.
  const counted = <F extends (...given: never[]) => unknown>(run: F): F =>
    ((...given: never[]) => {
      count += 1;
      return run(...given);
    }) as F;
  return {
    tx: {
      ...tx,
      any: counted(tx.any),
      maybeOne: counted(tx.maybeOne),
      one: counted(tx.one),
      run: counted(tx.run),
      named: counted(tx.named),
      byId: counted(tx.byId),
    },
    count: () => count,
  };
}
