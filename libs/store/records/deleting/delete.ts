// Deleting records: with their tree, links on both sides, keys; leaving a revision and a tombstone for each (contract 5.5).
// Set-based: the number of statements does not depend on how many nodes or links there are, but for chunks of rewritten bodies.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import { fail } from '#domain/errors.ts';
import { appendFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { inSteps, workedMeanwhile } from '../../merges/begun.ts';
import { spreadHiding } from '../../search/hiding.ts';
import { movedMeanwhile } from '../../trees/delete.ts';
import { subtreeIds } from '../../trees/read.ts';
import { keyTable } from '../record-key.ts';
import type { IdsOfKind, OfRepositories } from '../visibility/reach.ts';
import { addIds, groupsOf, keysOf, treesOf, without } from '../visibility/reach.ts';
import { farSidesOf, redateFarSides } from '../writing/far-sides.ts';
import { holdAround } from '../writing/hold-around.ts';
import { heldInOrder, holdGroups, holdKeys } from '../writing/lock-order.ts';
import { writePartTombstones } from '../writing/part-tombstones.ts';
import { containersOf, redateRecords } from '../writing/redate.ts';
import { lockRecord, staleToDelete } from '../writing/write.ts';
import { detach } from './detach.ts';
import type { Refusal } from './detach.ts';
import { emptyTrees, redateLosing, takeFromTrees } from './take-from-trees.ts';
import type { Target } from './take-from-trees.ts';

/**
 * Is given the uris that are gone when all is written but for what others are held up by: containers, and trees of which a part goes, which are held from then on. What came below such a part in that moment goes as well, and is
 * not among these.
 */
type BeforeTrees = (gone: readonly string[]) => Promise<void>;

/**
 * Deletes a record and, where it is in a tree, everything below it. Fails with `not_found`, `access_denied` where its kind says that it
 * stays, or `delete_refused` where a link of another record forbids it; with `lockVersion` (If-Match) `stale_record` where it has another
 * version. Gives the uris that are gone. `beforeTrees`: as of deleteRecords.
 */
export async function deleteRecord(
  tx: Transaction,
  kind: Kind,
  id: number,
  repoId: number | null,
  actor: string | null,
  lockVersion: number | null = null,
  beforeTrees?: BeforeTrees,
): Promise<readonly string[]> {
  const wanted = [{ kind, id }];
  const [held] = await holdToDelete(tx, [[repoId, wanted]]);
  if (lockVersion !== null) {
    const current = await lockRecord(tx, kind, id, repoId);
    if (current.lock_version !== lockVersion) throw staleToDelete();
  }
  const { gone, refusals } = await deleteRecords(tx, wanted, repoId, actor, { beforeTrees, held });
  if (refusals[0] !== undefined) throw refusals[0].failure;
  return gone;
}

/**
 * Locks records of repositories with all that is below them and around them (holdAround), before anything is deleted; gives for each of the repositories what deleteRecords is to know of that. What is linked or put
 * below meanwhile is held when it is met.
 */
export async function holdToDelete(tx: Transaction, sets: OfRepositories): Promise<readonly (readonly IdsOfKind[])[]> {
  const found: (readonly IdsOfKind[])[] = [];
  for (const [repoId, wanted] of sets) found.push(await withBelow(tx, wanted, repoId));
  const keys = keysOf(found.flat());
  await holdAround(tx, sql.fragment`SELECT u.kind, u.id FROM ${keyTable(keys)} AS u (kind, id)`, 'last of all');
  await holdKeys(tx, keys, 'deletion and links');
  return found;
}

/**
 * Deletes records of one repository, or global ones, with everything below them; a record may be named beside one that it is below. `held`: what holdToDelete gave for them.
 * Gives the uris that are gone, or all refusals: then the caller must let the transaction roll back. `beforeTrees` is awaited before trees are taken of which a part goes, and
 * behind those that go as a whole.
 */
export async function deleteRecords(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
  actor: string | null,
  {
    beforeTrees,
    held = [],
  }: { readonly beforeTrees?: BeforeTrees | undefined; readonly held?: readonly IdsOfKind[] | undefined },
): Promise<{ readonly gone: readonly string[]; readonly refusals: readonly Refusal[] }> {
  const missing = await lockTargets(tx, wanted, repoId);
  if (missing.length > 0) return { gone: [], refusals: missing };
  // The records first, their trees last, as a save takes them: trees are held for their own rows, and not while much is deleted.
  const doomed = await holdDoomed(tx, wanted, repoId, held);
  const removed = await remove(tx, doomed, wanted, repoId, actor);
  if (removed.refusals.length > 0) return { gone: [], refusals: removed.refusals };
  const emptied = await emptyTrees(tx, wanted, repoId);
  const early = without(emptied.gone, doomed);
  const removedEarly = await removeArrived(tx, early, wanted, repoId, actor);
  if (removedEarly.refusals.length > 0) return { gone: [], refusals: removedEarly.refusals };
  // Where there was anything below, what is hidden with it is looked for now, and not by the commit, when trees are held.
  if (emptied.gone.length > 0) await spreadHiding(tx);
  // What is known of much by now is made of it before trees are held, too.
  const rest = without(doomed, emptied.gone);
  const uris = urisOf([...doomed, ...early], repoId);
  // Boxes are shared: who saves one that is in use elsewhere waits for the least that can be. Roots that stay come behind them, as everybody takes these; trees that go as a whole come before, and what ends the job with them, since others have no business there.
  const isPart = emptied.byTree.size > 0;
  if (isPart) {
    await beforeTrees?.(uris);
    await redateRecords(tx, containersIn(removed, removedEarly), actor);
  }
  const losing = await redateLosing(tx, wanted, repoId, actor);
  const { doomed: taken, roots } = await takeFromTrees(tx, wanted, repoId, emptied);
  // Whoever moved one of them out had its record behind the tree, and is let through by the end of this transaction, which is not to be then.
  if (without(rest, taken).length > 0) throw movedMeanwhile();
  const late = without(without(taken, rest), emptied.gone);
  const removedLate = await removeArrived(tx, late, wanted, repoId, actor);
  if (removedLate.refusals.length > 0) return { gone: [], refusals: removedLate.refusals };
  const gone = [...uris, ...urisOf(late, repoId)];
  if (!isPart) {
    await spreadHiding(tx);
    await beforeTrees?.(gone);
  }
  await redateRecords(tx, containersIn(...(isPart ? [] : [removed, removedEarly]), removedLate), actor);
  for (const group of without(roots, losing)) await redateRecords(tx, group, actor);
  tx.changed();
  return { gone, refusals: [] };
}

const urisOf = (groups: readonly IdsOfKind[], repoId: number | null): readonly string[] =>
  groups.flatMap(({ kind, ids }) => ids.map((id) => uriOf(kind, id, repoId)));

/** What forbids it that records are deleted; or, where nothing does, the containers that they were in, which are to be re-dated. */
type Removed = { readonly refusals: readonly Refusal[]; readonly containers: readonly number[] };

const containersIn = (...removed: readonly Removed[]): IdsOfKind => ({
  kind: topContainer,
  ids: [...new Set(removed.flatMap(({ containers }) => containers))],
});

/** Deletes records that came below the others since these were held, or gives what forbids it. */
async function removeArrived(
  tx: Transaction,
  arrived: readonly IdsOfKind[],
  wanted: readonly Target[],
  repoId: number | null,
  actor: string | null,
): Promise<Removed> {
  await holdGroups(tx, arrived, 'deletion and links');
  return remove(tx, arrived, wanted, repoId, actor);
}

/**
 * Locks the records with all that is below them, and gives them as they are then, by kind. Who makes a link to any of them holds it (checkTargets): from
 * here on all links to them are to be seen, and no new ones come. What is put below them later is found when their trees are taken.
 */
async function holdDoomed(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
  before: readonly IdsOfKind[],
): Promise<readonly IdsOfKind[]> {
  let held = before;
  for (;;) {
    const found = await withBelow(tx, wanted, repoId);
    const more = without(found, held);
    // What was moved out while its lock was waited for is left alone.
    if (more.length === 0) return found;
    await holdGroups(tx, more, 'deletion and links');
    held = [...held, ...more];
  }
}

/** The records and all that is below them, by kind. */
async function withBelow(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
): Promise<readonly IdsOfKind[]> {
  const idsOf = new Map<string, Set<number>>();
  for (const { kind, id } of wanted) addIds(idsOf, kind.name, [id]);
  for (const { node, tree, ids } of await treesOf(tx, wanted, repoId))
    addIds(idsOf, node.name, await subtreeIds(tx, tree, ids));
  return groupsOf(idsOf);
}

/** Deletes records that are held, or gives what forbids it. What shows links to them from its own side is re-dated when all are gone; their containers are left to the caller. */
async function remove(
  tx: Transaction,
  doomed: readonly IdsOfKind[],
  wanted: readonly Target[],
  repoId: number | null,
  actor: string | null,
): Promise<Removed> {
  if (doomed.length === 0) return { refusals: [], containers: [] };
  const refusals = await detach(tx, doomed, wanted, repoId, actor);
  if (refusals.length > 0) return { refusals, containers: [] };
  const containers = new Set<number>();
  const far = await farSidesOf(tx, doomed);
  for (const group of doomed) {
    for (const id of await containersOf(tx, group)) containers.add(id);
    await deleteRows(tx, group, repoId, actor);
  }
  await redateFarSides(tx, far, actor);
  return { refusals: [], containers: [...containers] };
}

const LockTargetRow = z.strictObject({ kind: column.text, id: column.int, body: column.maybeText });

/** Locks the records in one order; refuses those that are not there, those that their kind says stay, and those that a job merges or deletes in steps. */
export async function lockTargets(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
): Promise<readonly Refusal[]> {
  const guarded = [...new Set(wanted.flatMap(({ kind }) => (kind.undeletable === undefined ? [] : [kind.name])))];
  const rows = await tx.any(sql.type(LockTargetRow)`
    SELECT r.kind, r.id, CASE WHEN r.kind = ANY(${sql.array(guarded, 'text')}) THEN r.body END AS body FROM ${heldInOrder(
      wanted.map(({ kind, id }) => ({ kind: kind.name, id })),
      'deletion and links',
      sql.fragment`r.repo_id IS NOT DISTINCT FROM ${repoId}::int`,
    )}`);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row.body]));
  // Asked once they are held: who begins to merge or delete them in steps holds them too.
  const busy = await inSteps(tx, rows);
  return wanted.flatMap((target): Refusal[] => {
    const body = found.get(`${target.kind.name} ${target.id}`);
    if (body === undefined) return [{ target, failure: fail('not_found', `${target.kind.model} not found`) }];
    const other = busy.find(({ kind, id }) => kind === target.kind.name && id === target.id);
    if (other !== undefined) return [{ target, failure: workedMeanwhile(other) }];
    return body !== null && target.kind.undeletable?.(JSON.parse(body)) === true
      ? [{ target, failure: fail('access_denied', 'Access denied') }]
      : [];
  });
}

/** Deletes the rows of records with their links and keys, leaving a revision, a tombstone and a change of each. Four statements. */
export async function deleteRows(
  tx: Transaction,
  group: IdsOfKind,
  repoId: number | null,
  actor: string | null,
): Promise<void> {
  const name = group.kind.name;
  const ids = sql.array([...group.ids], 'int4');
  await writePartTombstones(tx, group.kind, group.ids, repoId);
  await tx.run(sql`
    WITH gone AS (DELETE FROM record r USING unnest(${ids}) AS u (id) WHERE r.kind = ${name} AND r.id = u.id RETURNING r.*),
    kept AS (INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'delete', ${actor}, label, publish, suppressed, last_modified_by, user_mtime, body FROM gone),
    buried AS (INSERT INTO tombstone (uri, kind, id) SELECT record_uri(kind, id, repo_id), kind, id FROM gone)
    ${appendFrom('gone', 'delete', actor)}`);
  await tx.run(
    sql`DELETE FROM link l USING unnest(${ids}) AS u (id) WHERE l.source_kind = ${name} AND l.source_id = u.id`,
  );
  await tx.run(
    sql`DELETE FROM link l USING unnest(${ids}) AS u (id) WHERE l.target_kind = ${name} AND l.target_id = u.id`,
  );
  await tx.run(sql`DELETE FROM unique_key k USING unnest(${ids}) AS u (id) WHERE k.kind = ${name} AND k.id = u.id`);
}
