// Suppressing and unsuppressing: a record, all below it in its tree, the marks of their links, and the events that speak of nothing
// else (contract 5.2). A fixed number of statements, whatever the size of the tree.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import { fail } from '#domain/errors.ts';
import { event } from '#domain/kinds/event.ts';
import { appendManyFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { column, IdRow, EmptyRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { matchVisible } from '../../trees/visibility.ts';
import type { IdsOfKind } from './reach.ts';
import { graphKeys, readGraph, treePlaceOf } from './reach.ts';
import { holdRecords } from '../writing/lock-order.ts';
import { keepRevisions } from '../history/revision.ts';

/** What is suppressed, or shown again. */
export type Suppressing = {
  readonly kind: Kind;
  readonly id: number;
  readonly repoId: number | null;
  readonly suppressed: boolean;
  readonly actor: string | null;
};

/**
 * Gives a record and everything below it the same state, whatever each had before. `lock_version` and `user_mtime` stay; what changes is kept
 * in its history. Gives the number of records written, events included. Fails with `not_found`; a suppressed record is found.
 */
export async function suppressRecord(tx: Transaction, suppressing: Suppressing): Promise<number> {
  const { kind, id, repoId, suppressed, actor } = suppressing;
  await requireRecord(tx, kind, id, repoId);
  const place = await treePlaceOf(tx, kind, id, repoId);
  const graph = await readGraph(tx, kind, id, place);
  await holdRecords(tx, graphKeys(graph), 'deletion and links');
  let written = 0;
  for (const group of graph) written += await setState(tx, group, suppressed, actor);
  const events = await eventsFor(tx, graph, suppressed);
  if (events.length > 0) {
    const told = { kind: event, ids: events };
    await holdRecords(tx, graphKeys([told]), 'deletion and links');
    written += await setState(tx, told, suppressed, actor);
  }
  if (place !== null) await matchVisible(tx, place.tree, place.node.name, place.isRoot ? null : [id]);
  tx.changed();
  return written;
}

async function requireRecord(tx: Transaction, kind: Kind, id: number, repoId: number | null): Promise<void> {
  const row = await tx.maybeOne(
    sql.type(EmptyRow)`
      SELECT FROM record WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int`,
  );
  if (row === null) throw fail('not_found', `${kind.model} not found`);
}

const WrittenRow = z.strictObject({ written: column.int });

/**
 * Sets the state of records of one kind and marks their links. The rows are locked as for a delete: whoever makes a link to one of them holds
 * it meanwhile (checkTargets), so that a link is either marked here or made in the knowledge of the new state.
 */
async function setState(
  tx: Transaction,
  { kind, ids }: IdsOfKind,
  suppressed: boolean,
  actor: string | null,
): Promise<number> {
  const own = sql.fragment`unnest(${sql.array([...ids], 'int4')}) AS u (id)`;
  const changing = sql.fragment`r.kind = ${kind.name} AND r.id = u.id AND r.suppressed <> ${suppressed}`;
  const { written } = await tx.one(sql.type(WrittenRow)`
    WITH kept AS (${keepRevisions(sql.fragment`${own} JOIN record r ON ${changing}`, suppressed ? 'suppress' : 'unsuppress', actor)}),
    written AS (
      UPDATE record r SET suppressed = ${suppressed}, system_mtime = now() FROM ${own} WHERE ${changing} RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ), logged AS (${appendManyFrom('written', 'update', actor)})
    SELECT count(*)::int AS written FROM written`);
  await markLinks(tx, { kind, ids }, suppressed);
  return written;
}

/** A link is marked while one of its ends is suppressed. */
async function markLinks(tx: Transaction, { kind, ids }: IdsOfKind, suppressed: boolean): Promise<void> {
  const own = sql.fragment`unnest(${sql.array([...ids], 'int4')}) AS u (id)`;
  const hides = sql.array([...suppressibleKinds], 'text');
  // Held in one order, so that two such statements over common links do not wait for each other.
  for (const [near, far] of [
    ['source', 'target'],
    ['target', 'source'],
  ] as const) {
    const end = (side: 'source' | 'target', what: 'kind' | 'id') => sql.identifier(['l', `${side}_${what}`]);
    const state = suppressed
      ? sql.fragment`true`
      : sql.fragment`EXISTS (SELECT FROM record o WHERE o.kind = ${end(far, 'kind')} AND o.id = ${end(far, 'id')} AND o.kind = ANY(${hides}) AND o.suppressed)`;
    await tx.run(sql`
      WITH held AS (SELECT l.source_kind, l.source_id, l.ordinal, ${state} AS state FROM ${own} JOIN link l ON ${end(near, 'kind')} = ${kind.name} AND ${end(near, 'id')} = u.id
        ORDER BY 1, 2, 3 FOR UPDATE OF l)
      UPDATE link l SET suppressed = held.state FROM held
      WHERE l.source_kind = held.source_kind AND l.source_id = held.source_id AND l.ordinal = held.ordinal AND l.suppressed <> held.state`);
  }
}

/** The events that change with the records: those whose linked records are all suppressed now, or that have one that is not. */
async function eventsFor(
  tx: Transaction,
  graph: readonly IdsOfKind[],
  suppressed: boolean,
): Promise<readonly number[]> {
  const keys = sql.fragment`(${graphKeys(graph)}) AS g`;
  const others = sql.fragment`EXISTS (SELECT FROM link o JOIN record t ON t.kind = o.target_kind AND t.id = o.target_id
    WHERE o.source_kind = ${event.name} AND o.source_id = e.id AND o.property = 'linked_records' AND NOT t.suppressed)`;
  const rows = await tx.any(sql.type(IdRow)`
    WITH e AS MATERIALIZED (SELECT DISTINCT l.source_id AS id FROM ${keys} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id AND l.property = 'linked_records' AND l.source_kind = ${event.name})
    SELECT e.id FROM e JOIN record r ON r.kind = ${event.name} AND r.id = e.id WHERE r.suppressed <> ${suppressed} AND ${suppressed ? sql.fragment`NOT ` : sql.fragment``}${others}`);
  return rows.map((row) => row.id);
}
