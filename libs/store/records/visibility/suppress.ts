// Suppressing and unsuppressing: a record, all below it in its tree, the marks of their links, and the events that speak of nothing
// else (contract 5.2). A fixed number of statements, whatever the size of the tree. Large trees go in steps (in-steps.ts).
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import { fail } from '#domain/errors.ts';
import { event } from '#domain/kinds/event.ts';
import { appendManyFrom } from '../../change-log/append.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, IdRow, EmptyRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { noteHiding } from '../../search/hiding.ts';
import { matchVisibleEach } from '../../trees/visibility.ts';
import type { IdsOfKind } from './reach.ts';
import { graphKeys, nodesAmong, readGraph, treePlaceOf } from './reach.ts';
import type { Step } from './in-steps.ts';
import { hideTop, holdTop, readLargePart, recordsAtOnce, showTop } from './in-steps.ts';
import { holdRecords, lookUpByKey } from '../writing/lock-order.ts';
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
  const place = await treePlaceOf(tx, kind, id, repoId);
  const graph = await readGraph(tx, kind, id, place);
  // With the events, whose saves have these and then look at the records; against links only then, as those who make some wait for nobody who waits for them.
  await holdRecords(
    tx,
    sql.fragment`${graphKeys(graph)} UNION ALL SELECT l.source_kind, l.source_id FROM ${speakingOf(graph)}`,
    'writes',
  );
  await holdRecords(tx, graphKeys(graph), 'deletion and links');
  // Asked once it is held: it may have gone, or to another repository, while it was waited for.
  await requireRecord(tx, kind, id, repoId);
  let written = 0;
  for (const group of graph) written += await setState(tx, group, suppressed, actor);
  written += await setEvents(tx, graph, suppressed, actor);
  if (place !== null) await matchVisibleEach(tx, place.tree, place.node.name, nodesAmong(graph, place));
  tx.changed();
  return written;
}

/**
 * The same in steps, to be run one after another, each in a transaction of its own: small trees in one, large ones in blocks. What is suppressed is hidden from the public
 * with the first step, and from everybody with its block; what is shown again is shown to the public behind all that is below it. Events come last, when it is known what is shown. Run anew from the beginning they do what is left.
 */
export async function suppressSteps(
  reader: Reader,
  suppressing: Suppressing,
  atOnce: number = recordsAtOnce,
): Promise<readonly Step[]> {
  const { kind, id, repoId, suppressed, actor } = suppressing;
  const large = await readLargePart(reader, suppressing, atOnce);
  if (large === null) return [{ records: 1, work: (tx) => suppressRecord(tx, suppressing) }];
  const { place, blocks } = large;
  const graph = [{ kind, ids: [id] }, ...blocks.map((ids) => ({ kind: place.node, ids }))];
  const write = async (tx: Transaction, group: IdsOfKind, tells: boolean): Promise<number> => {
    const written = await setState(tx, group, suppressed, actor, tells);
    tx.changed();
    return written;
  };
  const top: Step = {
    records: 1,
    work: async (tx) => {
      await requireRecord(tx, kind, id, repoId);
      const written = await write(tx, { kind, ids: [id] }, false);
      await (suppressed ? hideTop : showTop)(tx, suppressing, place);
      return written;
    },
  };
  const below = blocks.map((ids): Step => ({
    records: ids.length,
    work: async (tx) => {
      const block = { kind: place.node, ids };
      const tells = (await holdTop(tx, suppressing, block, suppressed)) && suppressed;
      const written = await write(tx, block, tells);
      await matchVisibleEach(tx, place.tree, place.node.name, ids);
      if (tells && written > 0) await noteHiding(tx);
      return written;
    },
  }));
  const events: Step = { records: 0, work: (tx) => setEvents(tx, graph, suppressed, actor) };
  return suppressed ? [top, ...below, events] : [...below, top, events];
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
 * it meanwhile (checkTargets), so that a link is either marked here or made in the knowledge of the new state. `tells`: searches are told by this
 * statement, and not by the triggers.
 */
async function setState(
  tx: Transaction,
  { kind, ids }: IdsOfKind,
  suppressed: boolean,
  actor: string | null,
  tells = false,
): Promise<number> {
  await lookUpByKey(tx);
  const { written } = await tx.one(sql.type(WrittenRow)`
    WITH held AS MATERIALIZED (
      SELECT r.* FROM unnest(${sql.array([...ids], 'int4')}) AS u (id) JOIN record r ON r.kind = ${kind.name} AND r.id = u.id ORDER BY r.id FOR UPDATE OF r
    ), kept AS (${keepRevisions(sql.fragment`held r WHERE r.suppressed <> ${suppressed}`, suppressed ? 'suppress' : 'unsuppress', actor)}),
    written AS (
      UPDATE record r SET suppressed = ${suppressed}, system_mtime = now() FROM held h
      WHERE r.kind = ${kind.name} AND r.id = h.id AND h.suppressed <> ${suppressed} RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ), logged AS (${appendManyFrom('written', 'update', actor)})${tells ? sql.fragment`, hidden AS (INSERT INTO search_hidden (kind, id, reach, repo_id) SELECT kind, id, 'suppressed', repo_id FROM written)` : sql.fragment``}
    SELECT count(*)::int AS written FROM written`);
  await markLinks(tx, { kind, ids }, suppressed);
  return written;
}

/** A link is marked while one of its ends is suppressed. It is held before the far end is looked at, which somebody who has it may be changing. */
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
    const links = sql.fragment`${own} JOIN link l ON ${end(near, 'kind')} = ${kind.name} AND ${end(near, 'id')} = u.id`;
    await tx.run(
      sql`SELECT count(*) FROM (SELECT FROM ${links} ORDER BY l.source_kind, l.source_id, l.ordinal FOR UPDATE OF l) AS held`,
    );
    await tx.run(sql`
      WITH held AS (SELECT l.source_kind, l.source_id, l.ordinal, ${state} AS state FROM ${links})
      UPDATE link l SET suppressed = held.state FROM held
      WHERE l.source_kind = held.source_kind AND l.source_id = held.source_id AND l.ordinal = held.ordinal AND l.suppressed <> held.state`);
  }
}

async function setEvents(
  tx: Transaction,
  graph: readonly IdsOfKind[],
  suppressed: boolean,
  actor: string | null,
): Promise<number> {
  const ids = await eventsFor(tx, graph, suppressed);
  if (ids.length === 0) return 0;
  tx.changed();
  return setState(tx, { kind: event, ids }, suppressed, actor);
}

/** The links by which events speak of records, for FROM. */
const speakingOf = (graph: readonly IdsOfKind[]): Fragment =>
  sql.fragment`(${graphKeys(graph)}) AS g JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id AND l.property = 'linked_records' AND l.source_kind = ${event.name}`;

/** Holds the events that speak of the records, and gives those that change with them: those whose linked records are all suppressed now, or that have one that is not. */
async function eventsFor(
  tx: Transaction,
  graph: readonly IdsOfKind[],
  suppressed: boolean,
): Promise<readonly number[]> {
  const speaking = speakingOf(graph);
  // Who changes another of their records holds them too: the second of two sees what the first has done.
  await holdRecords(
    tx,
    sql.fragment`SELECT l.source_kind AS kind, l.source_id AS id FROM ${speaking}`,
    'deletion and links',
  );
  const others = sql.fragment`EXISTS (SELECT FROM link o JOIN record t ON t.kind = o.target_kind AND t.id = o.target_id
    WHERE o.source_kind = ${event.name} AND o.source_id = e.id AND o.property = 'linked_records' AND NOT t.suppressed)`;
  const rows = await tx.any(sql.type(IdRow)`
    WITH e AS MATERIALIZED (SELECT DISTINCT l.source_id AS id FROM ${speaking})
    SELECT e.id FROM e JOIN record r ON r.kind = ${event.name} AND r.id = e.id WHERE r.suppressed <> ${suppressed} AND ${suppressed ? sql.fragment`NOT ` : sql.fragment``}${others}`);
  return rows.map((row) => row.id);
}
