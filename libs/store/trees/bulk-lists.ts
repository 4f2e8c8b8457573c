// New nodes of lists that others may be at work in: many for one place are laid in buckets before any tree is taken, which then are put there; few are put there one list after the other (decision 0037).
import { z } from 'zod';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { planInsertions } from '#domain/tree/placement.ts';
import type { TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import type { LaidBucket } from './append.ts';
import { countedIn } from './below.ts';
import { bucketNumbers } from './buckets.ts';
import { idArray, inScope } from './conditions.ts';
import { countChildren } from './read.ts';
import { spliceLaid } from './splice-laid.ts';
import { atEnd, splice } from './splice.ts';
import type { Arrival } from './splice.ts';

/** A list of a tree; `parent_id` null: directly under the root. */
export const ListRow = z.strictObject({ root_id: column.int, parent_id: column.maybeInt });
type List = z.infer<typeof ListRow>;
/** Nodes for one place of a list: laid in buckets already, or few. */
type LongRun = { readonly rank: number; readonly ids: readonly number[] } & (
  | { readonly buckets: readonly LaidBucket[] }
  | { readonly arrivals: readonly Arrival[] }
);
/** What comes to a list, in the order of its places. */
export type LongList = List & { readonly runs: readonly LongRun[] };

const LaidRow = z.strictObject({ bucket: column.int, n: column.int, nv: column.int });
const LongRow = ListRow.extend({ n: column.int, is_placed: column.bool });

/** Lays what is more than a bucket holds and goes to one place of a list in new buckets, and takes it, and what else comes to that list, out of what is late. */
export async function layLong(
  tx: Transaction,
  scope: TreeScope,
  late: Fragment,
  keepsPositions: boolean,
  limits: TreeLimits,
): Promise<readonly LongList[]> {
  const lists = await tx.any(sql.type(LongRow)`
    SELECT root_id, parent_id, count(*)::int AS n, ${keepsPositions}::boolean AND count(position) > 0 AND EXISTS (SELECT FROM tree_bucket b WHERE ${inScope('b', scope)} AND b.root_id = l.root_id AND b.list_id = coalesce(l.parent_id, 0)) AS is_placed
    FROM ${late} l GROUP BY root_id, parent_id HAVING count(*) > ${limits.max} ORDER BY root_id, parent_id`);
  const laid: LongList[] = [];
  // A few statements for each list that gets more than five hundred nodes.
  for (const { is_placed: isPlaced, n, ...list } of lists) {
    const runs = isPlaced
      ? await layPlaced(tx, scope, late, list, limits)
      : [{ rank: atEnd, ids: [], buckets: await layList(tx, scope, late, list, n, limits) }];
    if (runs.length > 0) laid.push({ ...list, runs });
  }
  return laid;
}

/** The same for a list to whose places nodes come; nothing is done where no place gets so many. NOTE: where others lengthen or shorten the list until its tree is taken, places beyond its end are those of before. */
async function layPlaced(
  tx: Transaction,
  scope: TreeScope,
  late: Fragment,
  list: List,
  limits: TreeLimits,
): Promise<readonly LongRun[]> {
  const runs = await planList(tx, scope, late, list, true);
  if (runs.every(({ ids }) => ids.length <= limits.max)) return [];
  const laid: LongRun[] = [];
  for (const run of runs)
    laid.push(
      run.ids.length <= limits.max
        ? run
        : { rank: run.rank, ids: run.ids, buckets: await layList(tx, scope, late, list, run.ids, limits) },
    );
  await tx.run(
    sql`DELETE FROM ${late} WHERE root_id = ${list.root_id} AND parent_id IS NOT DISTINCT FROM ${list.parent_id}::int`,
  );
  return laid;
}

/** Puts what comes to such lists there; gives how many nodes. The caller holds the trees. */
export async function placeAllLong(
  tx: Transaction,
  scope: TreeScope,
  lists: readonly LongList[],
  limits: TreeLimits,
): Promise<number> {
  let placed = 0;
  for (const list of lists) placed += await placeLong(tx, scope, list, limits);
  return placed;
}

async function placeLong(
  tx: Transaction,
  scope: TreeScope,
  { root_id: rootId, parent_id: parentId, runs }: LongList,
  limits: TreeLimits,
): Promise<number> {
  const tree = { ...scope, rootId };
  let placed = 0;
  for (const run of runs) {
    if ('buckets' in run) await spliceLaid(tx, tree, { parentId, ...run }, limits);
    else await splice(tx, tree, { parentId, rank: run.rank, arrivals: run.arrivals, mode: 'insert' }, limits);
    placed += 'buckets' in run ? countedIn(run.buckets) : run.arrivals.length;
  }
  return placed;
}

/** Lays nodes of a list in new buckets: all, so many, by their positions, or these in their order. */
async function layList(
  tx: Transaction,
  scope: TreeScope,
  late: Fragment,
  { root_id: rootId, parent_id: parentId }: List,
  which: number | readonly number[],
  limits: TreeLimits,
): Promise<readonly LaidBucket[]> {
  const [ids, count] = typeof which === 'number' ? [null, which] : [which, which.length];
  const numbers = await bucketNumbers(tx, Math.ceil(count / limits.target));
  return tx.any(sql.type(LaidRow)`
    WITH moved AS (
      DELETE FROM ${late} l ${ids === null ? sql.fragment`` : sql.fragment`USING unnest(${idArray(ids)}) WITH ORDINALITY AS u (id, nth)`}
      WHERE l.root_id = ${rootId} AND l.parent_id IS NOT DISTINCT FROM ${parentId}::int ${ids === null ? sql.fragment`` : sql.fragment`AND l.id = u.id`}
      RETURNING l.id, ${ids === null ? sql.fragment`l.position` : sql.fragment`u.nth`} AS place, l.seq, l.visible, l.level),
    laid AS (
      INSERT INTO tree_node (repo_id, kind, root_id, parent_id, id, visible, level, bucket, ord)
      SELECT ${scope.repoId}::int, ${scope.code}::smallint, ${rootId}::int, ${parentId}::int, s.id, s.visible, s.level,
        (${idArray(numbers)})[(s.i - 1) / ${limits.target}::int + 1], ((s.i - 1) % ${limits.target}::int + 1) * ${limits.ordStep}::bigint
      FROM (SELECT *, row_number() OVER (ORDER BY place, seq) AS i FROM moved) s RETURNING bucket, visible)
    SELECT bucket, count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv FROM laid GROUP BY bucket ORDER BY bucket DESC`);
}

const StagedChild = z.strictObject({
  id: column.int,
  visible: column.bool,
  level: column.maybeText,
  position: column.maybeInt,
});
type StagedChild = z.infer<typeof StagedChild>;

/** The nodes that come to a list, and where: with positions each at its own. */
async function planList(
  tx: Transaction,
  scope: TreeScope,
  late: Fragment,
  list: List,
  keepsPositions: boolean,
): Promise<readonly LongRun[]> {
  const children = await tx.any(sql.type(StagedChild)`
    SELECT id, visible, level, position FROM ${late} WHERE root_id = ${list.root_id} AND parent_id IS NOT DISTINCT FROM ${list.parent_id}::int ORDER BY position, seq`);
  const byId = new Map<number, Arrival>(children.map((child) => [child.id, child]));
  const hasPlaces = keepsPositions && children.some((child) => child.position !== null);
  const runs = hasPlaces
    ? planInsertions(await countChildren(tx, { ...scope, rootId: list.root_id }, list.parent_id), children)
    : [{ rank: atEnd, ids: children.map((child) => child.id) }];
  return runs.map((run) => ({ ...run, arrivals: run.ids.flatMap((id) => byId.get(id) ?? []) }));
}

/** Puts what is late for a list there, which takes a splice for each place; gives how many nodes. The caller holds the tree. */
export const spliceList = async (
  tx: Transaction,
  scope: TreeScope,
  late: Fragment,
  list: List,
  keepsPositions: boolean,
  limits: TreeLimits,
): Promise<number> =>
  placeLong(tx, scope, { ...list, runs: await planList(tx, scope, late, list, keepsPositions) }, limits);
