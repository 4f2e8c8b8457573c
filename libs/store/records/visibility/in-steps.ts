// Publishing and suppressing trees in steps: transactions of a thousand records, so that nobody who works elsewhere in the tree waits for the
// whole (docs/decisions/0036). What is hidden is so with the first of them, in which its top goes; what is shown, with the last.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { spreadHiding, tellByItself } from '../../search/hiding.ts';
import { matchVisibleEach } from '../../trees/visibility.ts';
import { holdKeys } from '../writing/lock-order.ts';
import type { IdsOfKind, TreePlace } from './reach.ts';
import { nodesAmong, readGraph, treePlaceOf } from './reach.ts';

/** So many records are written by one step: some 0.1 s, and what a step costs besides is little against it. */
export const recordsAtOnce = 1000;

/** Of records that others work in, as they only link to what is merged or deleted, a step writes fewer: a thousand took 0.3 to 0.75 s on a busy machine. */
export const holdersAtOnce = 250;

/** One transaction of many; `work` may be repeated and gives how many records it wrote. `records`: how many it looks at. */
export type Step = { readonly records: number; readonly work: (tx: Transaction) => Promise<number> };

/** The record that is published or suppressed with all below it. */
export type Top = { readonly kind: Kind; readonly id: number; readonly repoId: number | null };

/** A tree, or a part of one, that is too large for one transaction: what is below the top, in blocks in order of id. */
export type LargePart = { readonly place: TreePlace; readonly blocks: readonly (readonly number[])[] };

/** What is to be done in steps: the part of a tree below a record, where that is more than a step's records; null for all else. */
export async function readLargePart(
  reader: Reader,
  { kind, id, repoId }: Top,
  atOnce: number,
): Promise<LargePart | null> {
  const place = await treePlaceOf(reader, kind, id, repoId);
  if (place === null) return null;
  const graph = await readGraph(reader, kind, id, place);
  const ids = nodesAmong(graph, place);
  const below = ids.filter((each) => place.isRoot || each !== id).toSorted((a, b) => a - b);
  return below.length <= atOnce ? null : { place, blocks: blocksOf(below, atOnce) };
}

/** A list in blocks of a size, the last of which may be shorter. */
export const blocksOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

/** The top containers that records below a top are in, or the top itself, in blocks in order of id. */
export async function containersOf(
  reader: Reader,
  top: Top,
  { place, blocks }: LargePart,
): Promise<readonly (readonly number[])[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT DISTINCT l.target_id AS id FROM (SELECT ${place.node.name}::text AS kind, id FROM unnest(${sql.array(blocks.flat(), 'int4')}) AS u (id) UNION ALL SELECT ${top.kind.name}, ${top.id}::int) AS s
    JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id AND l.target_kind = ${topContainer.name} ORDER BY 1`);
  return blocksOf(
    rows.map(({ id }) => id),
    recordsAtOnce,
  );
}

const StateRow = z.strictObject({ publish: column.bool.nullable(), suppressed: column.bool });

/**
 * Holds a block below the top against writes, and the top for it, and says that the block tells searches by itself what it hides or shows: of what is hidden below a
 * hidden record the public sees nothing as it is, and what is shown is looked at once more in the last step. Where somebody has shown the top since the
 * first step, the triggers of single records tell. Editors of the top alone wait, for this one block. Gives whether the block tells. `not_found` where the top is gone.
 */
export async function holdTop(
  tx: Transaction,
  { kind, id, repoId }: Top,
  block: IdsOfKind,
  hides: boolean,
): Promise<boolean> {
  const below = block.ids.map((each) => ({ kind: block.kind.name, id: each }));
  // In one order, where others wait for the top while they have some of the block. Who deletes both has the block, too, before it keeps anybody from holding the top against that.
  await holdKeys(tx, hides ? [{ kind: kind.name, id }, ...below] : below, 'writes');
  const row = await tx.maybeOne(sql.type(StateRow)`
    SELECT publish, suppressed FROM record WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int ${hides ? sql.fragment`FOR SHARE` : sql.fragment`FOR KEY SHARE`}`);
  if (row === null) throw fail('not_found', `${kind.model} not found`);
  // The last step waits for the disk, and with it for all before it; what a crash takes until then the next run of the job does again.
  await tx.run(sql`SET LOCAL synchronous_commit = off`);
  const tells = !hides || row.publish === false || row.suppressed;
  if (tells) await tellByItself(tx, true);
  return tells;
}

/**
 * Ends the step that hides the top: what is hidden with it is found before the tree is held for its own place, since that takes as long as there
 * is much below.
 */
export async function hideTop(tx: Transaction, { kind, id }: Top, place: TreePlace): Promise<void> {
  await spreadHiding(tx);
  if (!place.isRoot) await matchVisibleEach(tx, place.tree, kind.name, [id]);
}

/** Ends the step that shows the top: where anything is hidden, all below it is looked at by the index, since the blocks said nothing. */
export async function showTop(tx: Transaction, { kind, id, repoId }: Top, place: TreePlace): Promise<void> {
  await tx.run(sql`
    INSERT INTO reindex_fan (lane, way, kind, id, repo_id) SELECT 1, 'below', ${kind.name}, ${id}::int, ${repoId}::int WHERE EXISTS (SELECT FROM search_hidden)`);
  if (!place.isRoot) await matchVisibleEach(tx, place.tree, kind.name, [id]);
}
