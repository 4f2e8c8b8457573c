// The link rows of a merge: kept as they were, then led to the survivor, doubles dropped (contract 5.6, trees-and-jobs 4.3). A fixed number
// of statements, however many links there are.
import type { MergeRecords } from '#domain/merges/merges.ts';
import { relatorPairs } from '#domain/rules/relators.ts';
import type { Transaction } from '../connection/database.ts';
import { touchIn } from '../records/writing/touch.ts';
import { sql } from '../connection/sql.ts';
import { goneRows } from './check.ts';

/** Keeps all links to and from the records that go. Body links to them are to stay where they are; where all others go is said below. */
export async function keepLinks(tx: Transaction, mergeId: number, { gone }: MergeRecords): Promise<void> {
  await tx.run(sql`
    INSERT INTO merge_link (merge_id, part, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal, now_ordinal)
    SELECT ${mergeId}::int, 'out', l.source_kind, l.source_id, l.ordinal, l.property, l.target_kind, l.target_id, l.repo_id, l.role, l.mutual, l.ref, l.target_ordinal, NULL
      FROM ${goneRows(gone)} JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id
    UNION ALL
    SELECT ${mergeId}::int, 'in', l.source_kind, l.source_id, l.ordinal, l.property, l.target_kind, l.target_id, l.repo_id, l.role, l.mutual, l.ref, l.target_ordinal, CASE WHEN l.mutual IS NULL THEN l.ordinal END
      FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id
      WHERE NOT EXISTS (SELECT FROM ${goneRows(gone)} WHERE g.kind = l.source_kind AND g.id = l.source_id)`);
}

/**
 * Says of the links that both sides write where each comes to lie: those with the survivor or among themselves go, and of several with the
 * same other record, role and type one stays, the survivor's own first.
 */
export async function placeMutualLinks(
  tx: Transaction,
  mergeId: number,
  { survivor, gone }: MergeRecords,
): Promise<void> {
  // The role as it is read from the survivor's side: "parent of" written there is "child of" written here.
  const opposites = sql.unnest(
    relatorPairs.map((pair) => [...pair]),
    ['text', 'text'],
  );
  await tx.run(sql`
    WITH meant AS (
      SELECT m.source_kind, m.source_id, m.ordinal, m.mutual, m.role, m.ref->>'jsonmodel_type' AS type, m.part = 'out' AS near, true AS moves,
        CASE WHEN m.part = 'out' THEN m.target_kind ELSE m.source_kind END AS other_kind, CASE WHEN m.part = 'out' THEN m.target_id ELSE m.source_id END AS other_id
      FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.mutual IS NOT NULL
      UNION ALL SELECT l.source_kind, l.source_id, l.ordinal, l.mutual, l.role, l.ref->>'jsonmodel_type', true, false, l.target_kind, l.target_id
        FROM link l WHERE l.source_kind = ${survivor.kind} AND l.source_id = ${survivor.id} AND l.mutual IS NOT NULL
      UNION ALL SELECT l.source_kind, l.source_id, l.ordinal, l.mutual, l.role, l.ref->>'jsonmodel_type', false, false, l.source_kind, l.source_id
        FROM link l WHERE l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id} AND l.mutual IS NOT NULL
    ), ranked AS (
      SELECT t.*, (t.other_kind = ${survivor.kind} AND t.other_id = ${survivor.id}) OR EXISTS (SELECT FROM ${goneRows(gone)} WHERE g.kind = t.other_kind AND g.id = t.other_id) AS inside,
        row_number() OVER (PARTITION BY t.mutual, t.other_kind, t.other_id, t.type, CASE WHEN t.near THEN t.role ELSE coalesce(o.opposite, t.role) END ORDER BY t.moves, t.source_kind, t.source_id, t.ordinal) AS place
      FROM meant t LEFT JOIN ${opposites} AS o (role, opposite) ON o.role = t.role
    ), stays AS (
      SELECT k.*, (SELECT coalesce(max(l.ordinal), -1) FROM link l WHERE l.source_kind = ${survivor.kind} AND l.source_id = ${survivor.id})
        + row_number() OVER (PARTITION BY k.near ORDER BY k.source_kind, k.source_id, k.ordinal) AS next_ordinal
      FROM ranked k WHERE k.moves AND NOT k.inside AND k.place = 1
    )
    UPDATE merge_link m SET now_ordinal = CASE WHEN s.near THEN s.next_ordinal ELSE m.ordinal END
    FROM stays s WHERE m.merge_id = ${mergeId} AND m.source_kind = s.source_kind AND m.source_id = s.source_id AND m.ordinal = s.ordinal`);
}

/** Marks the kept links that went when bodies were collapsed: of each role as many stay as the body has refs, the survivor's own first. */
export async function dropDoubledLinks(
  tx: Transaction,
  mergeId: number,
  { survivor, gone }: MergeRecords,
  survivorUri: string,
): Promise<void> {
  await tx.run(sql`
    WITH concerned AS (
      SELECT l.source_kind, l.source_id, l.ordinal, l.property, l.role, l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id} AS own
      FROM merge_body b JOIN link l ON l.source_kind = b.kind AND l.source_id = b.id
      WHERE b.merge_id = ${mergeId} AND l.mutual IS NULL AND l.property <> 'instances.digital_object'
        AND ((l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id}) OR EXISTS (SELECT FROM ${goneRows(gone)} WHERE g.kind = l.target_kind AND g.id = l.target_id))
    ), ranked AS (
      SELECT c.*, row_number() OVER w AS place, count(*) OVER (PARTITION BY c.source_kind, c.source_id, c.property, c.role) AS n
      FROM concerned c WINDOW w AS (PARTITION BY c.source_kind, c.source_id, c.property, c.role ORDER BY c.own DESC, c.ordinal)
    )
    UPDATE merge_link m SET now_ordinal = NULL FROM ranked k JOIN record r ON r.kind = k.source_kind AND r.id = k.source_id
    WHERE m.merge_id = ${mergeId} AND m.source_kind = k.source_kind AND m.source_id = k.source_id AND m.ordinal = k.ordinal
      AND NOT k.own AND k.n > 1 AND k.place > count_refs(r.body, k.property, ${survivorUri}, k.role)`);
}

/** Writes the link rows at the places that are said of them, and re-dates the far sides of relations. */
export async function moveLinks(
  tx: Transaction,
  mergeId: number,
  { survivor }: MergeRecords,
  actor: string | null,
): Promise<void> {
  await tx.run(sql`
    DELETE FROM link l USING merge_link m
    WHERE m.merge_id = ${mergeId} AND (m.part = 'out' OR m.now_ordinal IS NULL) AND l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.ordinal = m.ordinal`);
  await tx.run(sql`
    UPDATE link l SET target_kind = ${survivor.kind}, target_id = ${survivor.id} FROM merge_link m
    WHERE m.merge_id = ${mergeId} AND m.part = 'in' AND m.now_ordinal IS NOT NULL AND l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.ordinal = m.ordinal`);
  await tx.run(sql`
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal)
    SELECT ${survivor.kind}, ${survivor.id}, m.now_ordinal, m.property, m.target_kind, m.target_id, m.repo_id, m.role, m.mutual, m.ref, m.target_ordinal
    FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.part = 'out' AND m.now_ordinal IS NOT NULL`);
  await touchIn(
    tx,
    sql.fragment`SELECT DISTINCT CASE WHEN m.part = 'out' THEN m.target_kind ELSE m.source_kind END AS kind, CASE WHEN m.part = 'out' THEN m.target_id ELSE m.source_id END AS id
    FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.mutual IS NOT NULL`,
    actor,
  );
}
