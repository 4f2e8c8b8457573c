// A load over an earlier one (decision 0028): records that the source has changed are replaced as sets, those that it has deleted go, and the trees
// of both are laid anew. What a record was stays in its history.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { deleteNamed } from '../records/deleting/batch-delete.ts';
import { holdAround } from '../records/writing/hold-around.ts';
import { holdRecords } from '../records/writing/lock-order.ts';

/** Whether anything was loaded before. */
export async function hasLoads(tx: Transaction): Promise<boolean> {
  return (await tx.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM load`)).n > 0;
}

const trees = sql.fragment`${sql.unnest(
  [...kinds.values()].flatMap(({ name, tree }) => (tree === undefined ? [] : [[name, tree.code, tree.root]])),
  ['text', 'int2', 'text'],
)} AS u (kind, code, root)`;

/**
 * What of the lines is here: `load_old` are the records that lines replace, `load_gone` those that came from the source, which has deleted them. What was made here at the address of something that came and went there is not meant, and its line is left out.
 * Asked once all are held: until then they may go to another repository.
 */
export async function findReplaced(tx: Transaction): Promise<void> {
  await tx.client.query('CREATE INDEX ON load_record (kind, id); ANALYZE load_record; ANALYZE load_deleted');
  await holdReplaced(tx);
  await tx.run(
    sql`INSERT INTO load_old SELECT r.kind, r.id, r.repo_id, s.number FROM load_record s JOIN record r ON r.kind = s.kind AND r.id = s.id`,
  );
  await tx.run(sql`
    WITH here AS MATERIALIZED (
      SELECT DISTINCT r.kind, r.id, r.repo_id, d.uri, EXISTS (SELECT FROM loaded l WHERE l.kind = r.kind AND l.id = r.id) AS came
      FROM load_deleted d JOIN record r ON r.kind = d.kind AND r.id = d.id
      WHERE record_uri(r.kind, r.id, r.repo_id) = d.uri AND NOT EXISTS (SELECT FROM load_record s WHERE s.kind = r.kind AND s.id = r.id)),
    other AS (DELETE FROM load_deleted d USING here WHERE d.uri = here.uri AND NOT here.came)
    INSERT INTO load_gone SELECT kind, id, repo_id, uri FROM here WHERE came`);
}

/**
 * Holds what lines replace, and what they delete with all below it and around it, in the order in which everybody does: against writers first, so that who saves one of these is let through to what it links to, then against those who would link to it
 * (hold-around.ts). Repositories against writers alone: who makes a record has its repository before its targets.
 */
async function holdReplaced(tx: Transaction): Promise<void> {
  await tx.client.query('CREATE TEMP TABLE load_going (kind text, id int) ON COMMIT DROP');
  await tx.run(sql`
    INSERT INTO load_going
    WITH RECURSIVE named AS MATERIALIZED (
      SELECT DISTINCT r.kind, r.id, r.repo_id FROM load_deleted d JOIN record r ON r.kind = d.kind AND r.id = d.id WHERE NOT EXISTS (SELECT FROM load_record s WHERE s.kind = d.kind AND s.id = d.id)),
    under AS (
      SELECT t.repo_id, t.kind, t.root_id, t.id FROM named n JOIN ${trees} ON u.kind = n.kind JOIN tree_node t ON t.repo_id = n.repo_id AND t.kind = u.code AND t.id = n.id
      UNION SELECT c.repo_id, c.kind, c.root_id, c.id FROM under p JOIN tree_node c ON c.repo_id = p.repo_id AND c.kind = p.kind AND c.root_id = p.root_id AND c.list_id = p.id)
    SELECT kind, id FROM named
    UNION SELECT u.kind, under.id FROM under JOIN ${trees} ON u.code = under.kind
    UNION SELECT u.kind, t.id FROM named n JOIN ${trees} ON u.root = n.kind JOIN tree_node t ON t.repo_id = n.repo_id AND t.kind = u.code AND t.root_id = n.id`);
  const going = sql.fragment`SELECT kind, id FROM load_going`;
  const replaced = sql.fragment`SELECT kind, id FROM load_record`;
  await holdAround(tx, going, 'with them', replaced);
  await holdRecords(
    tx,
    sql.fragment`${going} UNION ALL ${replaced} WHERE kind <> ${repository.name}`,
    'deletion and links',
  );
}

/** A record that both sides have written: `made` here, at an address that the source uses; otherwise changed here since it was loaded. */
const BothSides = z.strictObject({
  uri: column.text,
  label: column.text,
  made: column.bool,
  deleted: column.bool,
});
export type BothSides = z.infer<typeof BothSides>;

// Nobody here has written the record since it last came with a load: `d` names its row.
const isAsLoaded = sql.fragment`NOT EXISTS (SELECT FROM revision v WHERE v.kind = d.kind AND v.id = d.id AND v.op <> 'load' AND v.at > d.at)`;

/** Records that were written on both sides since the last load, at most `limit`. */
export async function readWrittenTwice(tx: Transaction, limit: number): Promise<readonly BothSides[]> {
  return tx.any(sql.type(BothSides)`
    SELECT record_uri(r.kind, r.id, r.repo_id) AS uri, r.label, d.at IS NULL AS made, o.deleted FROM (
      SELECT kind, id, number, false AS deleted FROM load_old UNION ALL SELECT kind, id, 0, true FROM load_gone) o
    JOIN record r ON r.kind = o.kind AND r.id = o.id LEFT JOIN loaded d ON d.kind = r.kind AND d.id = r.id
    WHERE d.at IS NULL OR NOT (${isAsLoaded})
    ORDER BY o.deleted, o.number, uri LIMIT ${limit}`);
}

/** Takes links and keys of what lines replace out; revisions keep what it was. The rows stay, for their lines to be put into (replaceLoadedRecords): who waits for one of them is not told that there is none. Trees come later: `liftTrees`. */
export async function takeOutOld(tx: Transaction, actor: string | null): Promise<void> {
  await tx.client.query('CREATE INDEX ON load_old (kind, id); ANALYZE load_old');
  await tx.run(sql`
    INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
    SELECT r.kind, r.id, r.lock_version, r.repo_id, 'load', ${actor}, r.label, r.publish, r.suppressed, r.last_modified_by, r.user_mtime, r.body
    FROM load_old o JOIN record r ON r.kind = o.kind AND r.id = o.id`);
  await tx.run(sql`DELETE FROM link l USING load_old o WHERE l.source_kind = o.kind AND l.source_id = o.id`);
  // Of links that both sides show those stay that were written from the other side by somebody here: what the source has of them it cannot say. Of a
  // record that goes to another repository none stays: it cannot be linked to from the one where it was.
  await tx.run(sql`
    DELETE FROM link l USING load_old o, load_record s WHERE l.target_kind = o.kind AND l.target_id = o.id AND l.mutual IS NOT NULL AND s.kind = o.kind AND s.id = o.id
      AND (s.repo_id IS DISTINCT FROM o.repo_id OR EXISTS (SELECT FROM loaded d WHERE d.kind = l.source_kind AND d.id = l.source_id AND ${isAsLoaded}))`);
  // Whether it is hidden is told again at the end.
  await tx.run(
    sql`UPDATE link l SET suppressed = false FROM load_old o WHERE l.target_kind = o.kind AND l.target_id = o.id AND l.suppressed`,
  );
  await tx.run(sql`DELETE FROM unique_key k USING load_old o WHERE k.kind = o.kind AND k.id = o.id`);
}

/** Leaves out links of the lines that stand already, written from their other side (takeOutOld). To be called before those of the lines are written. */
export async function leaveOutKept(tx: Transaction): Promise<void> {
  await tx.run(sql`
    DELETE FROM stage_mutual s USING link l WHERE l.source_kind = s.target_kind AND l.source_id = s.target_id
      AND l.target_kind = s.source_kind AND l.target_id = s.source_id AND l.mutual = s.mutual`);
}

// Stands for the number of a line: at one place, nodes of lines come first.
const behindLines = 2_147_483_647;

/**
 * Takes the trees that lose, gain or change nodes apart: what stays in them is staged beside what the lines bring, in the order that it has. Trees
 * whose root goes are left to its deletion, without the nodes that the source has moved elsewhere.
 */
export async function liftTrees(tx: Transaction): Promise<void> {
  await tx.run(sql`
    CREATE TEMP TABLE load_tree ON COMMIT DROP AS
    SELECT t.*, EXISTS (SELECT FROM load_gone g JOIN ${trees} ON u.root = g.kind WHERE u.code = t.code AND g.id = t.root_id) AS goes FROM (
      SELECT repo_id, code, root_id FROM load_node
      UNION SELECT t.repo_id, t.kind, t.root_id FROM (SELECT kind, id, repo_id FROM load_old UNION ALL SELECT kind, id, repo_id FROM load_gone) o
        JOIN ${trees} ON u.kind = o.kind JOIN tree_node t ON t.repo_id = o.repo_id AND t.kind = u.code AND t.id = o.id) t`);
  await tx.run(sql`
    SELECT FROM load_tree l JOIN tree_root r ON r.repo_id = l.repo_id AND r.kind = l.code AND r.root_id = l.root_id
    ORDER BY r.repo_id, r.kind, r.root_id FOR UPDATE OF r`);
  await tx.run(sql`
    INSERT INTO load_node (repo_id, code, root_id, parent_id, id, position, number, visible, level)
    SELECT t.repo_id, t.kind, t.root_id, t.parent_id, t.id, t.position, ${behindLines}::int, t.visible, t.level FROM (
      SELECT t.*, row_number() OVER (PARTITION BY t.repo_id, t.kind, t.root_id, t.parent_id ORDER BY b.key, t.ord) - 1 AS position
      FROM load_tree l JOIN tree_node t ON t.repo_id = l.repo_id AND t.kind = l.code AND t.root_id = l.root_id
    JOIN tree_bucket b ON b.repo_id = t.repo_id AND b.kind = t.kind AND b.root_id = t.root_id AND b.list_id = coalesce(t.parent_id, 0) AND b.bucket = t.bucket
      WHERE NOT l.goes) t
    WHERE NOT EXISTS (SELECT FROM load_node n WHERE n.code = t.kind AND n.id = t.id)
      AND NOT EXISTS (SELECT FROM load_gone g JOIN ${trees} ON u.kind = g.kind WHERE u.code = t.kind AND g.id = t.id)`);
  await tx.run(sql`
    DELETE FROM tree_node t USING load_tree l WHERE t.repo_id = l.repo_id AND t.kind = l.code AND t.root_id = l.root_id
      AND (NOT l.goes OR EXISTS (SELECT FROM load_node n WHERE n.code = t.kind AND n.id = t.id))`);
  await tx.run(sql`
    DELETE FROM tree_bucket b USING load_tree l WHERE b.repo_id = l.repo_id AND b.kind = l.code AND b.root_id = l.root_id AND NOT l.goes`);
  // A tree that was transferred has its root elsewhere now.
  await tx.run(sql`
    DELETE FROM tree_root t USING load_old o, load_record s, ${trees}
    WHERE s.kind = o.kind AND s.id = o.id AND s.repo_id <> o.repo_id AND u.root = o.kind AND t.repo_id = o.repo_id AND t.kind = u.code AND t.root_id = o.id`);
}

const GoneRow = z.strictObject({ kind: column.text, id: column.int, repo_id: column.maybeInt, uri: column.text });

/** Deletes what the source has deleted, as anybody would who deletes many; gives why some of it cannot be. */
export async function deleteGone(tx: Transaction, actor: string | null): Promise<readonly string[]> {
  const gone = await tx.any(sql.type(GoneRow)`SELECT kind, id, repo_id, uri FROM load_gone ORDER BY kind, id`);
  const refusals = await deleteNamed(
    tx,
    gone.map(({ kind, id, repo_id: repoId, uri }) => ({ uri, kind: kindNamed(kind), id, repoId })),
    actor,
  );
  return refusals.map(
    ({ uri, failure }) => `${uri} was deleted in the source, but not here: ${JSON.stringify(failure.error)}`,
  );
}
