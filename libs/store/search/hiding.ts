// What those say who tell searches by themselves, as sets, what they hide and show, in place of the triggers of single records and nodes (docs/decisions/0036, 0037).
import type { Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/**
 * Says that from here on the transaction tells by itself what it hides and shows, or that the triggers do again. Who says so writes to search_hidden
 * what they would have, or knows that it is there.
 */
export async function tellByItself(tx: Transaction, byItself: boolean): Promise<void> {
  await tx.run(sql`SELECT set_config('muniment.tells_by_itself', ${byItself ? 'on' : 'off'}, true)`);
}

/** Notes that the transaction has hidden something: what was counted before is not to be shown after it. */
export async function noteHiding(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT search_hide_note()`);
}
