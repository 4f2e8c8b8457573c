// Search shows a suppression at once: the flag of the documents is set in the transaction that suppresses the records, and the indexer
// makes them anew soon after, whatever it wrote of them before (the digest goes). Unsuppressed records come back with the indexer alone, which knows what else hides them.
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';

/** Hides the documents of records that are suppressed now. Does nothing where they are shown again. */
export async function hideDocuments(
  tx: Transaction,
  kind: string,
  ids: readonly number[],
  suppressed: boolean,
): Promise<void> {
  if (!suppressed) return;
  // What a batch of the indexer holds at this moment is left to the indexer, which comes again: so nobody waits for anybody.
  await tx.run(sql`
    WITH held AS (SELECT d.no FROM unnest(${sql.array([...ids], 'int4')}) AS u (id) JOIN search_doc d ON d.kind = ${kind} AND d.record_id = u.id AND NOT d.suppressed FOR NO KEY UPDATE OF d SKIP LOCKED)
    UPDATE search_doc d SET suppressed = true, published = false, digest = '' FROM held WHERE d.no = held.no`);
}
