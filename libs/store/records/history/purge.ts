// Erasing what a record was: its revisions, and what merges kept of it. Once for a record, on demand (personal data that must go); and by age,
// for all records of an installation that says so. The record as it is now stays.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import { escapeLike } from '#domain/search/query/words.ts';
import type { Database, Transaction } from '../../connection/database.ts';
import { column, CountRow, NumberRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { dropOldParts } from './parts.ts';
import { keyTable } from '../record-key.ts';

/** What was erased: revisions, undos of merges, and settled deliveries of webhooks that named the record. */
export type Purged = { readonly revisions: number; readonly merges: number; readonly deliveries: number };

/** The record and those that were merged into it, whose content it has. */
const FamilyRow = z.strictObject({ kind: column.text, id: column.int, uri: column.text });

/**
 * Erases the history of a record, there or deleted, and of the records that were merged into it: revisions, and what undoing those merges, and
 * every other that kept something of them, would need. A deleted record cannot be brought back afterwards. Fails with `not_found` where the
 * repository has neither the record nor a revision of it.
 */
export async function purgeHistory(tx: Transaction, kind: Kind, id: number, repoId: number | null): Promise<Purged> {
  // Nobody brings it back, or saves it, while it is purged.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext(${`undelete ${kind.name}`}), ${id})`);
  await tx.run(sql`SELECT FROM record WHERE kind = ${kind.name} AND id = ${id} FOR NO KEY UPDATE`);
  const { count } = await tx.one(sql.type(CountRow)`
    SELECT (SELECT count(*) FROM record WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int)
      + (SELECT count(*) FROM (SELECT FROM revision WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int LIMIT 1) AS one) AS count`);
  if (count === 0) throw fail('not_found', `${kind.model} not found`);
  const family = await tx.any(sql.type(FamilyRow)`
    WITH RECURSIVE family AS (
      SELECT ${kind.name}::text AS kind, ${id}::int AS id, ${repoId}::int AS repo_id
      UNION SELECT g.kind, g.id, g.repo_id FROM family f JOIN merge m ON m.survivor_kind = f.kind AND m.survivor_id = f.id AND m.undone_at IS NULL JOIN merge_gone g ON g.merge_id = m.id)
    SELECT kind, id, record_uri(kind, id, repo_id) AS uri FROM family ORDER BY kind, id`);
  const members = keyTable(family);
  await tx.run(sql`
    INSERT INTO history_purge (kind, id, lock_version) SELECT r.kind, r.id, r.lock_version FROM record r JOIN ${members} AS f (kind, id) ON r.kind = f.kind AND r.id = f.id
    ON CONFLICT (kind, id) DO UPDATE SET lock_version = excluded.lock_version, at = now()`);
  const revisions = await tx.run(
    sql`DELETE FROM revision v USING ${members} AS f (kind, id) WHERE v.kind = f.kind AND v.id = f.id`,
  );
  const merges = await tx.any(sql.type(NumberRow)`
    SELECT m.id AS n FROM merge m WHERE m.purged_at IS NULL AND EXISTS (SELECT FROM ${members} AS f (kind, id) WHERE (f.kind = m.survivor_kind AND f.id = m.survivor_id)
      OR EXISTS (SELECT FROM merge_gone g WHERE g.merge_id = m.id AND g.kind = f.kind AND g.id = f.id)
      OR EXISTS (SELECT FROM merge_body b WHERE b.merge_id = m.id AND b.kind = f.kind AND b.id = f.id)) ORDER BY m.id FOR UPDATE OF m`);
  await forgetMerges(
    tx,
    merges.map(({ n }) => n),
  );
  const uris = sql.array(
    family.map(({ uri }) => uri),
    'text',
  );
  const named = sql.array(
    family.map(({ uri }) => `%"${escapeLike(uri)}"%`),
    'text',
  );
  // What is still to be sent goes out: it tells no content, and its receivers count on it. No index knows whom a delivery names, so all are looked at while
  // the record is held: their texts, since parsing each took six times as long, and past some ten million deliveries longer than a statement may.
  const deliveries = await tx.run(sql`
    DELETE FROM webhook_delivery d WHERE d.status <> 'pending' AND CASE WHEN d.body LIKE ANY(${named})
      THEN EXISTS (SELECT FROM json_array_elements_text(d.body::json -> 'uris') AS u (uri) WHERE u.uri = ANY(${uris})) ELSE false END`);
  return { revisions, merges: merges.length, deliveries };
}

/** Erases what undoing merges would need. That they were, and where old addresses lead, stays. */
async function forgetMerges(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const these = sql.fragment`merge_id = ANY(${sql.array([...ids], 'int4')})`;
  await tx.run(sql`DELETE FROM merge_body WHERE ${these}`);
  await tx.run(sql`DELETE FROM merge_link WHERE ${these}`);
  await tx.run(sql`DELETE FROM merge_key WHERE ${these}`);
  await tx.run(
    sql`UPDATE merge_gone SET body = '{}', label = '', created_by = NULL, last_modified_by = NULL WHERE ${these}`,
  );
  await tx.run(sql`UPDATE merge SET purged_at = now() WHERE id = ANY(${sql.array([...ids], 'int4')})`);
}

const atOnce = 10_000;

/** What the age of histories took away: revisions one by one, and whole parts of their table, in which nothing younger was. */
export type Pruned = { readonly revisions: number; readonly parts: number };

/** Removes revisions that were replaced more than this many days ago, and the undos of merges as old; 0 days: none. */
export async function pruneHistory(database: Database, days: number): Promise<Pruned> {
  if (days === 0) return { revisions: 0, parts: 0 };
  const old = sql.fragment`now() - ${days} * interval '1 day'`;
  // Before anything is missing: the check of the data asks it.
  await database.transaction(async (tx) =>
    tx.run(sql`
      INSERT INTO history_horizon AS h (before) VALUES (${old}) ON CONFLICT (one) DO UPDATE SET before = greatest(h.before, excluded.before)`),
  );
  const parts = await dropOldParts(database, old);
  await forgetOldMerges(database, old);
  for (let revisions = 0; ;) {
    const count = await database.transaction(async (tx) => removeOldest(tx, old));
    revisions += count;
    if (count < atOnce) return { revisions, parts };
  }
}

const mergesAtOnce = 1000;

async function forgetOldMerges(database: Database, old: Fragment): Promise<void> {
  for (let count = mergesAtOnce; count === mergesAtOnce;)
    count = await database.transaction(async (tx) => {
      const merges = await tx.any(sql.type(NumberRow)`
        SELECT id AS n FROM merge WHERE purged_at IS NULL AND at < ${old} ORDER BY id LIMIT ${mergesAtOnce} FOR UPDATE SKIP LOCKED`);
      await forgetMerges(
        tx,
        merges.map(({ n }) => n),
      );
      return merges.length;
    });
}

/** Told by their key, as other rows take the places of removed ones. The oldest come first by the index on `at`. */
const removeOldest = async (tx: Transaction, old: Fragment): Promise<number> =>
  tx.run(sql`
    DELETE FROM revision v USING (SELECT kind, id, n FROM revision WHERE at < ${old} LIMIT ${atOnce}) AS o WHERE v.kind = o.kind AND v.id = o.id AND v.n = o.n`);
