// Publishing and unpublishing: the flag of a record, of everything it owns that has one, and of all below it in its tree
// (contract 5.1). Linked records are left alone. A fixed number of statements, whatever the size of the tree, but for records
// whose stored body has something that is chosen by the flags of its parts. Large trees go in steps (in-steps.ts).
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { JsonObject } from '#domain/json.ts';
import { appendManyFrom } from '../../change-log/append.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column, StoredRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { matchVisibleEach } from '../../trees/visibility.ts';
import type { IdsOfKind, TreePlace } from './reach.ts';
import { graphKeys, nodesAmong, readGraph, rootOf, treePlaceOf } from './reach.ts';
import type { Step } from './in-steps.ts';
import { containersOf, hideTop, holdTop, readLargePart, recordsAtOnce, showTop } from './in-steps.ts';
import { holdRecords, lookUpByKey } from '../writing/lock-order.ts';
import { redateContainers, redateRecords } from '../writing/redate.ts';
import { keepRevisions } from '../history/revision.ts';

/** What is published: `seesSuppressed` takes suppressed records along, which others cannot see (contract 5.1). */
export type Publishing = {
  readonly kind: Kind;
  readonly id: number;
  readonly repoId: number | null;
  readonly publish: boolean;
  readonly seesSuppressed: boolean;
  readonly actor: string | null;
};

/**
 * Sets the flag of a record and of all that it owns. `system_mtime` rises on what changed and on the record itself; `lock_version` and
 * `user_mtime` stay. What changes is kept in its history. Re-dates the containers in use and the root. Gives the number of records written. Fails with `not_found`.
 */
export async function publishRecord(tx: Transaction, publishing: Publishing): Promise<number> {
  const { kind, id, repoId, actor } = publishing;
  const place = await treePlaceOf(tx, kind, id, repoId);
  const graph = await readGraph(tx, kind, id, place);
  // With all that is re-dated, in one order: it goes by kinds, so nodes may come behind the containers and roots that others take after them.
  await holdRecords(tx, sql.fragment`${graphKeys(graph)}${redated(graph, place)}`, 'writes');
  await requireVisible(tx, publishing);
  let written = 0;
  // The record's kind and that of its nodes: at most two.
  for (const group of graph) {
    written += await flip(tx, group, publishing);
    await redateContainers(tx, group, actor);
    if (group.kind.whenPublished !== undefined) await chooseAnew(tx, group, group.kind.whenPublished);
  }
  // Records before trees, as whoever moves or deletes nodes takes them.
  if (place !== null && !place.isRoot) await redateRecords(tx, rootOf(place), actor);
  if (place !== null) await matchVisibleEach(tx, place.tree, place.node.name, nodesAmong(graph, place));
  tx.changed();
  return written;
}

/**
 * The same in steps, to be run one after another, each in a transaction of its own: small trees in one, large ones in blocks. What is unpublished is hidden with the
 * first step, what is published is shown with the last. Run anew from the beginning they do what is left.
 */
export async function publishSteps(
  reader: Reader,
  publishing: Publishing,
  atOnce: number = recordsAtOnce,
): Promise<readonly Step[]> {
  const { kind, id, publish, actor } = publishing;
  const large = await readLargePart(reader, publishing, atOnce);
  if (large === null) return [{ records: 1, work: (tx) => publishRecord(tx, publishing) }];
  const { place, blocks } = large;
  const write = async (tx: Transaction, group: IdsOfKind): Promise<number> => {
    await requireVisible(tx, publishing);
    const written = await flip(tx, group, publishing);
    if (group.kind.whenPublished !== undefined) await chooseAnew(tx, group, group.kind.whenPublished);
    tx.changed();
    return written;
  };
  const top: Step = {
    records: 1,
    work: async (tx) => {
      const written = await write(tx, { kind, ids: [id] });
      await (publish ? showTop : hideTop)(tx, publishing, place);
      return written;
    },
  };
  const below = blocks.map((ids): Step => ({
    records: ids.length,
    work: async (tx) => {
      const block = { kind: place.node, ids };
      await holdTop(tx, publishing, block, !publish);
      const written = await write(tx, block);
      await matchVisibleEach(tx, place.tree, place.node.name, ids);
      return written;
    },
  }));
  const redated = [
    ...(await containersOf(reader, publishing, large)).map((ids) => ({ kind: topContainer, ids })),
    ...(place.isRoot ? [] : [rootOf(place)]),
  ].map((group): Step => ({
    records: 0,
    work: async (tx) => {
      await redateRecords(tx, group, actor);
      return 0;
    },
  }));
  return publish ? [...below, ...redated, top] : [top, ...below, ...redated];
}

const SuppressedRow = z.strictObject({ suppressed: column.bool });

/** The containers of a graph and the root of a part of a tree, to be held with it. */
function redated(graph: readonly IdsOfKind[], place: TreePlace | null): Fragment {
  const containers = sql.fragment` UNION ALL SELECT l.target_kind, l.target_id FROM (${graphKeys(graph)}) AS g JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id AND l.target_kind = ${topContainer.name}`;
  return place === null || place.isRoot
    ? containers
    : sql.fragment`${containers} UNION ALL ${graphKeys([rootOf(place)])}`;
}

async function requireVisible(tx: Transaction, { kind, id, repoId, seesSuppressed }: Publishing): Promise<void> {
  const row = await tx.maybeOne(sql.type(SuppressedRow)`SELECT suppressed FROM record
    WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int`);
  if (row === null || (row.suppressed && !seesSuppressed)) throw fail('not_found', `${kind.model} not found`);
}

const WrittenRow = z.strictObject({ written: column.int });

/**
 * Turns the flags of records and, as text, of everything in their bodies. Bodies are our own canonical text without spaces, and inside a
 * JSON string the quotes of these characters would be escaped, so they stand where a flag is and nowhere else (decision 0004).
 */
async function flip(
  tx: Transaction,
  group: IdsOfKind,
  { id, kind, publish, seesSuppressed, actor }: Publishing,
): Promise<number> {
  const old = `"publish":${!publish}`;
  await lookUpByKey(tx);
  // Held in one order, and read as they are once they are held: what is kept is what changes.
  const row = await tx.one(sql.type(WrittenRow)`
    WITH held AS MATERIALIZED (
      SELECT r.*, strpos(r.body::text, ${old}) > 0 AS has_parts FROM unnest(${sql.array([...group.ids], 'int4')}) AS u (id) JOIN record r ON r.kind = ${group.kind.name} AND r.id = u.id
      WHERE ${seesSuppressed}::boolean OR NOT r.suppressed ORDER BY r.id FOR NO KEY UPDATE OF r
    ), kept AS (${keepRevisions(sql.fragment`held r WHERE r.publish IS DISTINCT FROM ${publish} OR r.has_parts`, publish ? 'publish' : 'unpublish', actor)}),
    written AS (
      UPDATE record r SET publish = ${publish}, system_mtime = now(),
        body = CASE WHEN h.has_parts THEN replace(h.body::text, ${old}, ${`"publish":${publish}`})::json ELSE r.body END
      FROM held h WHERE r.kind = ${group.kind.name} AND r.id = h.id AND (h.publish IS DISTINCT FROM ${publish} OR h.has_parts OR (r.kind = ${kind.name} AND r.id = ${id}))
      RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ), logged AS (${appendManyFrom('written', 'update', actor)})
    SELECT count(*)::int AS written FROM written`);
  return row.written;
}

const bodiesAtOnce = 500;

/** Lets the kind choose anew what follows from the flags of its parts: the representative file of digital objects. In blocks, as bodies are rewritten here. */
async function chooseAnew(tx: Transaction, group: IdsOfKind, choose: (body: JsonObject) => JsonObject): Promise<void> {
  for (let at = 0; at < group.ids.length; at += bodiesAtOnce) {
    const rows = await tx.any(sql.type(StoredRow)`
      SELECT r.id, r.body FROM unnest(${sql.array(group.ids.slice(at, at + bodiesAtOnce), 'int4')}) AS u (id)
      JOIN record r ON r.kind = ${group.kind.name} AND r.id = u.id WHERE strpos(r.body::text, '"file_versions":[{') > 0`);
    const chosen = rows.flatMap((row) => {
      const text = JSON.stringify(choose(JSON.parse(row.body)));
      return text === row.body ? [] : [[row.id, text]];
    });
    if (chosen.length > 0)
      await tx.run(
        sql`UPDATE record r SET body = u.body::json FROM ${sql.unnest(chosen, ['int4', 'text'])} AS u (id, body) WHERE r.kind = ${group.kind.name} AND r.id = u.id`,
      );
  }
}
