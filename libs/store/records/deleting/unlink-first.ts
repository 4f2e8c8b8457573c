// The first steps of the deletion of records that many others link to (docs/decisions/0046): a few hundred holders of refs at a time are written without these, while the records
// are still there. What is left, and all else, is the one transaction of delete.ts, which finds little to hold then.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { RecordKey, keyTable } from '../record-key.ts';
import { blocksOf, holdersAtOnce } from '../visibility/in-steps.ts';
import { holdKeys, lookUpByKey } from '../writing/lock-order.ts';
import { lockRecord } from '../writing/write.ts';
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

/** What is deleted in steps: records of one repository, or global ones (null). */
export type DeletedInSteps = { readonly repoId: number | null; readonly records: readonly RecordKey[] };

const HolderRow = RecordKey.extend({ properties: column.texts });

/**
 * The holders of refs to records, themselves apart, in blocks in the order in which they are locked. None where they are few enough for one transaction, or where one of them forbids the deletion, which is to be refused then
 * before anything is written. NOTE: looked up one after the other, as in hasManyHolders.
 */
export async function holdersToUnlink(
  reader: Reader,
  { records }: DeletedInSteps,
  atOnce = holdersAtOnce,
): Promise<readonly (readonly RecordKey[])[]> {
  const holders = await reader.any(sql.type(HolderRow)`
    WITH given AS MATERIALIZED (SELECT * FROM ${keyTable(records)} AS u (kind, id))
    SELECT l.source_kind AS kind, l.source_id AS id, array_agg(DISTINCT l.property) AS properties FROM given u CROSS JOIN LATERAL (
      SELECT l.source_kind, l.source_id, l.property FROM link l WHERE l.target_kind = u.kind AND l.target_id = u.id AND l.mutual IS NULL OFFSET 0) AS l
    WHERE NOT EXISTS (SELECT FROM given g WHERE g.kind = l.source_kind AND g.id = l.source_id)
    GROUP BY 1, 2 ORDER BY 1, 2`);
  const forbids = ({ kind, properties }: z.infer<typeof HolderRow>): boolean =>
    properties.some((property) => typeof ruleFor(kindNamed(kind), property) === 'object');
  return holders.length <= atOnce || holders.some(forbids) ? [] : blocksOf(holders, atOnce);
}

/**
 * Says that the deletion is under way, before any ref is dropped; from here on nobody else deletes the records. Gives whether it is: where one of them cannot be deleted, or is not of the version `lockVersion`, the transaction that
 * deletes says so.
 */
export async function beginDeletion(
  tx: Transaction,
  id: number,
  { repoId, records }: DeletedInSteps,
  lockVersion: number | null,
  actor: string | null,
): Promise<boolean> {
  const targets = records.map((record) => ({ kind: kindNamed(record.kind), id: record.id }));
  if ((await lockTargets(tx, targets, repoId)).length > 0) return false;
  const [only] = targets;
  if (lockVersion !== null && only !== undefined) {
    const current = await lockRecord(tx, only.kind, only.id, repoId);
    if (current.lock_version !== lockVersion) return false;
  }
  await tx.run(sql`INSERT INTO deletion_begun (id, repo_id, actor) VALUES (${id}, ${repoId}, ${actor})`);
  await tx.run(
    sql`INSERT INTO deletion_begun_record (deletion_id, kind, id) SELECT ${id}::int, u.kind, u.id FROM ${keyTable(records)} AS u (kind, id)`,
  );
  return true;
}

/** The numbers of all deletions of records of a repository, or of global ones, that are under way in steps, the oldest first. */
export async function begunDeletions(reader: Reader, repoId: number | null): Promise<readonly number[]> {
  const rows = await reader.any(
    sql.type(IdRow)`SELECT id FROM deletion_begun WHERE repo_id IS NOT DISTINCT FROM ${repoId}::int ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

const BegunRow = RecordKey.extend({ repo_id: column.maybeInt, actor: column.maybeText });

/** What a deletion that is under way deletes, and for whom; null where it is no longer, or never was. */
export async function readBegunDeletion(
  reader: Reader,
  id: number,
): Promise<(DeletedInSteps & { readonly actor: string | null }) | null> {
  const rows = await reader.any(sql.type(BegunRow)`
    SELECT r.kind, r.id, b.repo_id, b.actor FROM deletion_begun b JOIN deletion_begun_record r ON r.deletion_id = b.id WHERE b.id = ${id} ORDER BY 1, 2`);
  const [first] = rows;
  return first === undefined
    ? null
    : { repoId: first.repo_id, actor: first.actor, records: rows.map((row) => ({ kind: row.kind, id: row.id })) };
}

const LinkRow = z.strictObject({
  kind: column.text,
  id: column.int,
  ordinal: column.int,
  property: column.text,
  target_kind: column.text,
  target_id: column.int,
  stored: column.text,
});

/**
 * Takes the refs to the records out of a block of holders, with the rows of links, and keeps both as they were. A holder that was saved since an earlier step with such a ref is kept as it is now. NOTE: `+ 0` keeps the
 * planner from looking through all links of a record, once for each holder.
 */
export async function unlinkBlock(
  tx: Transaction,
  id: number,
  { repoId, records }: DeletedInSteps,
  block: readonly RecordKey[],
  actor: string | null,
): Promise<void> {
  await holdKeys(tx, block, 'writes');
  await lookUpByKey(tx);
  const links = await tx.any(sql.type(LinkRow)`
    SELECT l.source_kind AS kind, l.source_id AS id, l.ordinal, l.property, l.target_kind, l.target_id, to_json(l)::text AS stored FROM ${keyTable(block)} AS u (kind, id)
    JOIN link l ON l.source_kind = u.kind AND l.source_id = u.id AND l.mutual IS NULL JOIN ${keyTable(records)} AS g (kind, id) ON g.kind = l.target_kind AND g.id = l.target_id + 0`);
  if (links.length === 0) return;
  const byHolder = Map.groupBy(links, (link) => `${link.kind} ${link.id}`);
  const before = await dropRefs(
    tx,
    [...byHolder.values()].flatMap((own) =>
      own.slice(0, 1).map(({ kind, id: holderId }) => ({ kind, id: holderId, links: own })),
    ),
    repoId,
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

/** Ends what the steps began, in the transaction that deletes the records, before it does. */
export async function endDeletion(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM deletion_begun WHERE id = ${id}`);
}
