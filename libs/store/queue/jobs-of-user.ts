// Jobs of a user whose name changes, or who goes. A job has its owner by name, and runs with what the owner may do then.
import type { Transaction } from '../connection/database.ts';
import { IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { cancelJob } from './mailbox.ts';

/** Gives the jobs of a user to a name: the user's new one. */
export async function renameJobsOf(tx: Transaction, username: string, name: string): Promise<void> {
  if (username !== name) await tx.run(sql`UPDATE job SET owner = ${name} WHERE owner = ${username}`);
}

/**
 * Leaves the jobs of a user who goes to somebody else, with their files and logs. What the user asked for and has not begun ends instead: it would be done with
 * what the other may do.
 */
export async function leaveJobsOf(tx: Transaction, username: string, heir: string): Promise<void> {
  const waiting = await tx.any(
    sql.type(IdRow)`SELECT id FROM job WHERE owner = ${username} AND visible AND status = 'queued' AND run = 0`,
  );
  for (const { id } of waiting) await cancelJob(tx, id);
  await renameJobsOf(tx, username, heir);
}
