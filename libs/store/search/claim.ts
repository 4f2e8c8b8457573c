// Taking records off the lanes of what is still to be indexed (pending.ts), so that of a record no two batches write the first documents
// (docs/decisions/0009, 3).
import type { z } from 'zod';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';
import type { Lane } from './pending.ts';

/** A record taken, with its place in the lane. */
const PendingRecord = RecordKey.extend({ n: column.int });
type PendingRecord = z.infer<typeof PendingRecord>;

/**
 * Takes records off a lane for the transaction: delete first, then read and index, then commit. `after` is the last place this
 * worker took, so that it does not walk over rows that are gone; where nothing is left behind it, begin anew with 0.
 *
 * Batches that have the same record hold its documents one after the other (holdDocuments); where the index has none of it yet there is nothing
 * to hold, and what one read before a change would stay beside what the other read after it. In one lane a record stands once, until the batch that has it
 * commits. So lane 1 leaves what is new to the index to lane 0 where it stands there too, and lane 0 takes it off both: it waits for a batch of lane 1 that has it.
 */
export async function claimPending(
  tx: Transaction,
  lane: Lane,
  limit: number,
  after: number,
): Promise<readonly PendingRecord[]> {
  // What a crash of the database takes back is pending again, so that no batch need wait for the disk.
  await tx.run(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true), set_config('synchronous_commit', 'off', true)`,
  );
  const taken = await tx.any(sql.type(PendingRecord)`
    DELETE FROM reindex_due WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM reindex_due u WHERE lane = ${lane} AND n > ${after} ${lane === 1 ? leftToLane0 : sql.fragment``} ORDER BY lane, n LIMIT ${limit} FOR UPDATE SKIP LOCKED)) RETURNING kind, id, n`);
  if (lane === 0 && taken.length > 0)
    await tx.run(sql`
      DELETE FROM reindex_due WHERE ctid = ANY(ARRAY(
        SELECT u.ctid FROM ${keyTable(taken)} AS k (kind, id) CROSS JOIN LATERAL (SELECT ctid, d.kind, d.id FROM reindex_due d WHERE d.lane = 1 AND d.kind = k.kind AND d.id = k.id OFFSET 0) AS u WHERE ${isNew}))`);
  return taken;
}

// Looked up for each row by itself: a join would be planned by what the statistics say of lanes that fill and empty all the time.
const isNew: Fragment = sql.fragment`(SELECT 1 FROM search_doc s WHERE s.kind = u.kind AND s.record_id = u.id LIMIT 1) IS NULL`;
const leftToLane0: Fragment = sql.fragment`AND CASE WHEN (SELECT 1 FROM reindex_due o WHERE o.lane = 0 AND o.kind = u.kind AND o.id = u.id LIMIT 1) IS NULL THEN true ELSE NOT ${isNew} END`;
