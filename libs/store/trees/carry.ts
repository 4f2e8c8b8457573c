// What is done with nodes that go to another root before the trees are taken, and with what came below them meanwhile (decision 0037).
import { z } from 'zod';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { noteHiding, notesHiding, spreadHiding, tellByItself, tellsByItself } from '../search/hiding.ts';
import { countedIn, listsOf, placesAs, readBelow } from './below.ts';
import { idArray, inTree } from './conditions.ts';

/**
 * What has the new root already: the ids of what is below the nodes to be moved, the lists in which more of it may come (null where none was read), and whether
 * the nodes and it were hidden from the public's searches, as the target is.
 */
export type Carried = { readonly ids: readonly number[]; readonly lists: Fragment | null; readonly isHidden: boolean };

export const nothingCarried: Carried = { ids: [], lists: null, isHidden: false };
const HiddenRow = z.strictObject({ is_hidden: column.bool });

/**
 * Does what takes time where much is moved to the top level of another tree, without taking either tree, so that nobody is held up who works in other parts of them (decision 0037): all that is
 * below the nodes gets the new root with its lists, and is hidden where that is. The nodes themselves stay until moveToRoot moves them, which has to follow in the same transaction. The caller holds the
 * records of what it knows to be below; fails with `conflict` where some of it is moved meanwhile.
 */
export async function carryBelow(tx: Transaction, from: Tree, to: Tree, nodes: readonly number[]): Promise<Carried> {
  await tellByItself(tx, true);
  const ids = await carryIn(tx, from, to, nodes);
  await tellByItself(tx, false);
  const lists = ids.length === 0 ? null : idArray([...nodes, ...ids]);
  const target = await tx.maybeOne(sql.type(HiddenRow)`
    SELECT NOT (r.publish AND NOT r.suppressed) AS is_hidden FROM record r WHERE r.kind = tree_root_kind(${to.code}::smallint) AND r.id = ${to.rootId}`);
  if (target?.is_hidden !== true) return { ids, lists, isHidden: false };
  await hide(tx, to, [...nodes, ...ids]);
  await spreadHiding(tx);
  return { ids, lists, isHidden: true };
}

/** Another has moved what is to be moved. */
export const movedMeanwhile = (): Failure => fail('conflict', 'What is to be moved was moved meanwhile');

/** Gives what is in lists of a tree and below the new root, with the lists; gives its ids. The triggers of single nodes are quiet. */
async function carryIn(tx: Transaction, from: Tree, to: Tree, lists: readonly number[]): Promise<readonly number[]> {
  if (lists.length === 0) return [];
  const below = await readBelow(tx, from, lists);
  const taken = await tx.any(sql.type(NumberRow)`
    UPDATE tree_bucket b SET root_id = ${to.rootId} FROM unnest(${idArray(listsOf(lists, below))}) AS l(id) WHERE ${inTree('b', from)} AND b.list_id = l.id RETURNING b.n`);
  if (below.length === 0 && countedIn(taken) === 0) return [];
  const changed = await tx.run(
    sql`UPDATE tree_node t SET root_id = ${to.rootId} FROM ${placesAs(below)} WHERE ${inTree('t', from)} AND t.id = s.id AND t.list_id = s.list_id`,
  );
  if (changed < below.length) throw movedMeanwhile();
  // What came between the two readings is counted in the lists, and has the former root.
  const late = countedIn(taken) > below.length ? await carryIn(tx, from, to, lists) : [];
  return below.map(({ id }) => id).concat(late);
}

/**
 * What is left to do when nodes have come, both trees held: what came below them meanwhile, into the lists `filled`, follows them, and all is hidden from searches of the public where something above is, as the triggers would, in one statement
 * (decision 0025). `isHidden`: what isHiddenNow said of them. Gives the ids of what followed.
 */
export async function follow(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  carried: Carried,
  { filled, isHidden }: { readonly filled: readonly number[]; readonly isHidden: boolean },
): Promise<readonly number[]> {
  const late = filled.length === 0 ? [] : await followQuietly(tx, from, to, filled);
  const hidden = carried.isHidden ? late : [...ids, ...carried.ids, ...late];
  // All came under one parent. Where nothing above is hidden, what was hidden among them stays so, and nothing else is.
  if (isHidden && hidden.length > 0) await hide(tx, to, hidden);
  return late;
}

async function followQuietly(
  tx: Transaction,
  from: Tree,
  to: Tree,
  filled: readonly number[],
): Promise<readonly number[]> {
  await tellByItself(tx, true);
  const late = await carryIn(tx, from, to, filled);
  await tellByItself(tx, false);
  return late;
}

/** Whether something above nodes that came is hidden; from this statement on the triggers speak again. */
export async function asksHidden(
  tx: Transaction,
  to: Tree,
  ids: readonly number[],
  carried: Carried,
): Promise<boolean> {
  const { is_hidden: isHidden } = await tx.one(sql.type(HiddenRow)`SELECT ${isHiddenNow(to, ids, carried)}`);
  return isHidden;
}

/**
 * The same as the end of a SELECT of one row from nowhere. Where something was hidden before, it notes that: what was counted before this moment is not to be shown after it.
 */
export const isHiddenNow = (to: Tree, ids: readonly number[], carried: Carried): Fragment => sql.fragment`
    has_hidden_ancestor(tree_node_kind(${to.code}::smallint), ${ids[0] ?? 0}::int, ${to.repoId}::int) AS is_hidden
    ${carried.isHidden ? notesHiding : sql.fragment``} WHERE ${tellsByItself(false)}`;

/** Hides nodes from searches of the public, and notes it. */
async function hide(tx: Transaction, { code }: Tree, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await tx.run(sql`
    INSERT INTO search_hidden (kind, id, reach)
    SELECT tree_node_kind(${code}::smallint), s.id, 'public' FROM unnest(${idArray(ids)}) AS s(id)`);
  await noteHiding(tx);
}
