// A transaction in which somebody else gets a word in: for what comes between two of its statements.
import type { Transaction } from '#store/connection/database.ts';
import { outside } from '#test/support/outside.ts';

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
