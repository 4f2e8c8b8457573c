// Work on a database that other tests of the file find as it was.
import type { Database, Transaction } from '#store/connection/database.ts';

class Undone extends Error {}
/** Work in a transaction that is taken back. */
export async function undone<Result>(database: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await database
    .transaction(async (tx) => {
      results.push(await work(tx));
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  const [result] = results;
  if (result === undefined) throw new Error('nothing came of it');
  return result;
}
