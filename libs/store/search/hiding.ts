// What those say who tell searches by themselves, as sets, what they hide and show, in place of the triggers of single records and nodes (docs/decisions/0036, 0037).
import type { Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/**
 * Says that from here on the transaction tells by itself what it hides and shows, or that the triggers do again. Who says so writes to search_hidden
 * what they would have, or knows that it is there.
 */
export async function tellByItself(tx: Transaction, byItself: boolean): Promise<void> {
  await tx.run(sql`SELECT WHERE ${tellsByItself(byItself)}`);
}

/** The same as a condition, always true, of a statement that has something else to say. */
export const tellsByItself = (byItself: boolean): Fragment =>
  sql.fragment`set_config('muniment.tells_by_itself', ${byItself ? 'on' : 'off'}, true) IS NOT NULL`;

/** Notes that the transaction has hidden something: what was counted before is not to be shown after it. */
export async function noteHiding(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT ${notesHiding}`);
}

/** The same as the FROM of a statement of one row that has something else to say. */
export const notesHiding = sql.fragment`FROM search_hide_note()`;

/** Looks through what the transaction has hidden up to now, as its end would: what is used by nothing else is hidden with it. What is hidden later, and noted, is looked through by itself. */
export async function spreadHiding(tx: Transaction): Promise<void> {
  await tx.run(sql`SET CONSTRAINTS search_hide_spread IMMEDIATE`);
  await tx.run(sql`SET CONSTRAINTS search_hide_spread DEFERRED`);
}
