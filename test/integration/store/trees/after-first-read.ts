// A transaction in which somebody else gets a word in: for what comes between two of its statements.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from '#store/connection/database.ts';

// Outside the rule that transactions do not nest.
const outside = AsyncLocalStorage.snapshot();

/** The transaction, whose first statement that reads rows is followed by work of others. */
export function afterFirstRead(tx: Transaction, work: () => Promise<unknown>): Transaction {
  let isFirst = true;
  const any: Transaction['any'] = async (query) => {
    const rows = await tx.any(query);
    if (isFirst) {
      isFirst = false;
      await outside(work);
    }
    return rows;
  };
  return { ...tx, any };
}
