// Undoing a merge from what it kept (docs/decisions/0011). Everything is put back that is as the merge left it; what somebody removed
// since stays removed; where it cannot be told what belongs to whom, nothing is done and the records are named.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { keysOf } from '#domain/checking/split.ts';
import { slugRule } from '#domain/identifiers/slugs.ts';
import { event } from '#domain/kinds/event.ts';
import { appendManyFrom } from '../change-log/append.ts';
import type { Transaction } from '../connection/database.ts';
import { wakeRetiredValues } from '../enumerations/retired.ts';
import { deleteRecord } from '../records/deleting/delete.ts';
import { ofKinds } from '../records/of-kinds.ts';
import { markSuppressedLinks } from '../records/writing/link-marks.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { removePartTombstones, updatePartTombstones } from '../records/writing/part-tombstones.ts';
import { keepVersion } from '../records/history/revision.ts';
import { freeSlug, takeSlugs } from '../records/writing/naming.ts';
import { claimKeys, insertKeys } from '../records/writing/unique-keys.ts';
import { column, IdRow, BodyRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { uriOfRecord } from './check.ts';
import { restoreLinks } from './restored-links.ts';
import { hasManyToLeadBack, isBodyless, leaveHolders, listHolders } from './undo-holders.ts';
import { signRecord } from './survivor.ts';
import { nodesOf, prepareTreesBack } from './moved-components.ts';

const MergeRow = z.strictObject({
  id: column.int,
  survivor_kind: column.text,
  survivor_id: column.int,
  repo_id: column.maybeInt,
  event_id: column.maybeInt,
  undone: column.bool,
  purged: column.bool,
});
type MergeRow = z.infer<typeof MergeRow>;
const GoneRow = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
  suppressed: column.bool,
  nodes: column.ints,
});
type GoneRow = z.infer<typeof GoneRow>;

/** What came back. */
export type Undone = { readonly survivor: string; readonly restored: readonly string[] };

/** `stepsOf`: the job that leads holders back behind the undo, in steps, where they are more than `atOnce`; without it none are left to steps. `beforeTrees`: gets what came back where none are left, when all is written but for trees, which are held from then on to the end of the transaction. */
type HowToUndo = {
  readonly stepsOf?: number;
  readonly atOnce?: number;
  readonly beforeTrees?: (undone: Undone) => Promise<void>;
};

/**
 * Undoes a merge: its records are back under their uris with their links, keys and trees, and the survivor is as it was. Fails with
 * `not_found`; with `conflict`, naming records, where the survivor is gone or moved, a key is taken, what they linked to is gone from their repository, one was brought
 * back from its history, or a record was changed so that its refs cannot be told apart. `hasLeft`: holders of refs are left to steps, and name the survivor until then.
 */
export async function undoMerge(
  tx: Transaction,
  mergeId: number,
  actor: string | null,
  { stepsOf, atOnce, beforeTrees }: HowToUndo = {},
): Promise<Undone & { readonly hasLeft: boolean }> {
  const merge = await tx.maybeOne(sql.type(MergeRow)`
    SELECT id, survivor_kind, survivor_id, repo_id, event_id, undone_at IS NOT NULL AS undone, purged_at IS NOT NULL AS purged FROM merge WHERE id = ${mergeId} FOR UPDATE`);
  if (merge === null) throw fail('not_found', 'Merge not found');
  if (merge.undone) throw fail('conflict', 'The merge was undone already');
  if (merge.purged) throw fail('conflict', 'What undoing needs was erased with the history of one of the records');
  const survivor = { kind: merge.survivor_kind, id: merge.survivor_id, repoId: merge.repo_id };
  const gone = await readGone(tx, mergeId, survivor);
  const hasLeft = stepsOf !== undefined && (await hasManyToLeadBack(tx, mergeId, survivor, gone, atOnce));
  await holdAll(tx, mergeId, survivor, hasLeft);
  await listHolders(tx, mergeId, survivor);
  await refuse(tx, mergeId, survivor, gone);
  const back = gone.map(({ kind, id, repo_id: repoId }) => ({ kind, id, repoId }));
  if (hasLeft) await leaveHolders(tx, stepsOf, mergeId, { survivor, gone: back }, actor);
  await keepVersion(tx, survivor.kind, survivor.id, actor);
  const merged = await bodyOf(tx, survivor);

  await restoreBodies(tx, mergeId, survivor, actor);
  await restoreRecords(tx, mergeId, actor);
  for (const row of gone) await removePartTombstones(tx, kindNamed(row.kind), [row.id], row.repo_id);
  const own = await bodyOf(tx, survivor);
  await updatePartTombstones(tx, kindNamed(survivor.kind), survivor.id, survivor.repoId, merged, own);
  await restoreLinks(tx, mergeId, survivor);
  await markSuppressedLinks(tx, [survivor, ...back]);
  await restoreKeys(tx, mergeId, survivor);
  await tx.run(sql`DROP TABLE undo_holder`);
  await signRecord(tx, survivor, actor);
  if (merge.event_id !== null) await removeEvent(tx, merge.event_id, merge.repo_id, actor);
  await tx.run(sql`UPDATE merge SET undone_at = now(), undone_by = ${actor} WHERE id = ${mergeId}`);
  await wakeRetiredValues(tx);
  const undone = {
    survivor: uriOfRecord(survivor),
    restored: back.map(uriOfRecord),
  };
  const trees = await prepareTreesBack(tx, survivor, gone, actor);
  // Trees come last: whoever works elsewhere in that of the survivor waits from there on (decision 0037).
  if (!hasLeft) await beforeTrees?.(undone);
  for (const { place } of trees) await place();
  return { ...undone, hasLeft };
}

/** The records that went, with what lay directly under each and is still there: what was deleted since stays so. */
async function readGone(tx: Transaction, mergeId: number, survivor: RecordAddress): Promise<readonly GoneRow[]> {
  const gone = await tx.any(sql.type(GoneRow)`
    SELECT kind, id, repo_id, suppressed, nodes FROM merge_gone WHERE merge_id = ${mergeId} ORDER BY n`);
  const node = nodesOf(survivor);
  const nodes = gone.flatMap((row) => row.nodes);
  if (node === null || nodes.length === 0) return gone;
  const left = await tx.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${node.name} AND id = ANY(${sql.array(nodes, 'int4')})`);
  const there = new Set(left.map(({ id }) => id));
  return gone.map((row) => ({ ...row, nodes: row.nodes.filter((id) => there.has(id)) }));
}

/**
 * Holds against writes the survivor, the records whose refs are given back, and those of both ends of relations, in one order; against deletion what the restored ones link to. All whose links are led
 * back are held, so that others may link to the survivor meanwhile, or add to its tree; `hasLeft`: but for those that steps lead back.
 */
async function holdAll(tx: Transaction, mergeId: number, survivor: RecordAddress, hasLeft: boolean): Promise<void> {
  const now = hasLeft ? sql.fragment`AND NOT (${isBodyless(mergeId)})` : sql.fragment``;
  await holdRecords(
    tx,
    sql.fragment`SELECT source_kind AS kind, source_id AS id FROM merge_link m WHERE merge_id = ${mergeId} AND part = 'in' ${now}
    UNION SELECT ${survivor.kind}::text, ${survivor.id}::int UNION SELECT target_kind, target_id FROM merge_link WHERE merge_id = ${mergeId} AND part = 'out' AND mutual IS NOT NULL`,
    'writes',
  );
  const row = await tx.maybeOne(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${survivor.kind} AND id = ${survivor.id} AND repo_id IS NOT DISTINCT FROM ${survivor.repoId}::int`);
  if (row === null)
    throw fail(
      'conflict',
      'The record that stayed is gone, or in another repository. If it was merged in turn, undo that first',
    );
  await holdRecords(
    tx,
    sql.fragment`SELECT target_kind AS kind, target_id AS id FROM merge_link WHERE merge_id = ${mergeId} AND part <> 'in' AND mutual IS NULL`,
    'deletion',
  );
}

const FaultRow = z.strictObject({ uri: column.text, why: column.text });

const refusal = (faults: readonly z.infer<typeof FaultRow>[]): Error =>
  fail('conflict', Object.fromEntries(faults.map(({ uri, why }) => [uri, [{ message: why }]])));

/** The records that have keys of the merged ones, as faults; without its end: whose keys these may be follows. A slug that is taken is no fault: the record gets another. */
const ownersOfKeys = (mergeId: number): Fragment => sql.fragment`
    SELECT record_uri(o.kind, o.id, r.repo_id) AS uri, 'KEY_TAKEN' AS why FROM merge_key k JOIN unique_key o ON o.rule = k.rule AND o.scope = k.scope AND o.value = k.value
      JOIN record r ON r.kind = o.kind AND r.id = o.id WHERE k.merge_id = ${mergeId} AND k.rule <> ${slugRule}`;

async function refuse(
  tx: Transaction,
  mergeId: number,
  survivor: RecordAddress,
  gone: readonly GoneRow[],
): Promise<void> {
  const found = await tx.any(sql.type(FaultRow)`
    SELECT record_uri(r.kind, r.id, r.repo_id) AS uri, 'CHANGED_SINCE' AS why FROM merge_body b JOIN record r ON r.kind = b.kind AND r.id = b.id WHERE b.merge_id = ${mergeId} AND (md5(r.body::text) <> b.after
      -- A relation that it was given since is in no body, but its other links are elsewhere then: which of them was which is not told.
      OR EXISTS (SELECT FROM merge_link m LEFT JOIN link l ON l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.ordinal = coalesce(m.now_ordinal, m.ordinal)
        WHERE m.merge_id = b.merge_id AND m.source_kind = b.kind AND m.source_id = b.id AND m.part = 'in' AND m.mutual IS NULL AND CASE WHEN m.now_ordinal IS NULL THEN l.ordinal IS NOT NULL
          ELSE (l.property = m.property AND l.role IS NOT DISTINCT FROM m.role AND l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id}) IS NOT TRUE END))
    UNION ALL SELECT record_uri(s.source_kind, s.source_id, s.repo_id), 'LINKED_SINCE' FROM undo_holder s WHERE s.n > 1
    UNION ALL ${ownersOfKeys(mergeId)} AND NOT (o.kind = ${survivor.kind} AND o.id = ${survivor.id})
    UNION ALL SELECT record_uri(r.kind, r.id, r.repo_id), 'RESTORED_SINCE' FROM merge_gone g JOIN record r ON r.kind = g.kind AND r.id = g.id AND ${ofKinds(gone.map(({ kind }) => kind))} WHERE g.merge_id = ${mergeId}
    UNION ALL SELECT record_uri(m.target_kind, m.target_id, m.repo_id), 'GONE' FROM merge_link m WHERE m.merge_id = ${mergeId} AND m.part <> 'in' AND m.mutual IS NULL
      AND NOT EXISTS (SELECT FROM record r WHERE r.kind = m.target_kind AND r.id = m.target_id AND coalesce(r.repo_id = m.repo_id, true))
    ORDER BY 1, 2 LIMIT 100`);
  const node = nodesOf(survivor);
  const nodes = gone.flatMap((row) => row.nodes);
  const strayed =
    node?.tree === undefined || nodes.length === 0
      ? []
      : await tx.any(sql.type(IdRow)`
    SELECT u.id FROM unnest(${sql.array(nodes, 'int4')}) AS u (id) WHERE NOT EXISTS (
      SELECT FROM tree_node t WHERE t.repo_id = ${survivor.repoId} AND t.kind = ${node.tree.code} AND t.id = u.id AND t.root_id = ${survivor.id} AND t.parent_id IS NULL) ORDER BY 1 LIMIT 100`);
  const strays =
    node === null ? [] : strayed.map(({ id }) => ({ uri: uriOf(node, id, survivor.repoId), why: 'MOVED_SINCE' }));
  const all = [...found, ...strays];
  if (all.length > 0) throw refusal(all);
}

/** Gives kept bodies back as they were, and leads the one ref of each other holder back to where it led. */
async function restoreBodies(
  tx: Transaction,
  mergeId: number,
  survivor: RecordAddress,
  actor: string | null,
): Promise<void> {
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET body = b.body, system_mtime = now() FROM merge_body b WHERE b.merge_id = ${mergeId} AND r.kind = b.kind AND r.id = b.id RETURNING r.kind, r.id, r.repo_id
    ), led AS (
      UPDATE record r SET body = with_repointed(r.body::text, ARRAY[${uriOfRecord(survivor)}::text], record_uri(s.target_kind, s.target_id, ${survivor.repoId}::int))::json, system_mtime = now()
      FROM undo_holder s WHERE s.n = 1 AND s.same = 1 AND r.kind = s.source_kind AND r.id = s.source_id RETURNING r.kind, r.id, r.repo_id
    ), told AS (SELECT * FROM written UNION ALL SELECT * FROM led)
    ${appendManyFrom('told', 'update', actor)}`);
}

async function restoreRecords(tx: Transaction, mergeId: number, actor: string | null): Promise<void> {
  await tx.run(sql`
    WITH made AS (
      INSERT INTO record (kind, id, repo_id, lock_version, publish, suppressed, label, created_by, last_modified_by, create_time, user_mtime, body)
      SELECT kind, id, repo_id, lock_version + 1, publish, suppressed, label, created_by, last_modified_by, create_time, user_mtime, body FROM merge_gone WHERE merge_id = ${mergeId}
      RETURNING kind, id, repo_id, lock_version
    ), unburied AS (DELETE FROM tombstone t USING made WHERE t.uri = record_uri(made.kind, made.id, made.repo_id))
    INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${actor}, kind, id, repo_id, 'create', lock_version FROM made`);
  tx.changed();
}

/** A stored body, our own canonical text. */
async function bodyOf(tx: Transaction, { kind, id }: RecordAddress): Promise<JsonObject> {
  const { body } = await tx.one(sql.type(BodyRow)`SELECT body FROM record WHERE kind = ${kind} AND id = ${id}`);
  return JSON.parse(body);
}

/** The survivor's keys are those of its body again; then the others get theirs. */
async function restoreKeys(tx: Transaction, mergeId: number, survivor: RecordAddress): Promise<void> {
  const kind = kindNamed(survivor.kind);
  const body = await withFreeSlug(tx, survivor, await bodyOf(tx, survivor));
  await tx.run(
    sql`UPDATE record SET label = ${kind.label(body)} WHERE kind = ${survivor.kind} AND id = ${survivor.id}`,
  );
  await claimKeys(tx, survivor.kind, survivor.id, keysOf(kind, body, survivor.repoId, null), false);
  await insertKeys(
    tx,
    sql.fragment`SELECT k.rule, k.scope, k.value, k.kind, k.id, 1 AS place FROM merge_key k WHERE k.merge_id = ${mergeId} AND k.rule <> ${slugRule}`,
  );
  await restoreSlugs(tx, mergeId);
  // Whoever was saving a record with one of them when it was looked at first has it now.
  const taken = await tx.any(sql.type(FaultRow)`
    ${ownersOfKeys(mergeId)} AND NOT (o.kind = k.kind AND o.id = k.id) ORDER BY 1 LIMIT 100`);
  if (taken.length > 0) throw refusal(taken);
}

/** The body of the survivor with the slug that it had, or the first number of it that is free where another has it now. */
async function withFreeSlug(tx: Transaction, { kind, id }: RecordAddress, body: JsonObject): Promise<JsonObject> {
  const slug = textOf(body, 'slug');
  if (slug === undefined || slug === '') return body;
  const free = await freeSlug(tx, slug, kind, id);
  if (free === slug) return body;
  await tx.run(
    sql`UPDATE record SET body = with_property(body, 'slug', to_json(${free}::text)) WHERE kind = ${kind} AND id = ${id}`,
  );
  return { ...body, slug: free };
}

const SlugRow = z.strictObject({ kind: column.text, id: column.int, slug: column.text });

/** The same for those that came back: most slugs are made from names, and whoever got one since is to keep it. */
async function restoreSlugs(tx: Transaction, mergeId: number): Promise<void> {
  const rows = await tx.any(sql.type(SlugRow)`
    SELECT g.kind, g.id, g.body->>'slug' AS slug FROM merge_gone g JOIN merge_key k ON k.merge_id = g.merge_id AND k.kind = g.kind AND k.id = g.id AND k.rule = ${slugRule} WHERE g.merge_id = ${mergeId} ORDER BY g.n`);
  const byKind = [...Map.groupBy(rows, (row) => row.kind)];
  await byKind.reduce<Promise<void>>(
    (before, [kind, some]) =>
      before.then(async () => {
        const wishes = some.map(({ id, slug }) => ({ id, wanted: slug }));
        const given = await takeSlugs(tx, kind, wishes, { numbers: new Map(), reserved: undefined });
        await tx.run(sql`
      UPDATE record r SET body = with_property(r.body, 'slug', to_json(u.slug)) FROM ${sql.unnest([...given], ['int4', 'text'])} AS u (id, slug) WHERE r.kind = ${kind} AND r.id = u.id AND r.body->>'slug' <> u.slug`);
      }),
    Promise.resolve(),
  );
}

async function removeEvent(
  tx: Transaction,
  eventId: number,
  repoId: number | null,
  actor: string | null,
): Promise<void> {
  const there = await tx.maybeOne(
    sql.type(IdRow)`SELECT id FROM record WHERE kind = ${event.name} AND id = ${eventId} AND repo_id = ${repoId}`,
  );
  if (there !== null) await deleteRecord(tx, event, eventId, repoId, actor);
}
