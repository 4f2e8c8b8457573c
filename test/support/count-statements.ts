// Counting statements of a transaction, for work that must take as many for ten records as for ten thousand.
import type { Transaction } from '#store/connection/database.ts';

/** A transaction that counts: how many statements went through it, and how often the database waited for one; those that are sent together come in one turn. */
export function counting(tx: Transaction): {
  readonly tx: Transaction;
  readonly count: () => number;
  readonly turns: () => number;
} {
  let count = 0;
  let turns = 0;
  let isTogether = false;
  // Called as what it stands for, so it has that type.
  const counted = <F extends (...given: never[]) => unknown>(run: F): F =>
    ((...given: never[]) => {
      count += 1;
      if (!isTogether) turns += 1;
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
      together: (works) =>
        tx.together(() => {
          const isWithin = isTogether;
          if (!isWithin) turns += 1;
          isTogether = true;
          try {
            return works();
          } finally {
            isTogether = isWithin;
          }
        }),
    },
    count: () => count,
    turns: () => turns,
  };
}
