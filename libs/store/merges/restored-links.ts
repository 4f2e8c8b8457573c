// The link rows of an undone merge: those that it led to the survivor are led back, wherever saves have put them since, and those that it dropped are there again.
import { relatorPairs } from '#domain/rules/relators.ts';
import type { RecordAddress } from '#domain/uri.ts';
import type { Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { touchIn } from '../records/writing/touch.ts';

/** Gives the records that are back their links, and the survivor its own, from what the merge kept and the table `undo_holder`. */
export async function restoreLinks(tx: Transaction, mergeId: number, survivor: RecordAddress): Promise<void> {
  const back = (alias: Fragment): Fragment =>
    sql.fragment`SET target_kind = ${alias}.target_kind, target_id = ${alias}.target_id`;
  const toSurvivor = sql.fragment`l.target_kind = ${survivor.kind} AND l.target_id + 0 = ${survivor.id}`;
  // A holder that was saved since has its one ref wherever it is now; those whose bodies were kept have theirs where the merge left them.
  await tx.run(
    sql`UPDATE link l ${back(sql.fragment`s`)} FROM undo_holder s WHERE s.n = 1 AND s.same = 1 AND l.source_kind = s.source_kind AND l.source_id = s.source_id AND l.mutual IS NULL AND ${toSurvivor}`,
  );
  await tx.run(sql`
    UPDATE link l ${back(sql.fragment`m`)} FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.part = 'in' AND m.now_ordinal IS NOT NULL
      AND m.mutual IS NULL AND EXISTS (SELECT FROM merge_body b WHERE b.merge_id = ${mergeId} AND b.kind = m.source_kind AND b.id = m.source_id)
      AND l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.ordinal = m.ordinal AND l.mutual IS NULL AND ${toSurvivor}`);
  await leadMutualBack(tx, mergeId, survivor);
  // Of the survivor's own rows those go that were written anew.
  await tx.run(sql`
    DELETE FROM link l WHERE l.source_kind = ${survivor.kind} AND l.source_id = ${survivor.id} AND l.mutual IS NULL AND EXISTS (SELECT FROM merge_body b WHERE b.merge_id = ${mergeId} AND b.kind = l.source_kind AND b.id = l.source_id)`);
  // Behind all others where a save has put another link in the place.
  await tx.run(sql`
    WITH missing AS (
      SELECT m.*, s.repo_id AS home, EXISTS (SELECT FROM link l WHERE l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.ordinal = m.ordinal) AS taken FROM merge_link m
        CROSS JOIN LATERAL (SELECT r.repo_id FROM record r WHERE r.kind = m.source_kind AND r.id = m.source_id OFFSET 0) s
        CROSS JOIN LATERAL (SELECT r.repo_id FROM record r WHERE r.kind = m.target_kind AND r.id = m.target_id OFFSET 0) t
      WHERE m.merge_id = ${mergeId} AND CASE WHEN m.mutual IS NULL THEN m.part <> 'in' OR m.now_ordinal IS NULL ELSE m.now_ordinal IS NULL END
        -- Either may be in another repository by now, across whose border no link leads.
        AND coalesce(s.repo_id = t.repo_id, true)
    )
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal)
    SELECT m.source_kind, m.source_id, CASE WHEN m.taken THEN
        greatest((SELECT max(l.ordinal) FROM link l WHERE l.source_kind = m.source_kind AND l.source_id = m.source_id), max(m.ordinal) OVER of_source) + (row_number() OVER (of_source ORDER BY m.ordinal))::int
      ELSE m.ordinal END, m.property, m.target_kind, m.target_id, m.home, m.role, m.mutual, m.ref, m.target_ordinal
    FROM missing m WINDOW of_source AS (PARTITION BY m.source_kind, m.source_id)`);
  await touchIn(
    tx,
    sql.fragment`SELECT DISTINCT CASE WHEN m.part = 'out' THEN m.target_kind ELSE m.source_kind END AS kind, CASE WHEN m.part = 'out' THEN m.target_id ELSE m.source_id END AS id
    FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.mutual IS NOT NULL`,
    null,
  );
}

/**
 * Leads the relations back that the merge led to the survivor. A save of either side writes the row anew, from that side and in another place: it is
 * known by the other record and by what it says of it, and keeps what was written of it since. One that somebody removed stays removed.
 */
async function leadMutualBack(tx: Transaction, mergeId: number, survivor: RecordAddress): Promise<void> {
  const opposites = sql.unnest(
    relatorPairs.map((pair) => [...pair]),
    ['text', 'text'],
  );
  await tx.run(sql`
    WITH moved AS (
      SELECT m.mutual, m.ref->>'jsonmodel_type' AS type, CASE WHEN m.part = 'out' THEN m.role ELSE coalesce(o.opposite, m.role) END AS said, m.ordinal, m.part = 'out' AS near,
        CASE WHEN m.part = 'out' THEN m.source_kind ELSE m.target_kind END AS gone_kind, CASE WHEN m.part = 'out' THEN m.source_id ELSE m.target_id END AS gone_id,
        CASE WHEN m.part = 'out' THEN m.target_kind ELSE m.source_kind END AS other_kind, CASE WHEN m.part = 'out' THEN m.target_id ELSE m.source_id END AS other_id
      FROM merge_link m LEFT JOIN ${opposites} AS o (role, opposite) ON o.role = m.role
      WHERE m.merge_id = ${mergeId} AND m.mutual IS NOT NULL AND m.now_ordinal IS NOT NULL
    ), there AS (
      SELECT l.*, true AS near, l.role AS said, l.target_kind AS other_kind, l.target_id AS other_id FROM link l
      WHERE l.source_kind = ${survivor.kind} AND l.source_id = ${survivor.id} AND l.mutual IS NOT NULL
      UNION ALL SELECT l.*, false, coalesce(o.opposite, l.role), l.source_kind, l.source_id FROM link l LEFT JOIN ${opposites} AS o (role, opposite) ON o.role = l.role
      WHERE l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id} AND l.mutual IS NOT NULL
    ), paired AS (
      SELECT DISTINCT ON (m.gone_kind, m.gone_id, m.mutual, m.other_kind, m.other_id, m.type, m.said) m.gone_kind, m.gone_id, m.near AND t.near AS in_place, m.ordinal AS old_ordinal,
        t.source_kind, t.source_id, t.ordinal, t.near
      FROM moved m JOIN there t ON t.mutual = m.mutual AND t.other_kind = m.other_kind AND t.other_id = m.other_id
        AND t.said IS NOT DISTINCT FROM m.said AND t.ref->>'jsonmodel_type' IS NOT DISTINCT FROM m.type
      ORDER BY m.gone_kind, m.gone_id, m.mutual, m.other_kind, m.other_id, m.type, m.said, t.source_kind, t.source_id, t.ordinal
    ), placed AS (
      -- Behind all that the record had of its own, where the row has come to be written from its side.
      SELECT p.*, CASE WHEN p.in_place THEN p.old_ordinal
        ELSE coalesce((SELECT max(m.ordinal) FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.part = 'out' AND m.source_kind = p.gone_kind AND m.source_id = p.gone_id), -1)
          + (row_number() OVER (PARTITION BY p.gone_kind, p.gone_id, p.in_place, p.near ORDER BY p.source_kind, p.source_id, p.ordinal))::int END AS new_ordinal
      FROM paired p
    )
    UPDATE link l SET source_kind = CASE WHEN p.near THEN p.gone_kind ELSE l.source_kind END, source_id = CASE WHEN p.near THEN p.gone_id ELSE l.source_id END,
      ordinal = CASE WHEN p.near THEN p.new_ordinal ELSE l.ordinal END,
      target_kind = CASE WHEN p.near THEN l.target_kind ELSE p.gone_kind END, target_id = CASE WHEN p.near THEN l.target_id ELSE p.gone_id END
    FROM placed p WHERE l.source_kind = p.source_kind AND l.source_id = p.source_id AND l.ordinal = p.ordinal`);
}
