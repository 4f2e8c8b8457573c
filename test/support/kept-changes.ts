// Changes of a database that works make, one work after another, as they are kept below test/fixtures/changes.
import { Failure } from '#domain/errors.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { changedRows } from './changed-rows.ts';
import { expectKept, keptText } from './kept.ts';

/** What is done to the database; it is taken back. */
export type Work = (tx: Transaction) => Promise<unknown>;

/** Compares the changes of each work, or the words of its refusal, with those that are kept by this name. */
export async function expectChanges(
  database: Database,
  works: { readonly [name: string]: Work },
  name: string,
): Promise<void> {
  const outcomes: { [name: string]: unknown } = {};
  for (const [what, work] of Object.entries(works))
    outcomes[what] = await changedRows(database, work).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return { refused: error.code, error: error.error, ...error.extra };
    });
  await expectKept(keptText(outcomes, 5), `changes/${name}.json`);
}
