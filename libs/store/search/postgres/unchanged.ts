// Documents that the index holds already, just as they would be written: what a nightly reindexing finds of most records, and what many changes of
// linked records come to. They are not written again, which is most of what indexing costs.
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { keyOf, keyOfHead, storedDigest } from './keys.ts';
import { RecordKey, keyTable } from '../../records/record-key.ts';

const UnchangedRow = RecordKey.extend({ digests: column.texts });

/**
 * The keys of those records all of whose documents are there as they are in `heads`, and no others. To be asked after the records were read, by
 * a transaction that has taken them off a lane.
 *
 * No row is held, and none is given the number of the change up to which its record was read now. So a batch that read the record before this
 * one did, and is still to write, would not be held back. It can be told: what it took off the other lane is to be seen there until it commits.
 * Such records are left out, as are those that merely wait there. Both are looked for in the snapshot that shows the documents, so that a batch
 * which has committed in between has written what is compared. One that takes the record later reads it later.
 *
 * While a rebuild is under way none is unchanged: a row that stays would seem older than what was read for it (rebuild.ts).
 */
export async function readUnchanged(
  tx: Transaction,
  records: readonly RecordKey[],
  heads: PackedDocuments['heads'],
  edition: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx.any(sql.type(UnchangedRow)`
    SELECT r.kind, r.id, ARRAY(SELECT d.id || ' ' || d.audience || ' ' || d.digest FROM search_doc d WHERE d.kind = r.kind AND d.record_id = r.id) AS digests
    FROM ${keyTable(records)} AS r (kind, id)
    WHERE NOT EXISTS (SELECT FROM reindex_due u WHERE u.lane IN (0, 1) AND u.kind = r.kind AND u.id = r.id) AND NOT EXISTS (SELECT FROM search_build)`);
  const wanted = Map.groupBy(heads, keyOfHead);
  return new Set(
    rows
      .filter((row) =>
        isSame(
          row.digests,
          (wanted.get(keyOf(row)) ?? []).map((head) => `${head.id} ${head.audience} ${storedDigest(head, edition)}`),
        ),
      )
      .map(keyOf),
  );
}

/** Whether two lists have the same texts; nothing is the same as nothing else, so that records without documents are always looked at. */
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((text) => b.includes(text));
