// What others do beside a transaction, begun at its statements in turn: who waits, and whether somebody waits in a circle.
import { expect } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { counting } from './count-statements.ts';
import { doneOrWaiting } from './lock-waits.ts';
import { amount } from './long.ts';
import { outside } from './outside.ts';

/** The transaction, with `work` begun before its statement `nth`, and that far that it is done or waits for a lock; what is sent with others begins before all of them. */
export function interrupted(
  database: Database,
  tx: Transaction,
  nth: number,
  work: () => Promise<unknown>,
): { readonly tx: Transaction; readonly count: () => number } {
  let isBegun = false;
  const counted = counting(tx);
  const begin = async (): Promise<void> => {
    if (isBegun || counted.count() < nth) return;
    isBegun = true;
    await doneOrWaiting(database, outside(work));
  };
  let isTogether = false;
  const behind = <F extends (...given: never[]) => Promise<unknown>>(run: F): F =>
    ((...given: never[]) => (isTogether ? run(...given) : begin().then(() => run(...given)))) as F;
  const behindAll: Transaction = {
    ...counted.tx,
    any: behind(counted.tx.any),
    maybeOne: behind(counted.tx.maybeOne),
    one: behind(counted.tx.one),
    run: behind(counted.tx.run),
    together: async (works) => {
      await begin();
      return counted.tx.together(() => {
        isTogether = true;
        try {
          return works();
        } finally {
          isTogether = false;
        }
      });
    },
  };
  return { tx: behindAll, count: counted.count };
}

/** Whether the transaction had such a statement, and whether what was begun at it was done before the end. */
export type Outcome = { readonly isReached: boolean; readonly isDoneBefore: boolean };

/** Runs a transaction, at the first try, with `work` begun at its statement `nth`; gives whether that was done before the end, and whether there was such a statement. */
export async function beginAt(
  database: Database,
  nth: number,
  run: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<Outcome> {
  const begun: Promise<unknown>[] = [];
  let isDone = false;
  let tries = 0;
  const isDoneBefore = await database.transaction(async (tx) => {
    tries += 1;
    await run(
      interrupted(database, tx, nth, () => {
        const running = work().then(() => (isDone = true));
        begun.push(running);
        return running;
      }).tx,
    );
    return isDone;
  });
  await Promise.all(begun);
  // Neither waited for the other in a circle.
  expect(tries).toBe(1);
  return { isReached: begun.length > 0, isDoneBefore };
}

/** Does it for the statements of a transaction in turn, each eighth or as many as are said, in a long run for each; fails where they are `few`. */
export async function atEachStatement(
  atOne: (nth: number) => Promise<{ readonly isReached: boolean }>,
  { every = 8, few = 20 }: { readonly every?: number; readonly few?: number } = {},
): Promise<void> {
  let nth = 0;
  while ((await atOne(nth)).isReached) nth += amount(every, 1);
  expect(nth).toBeGreaterThan(few);
}

/** Two transactions over common records; `check` looks at what came of them. */
export type Pair = {
  readonly one: (tx: Transaction) => Promise<unknown>;
  readonly other: (tx: Transaction) => Promise<unknown>;
  readonly check?: () => Promise<void>;
};

/** Runs a transaction that ends at its first try; gives why it was refused, where it was. Anything but a refusal fails. */
export async function triedOnce(
  database: Database,
  run: (tx: Transaction) => Promise<unknown>,
  within: (run: (tx: Transaction) => Promise<unknown>) => Promise<unknown> = (work) => database.transaction(work),
): Promise<void> {
  let tries = 0;
  const error = await within((tx) => {
    tries += 1;
    return run(tx);
  }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(tries).toBe(1);
  if (error !== null && !(error instanceof Failure && error.status < 500)) throw error;
}

/** Begins each of two short transactions, made anew every time, at statements of the other in turn, each third or as many as are said, in a long run at each: both are done, or refused, at the first try. */
export async function besideEachOther(
  database: Database,
  make: () => Promise<Pair>,
  { every = 3 }: { readonly every?: number } = {},
): Promise<void> {
  for (const isTurned of [false, true]) {
    let isReached = true;
    for (let nth = 1; isReached; nth += amount(every, 1)) {
      const { one, other, check } = await make();
      const [first, second] = isTurned ? [other, one] : [one, other];
      isReached = false;
      let beside = Promise.resolve();
      await triedOnce(database, first, (run) =>
        beginAt(database, nth, run, () => {
          isReached = true;
          return (beside = triedOnce(database, second));
        }),
      );
      await beside;
      await check?.();
    }
  }
}
