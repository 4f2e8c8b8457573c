// The first steps of the deletion of a global record that many others link to (docs/decisions/0046): a few hundred holders of refs at a time are written without these, while the record
// is still there. What is left, and all else, is the one transaction of delete.ts, which finds little to hold then.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { RecordKey, keyTable } from '../record-key.ts';
import { blocksOf, holdersAtOnce } from '../visibility/in-steps.ts';
import { holdKeys, lookUpByKey } from '../writing/lock-order.ts';
import { lockRecord, staleToDelete } from '../writing/write.ts';
import { lockTargets } from './delete.ts';
import { dropRefs } from './detach.ts';
import { ruleFor } from './prune.ts';

/** Whether more records link to these than others shall wait for at once; no more of them are read. NOTE: looked up one after the other: of many keys, few of which any record links to, the planner would go through all links. */
export async function hasManyHolders(reader: Reader, records: readonly RecordKey[]): Promise<boolean> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT l.source_id AS id FROM ${keyTable(records)} AS u (kind, id) CROSS JOIN LATERAL (
      SELECT l.source_id FROM link l WHERE l.target_kind = u.kind AND l.target_id = u.id AND l.mutual IS NULL ORDER BY l.property LIMIT ${holdersAtOnce + 1}) AS l LIMIT ${holdersAtOnce + 1}`);
  return rows.length > holdersAtOnce;
}

const HolderRow = RecordKey.extend({ properties: column.texts });

/**
 * The holders of refs to a record, in blocks in the order in which they are locked. None where they are few enough for one transaction, or where one of them forbids the deletion, which is to be refused then
 * before anything is written.
 */
export async function holdersToUnlink(
  reader: Reader,
  record: RecordKey,
  atOnce = holdersAtOnce,
): Promise<readonly (readonly RecordKey[])[]> {
  const holders = await reader.any(sql.type(HolderRow)`
    SELECT l.source_kind AS kind, l.source_id AS id, array_agg(DISTINCT l.property) AS properties FROM link l
    WHERE l.target_kind = ${record.kind} AND l.target_id = ${record.id} AND l.mutual IS NULL AND NOT (l.source_kind = ${record.kind} AND l.source_id = ${record.id})
    GROUP BY 1, 2 ORDER BY 1, 2`);
  const forbids = ({ kind, properties }: z.infer<typeof HolderRow>): boolean =>
    properties.some((property) => typeof ruleFor(kindNamed(kind), property) === 'object');
  return holders.length <= atOnce || holders.some(forbids) ? [] : blocksOf(holders, atOnce);
}

/**
 * Says that the deletion is under way, before any ref is dropped: refuses it as deleteRecord does. From here on nobody else deletes the record. `lockVersion`: as of deleteRecord.
 */
export async function beginDeletion(
  tx: Transaction,
  id: number,
  record: RecordKey,
  lockVersion: number | null,
  actor: string | null,
): Promise<void> {
  const kind = kindNamed(record.kind);
  const [refusal] = await lockTargets(tx, [{ kind, id: record.id }], null);
  if (refusal !== undefined) throw refusal.failure;
  if (lockVersion !== null && (await lockRecord(tx, kind, record.id, null)).lock_version !== lockVersion)
    throw staleToDelete();
  await tx.run(
    sql`INSERT INTO deletion_begun (id, kind, record_id, actor) VALUES (${id}, ${record.kind}, ${record.id}, ${actor})`,
  );
}

/** The numbers of all deletions that are under way in steps, the oldest first. */
export async function begunDeletions(reader: Reader): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`SELECT id FROM deletion_begun ORDER BY id`);
  return rows.map(({ id }) => id);
}

const BegunRow = RecordKey.extend({ actor: column.maybeText });

/** The record of a deletion that is under way, and for whom it is; null where it is no longer, or never was. */
export async function readBegunDeletion(reader: Reader, id: number): Promise<z.infer<typeof BegunRow> | null> {
  return reader.maybeOne(sql.type(BegunRow)`SELECT kind, record_id AS id, actor FROM deletion_begun WHERE id = ${id}`);
}

const LinkRow = z.strictObject({
  kind: column.text,
  id: column.int,
  ordinal: column.int,
  property: column.text,
  stored: column.text,
});

/**
 * Takes the refs to the record out of a block of holders, with the rows of links, and keeps both as they were. A holder that was saved since an earlier step with such a ref is kept as it is now. NOTE: `+ 0` keeps the
 * planner from looking through all links of the record, once for each holder.
 */
export async function unlinkBlock(
  tx: Transaction,
  id: number,
  record: RecordKey,
  block: readonly RecordKey[],
  actor: string | null,
): Promise<void> {
  await holdKeys(tx, block, 'writes');
  await lookUpByKey(tx);
  const links = await tx.any(sql.type(LinkRow)`
    SELECT l.source_kind AS kind, l.source_id AS id, l.ordinal, l.property, to_json(l)::text AS stored FROM ${keyTable(block)} AS u (kind, id)
    JOIN link l ON l.source_kind = u.kind AND l.source_id = u.id AND l.mutual IS NULL AND l.target_kind = ${record.kind} AND l.target_id + 0 = ${record.id}`);
  if (links.length === 0) return;
  const byHolder = Map.groupBy(links, (link) => `${link.kind} ${link.id}`);
  const before = await dropRefs(
    tx,
    [...byHolder.values()].flatMap((own) => {
      const refs = own.map(({ property }) => ({ property, target_kind: record.kind, target_id: record.id }));
      return own.slice(0, 1).map(({ kind, id: holderId }) => ({ kind, id: holderId, links: refs }));
    }),
    null,
    actor,
  );
  const kept = before.map((row) => [
    row.kind,
    row.id,
    row.lock_version,
    row.body,
    `[${(byHolder.get(`${row.kind} ${row.id}`) ?? []).map(({ stored }) => stored).join(',')}]`,
  ]);
  await tx.run(sql`
    INSERT INTO deletion_unlinked (deletion_id, kind, id, lock_version, body, links)
    SELECT ${id}::int, u.kind, u.id, u.lock_version, u.body::json, u.links::json FROM ${sql.unnest(kept, ['text', 'int4', 'int4', 'text', 'text'])} AS u (kind, id, lock_version, body, links)
    ON CONFLICT (deletion_id, kind, id) DO UPDATE SET lock_version = excluded.lock_version, body = excluded.body, links = excluded.links`);
  await tx.run(sql`
    DELETE FROM link l USING ${sql.unnest(
      links.map(({ kind, id: holderId, ordinal }) => [kind, holderId, ordinal]),
      ['text', 'int4', 'int4'],
    )} AS u (kind, id, ordinal) WHERE l.source_kind = u.kind AND l.source_id = u.id AND l.ordinal = u.ordinal`);
  tx.changed();
}

/** Ends what the steps began, in the transaction that deletes the record, before it does. */
export async function endDeletion(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM deletion_begun WHERE id = ${id}`);
}
