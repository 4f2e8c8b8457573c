// Merging records into one (contract 5.6, trees-and-jobs 4): one transaction of a fixed number of statements for each record that goes,
// however many links and components there are. Where there are many holders of refs, most of them were led over in steps before it (holders-first.ts).
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { withoutBody } from '#domain/checking/bodiless-refusal.ts';
import type { Enumerations, Prepared } from '#domain/checking/prepare.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { noteLine } from '#domain/merges/adopted.ts';
import type { MergeRecords, MergeWhat } from '#domain/merges/merges.ts';
import { merges } from '#domain/merges/merges.ts';
import { combine } from '#domain/merges/selections.ts';
import type { Transaction } from '../connection/database.ts';
import { prepareFor } from '../repositories/service-agents.ts';
import { deleteRows } from '../records/deleting/delete.ts';
import { markSuppressedLinks } from '../records/writing/link-marks.ts';
import { readRecord } from '../records/reading/read.ts';
import { keepVersion } from '../records/history/revision.ts';
import { implementerOf, writeEvent } from '../records/writing/service-events.ts';
import { BodyRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { EventTime } from '../transfers/transfer.ts';
import { keepBodyDigests, rewriteBodies } from './moved-refs.ts';
import { checkMerge, goneRows, lockForMerge, uriOfRecord } from './check.ts';
import { keepLed } from './holders-first.ts';
import { keepLinks, moveLinks, dropDoubledLinks, placeMutualLinks } from './moved-links.ts';
import { adopt, rewriteSurvivor, signRecord } from './survivor.ts';
import { nodesOf, prepareTrees } from './moved-components.ts';

/** What is merged, for whom; `id` is the number of the job, under which the merge is kept. `selections`: of agent_detail alone. */
export type Merge = {
  readonly id: number;
  readonly what: MergeWhat;
  readonly records: MergeRecords;
  readonly actor: string | null;
  readonly agentUri: string | null;
  readonly selections: JsonObject | null;
};

/** What the merge writes beside records: the time of its event, generated values, and the lists to check a combined agent against. */
export type MergeSettings = EventTime & { readonly enumerations: Enumerations };

const GoneRow = z.strictObject({ kind: column.text, id: column.int, body: column.text });
type GoneRow = z.infer<typeof GoneRow>;
const everything = { seesSuppressed: true, seesConfidential: true };

const MovedRow = z.strictObject({ moved: column.int });

/**
 * Merges records and keeps what is needed to lead old addresses on and to undo it. Gives how many links were led to the survivor; `beforeTrees` gets the number when all is
 * written but for trees, which are held from then on to the end of the transaction. Fails as checkMerge does; with `not_unique` where an id of a component is taken in the survivor's tree; with `invalid_record` or `bad_parameter`
 * where the chosen fields do not make a valid agent. Nothing is changed then.
 */
export async function mergeRecords(
  tx: Transaction,
  merge: Merge,
  settings: MergeSettings,
  beforeTrees: (moved: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const { id, what, records, actor } = merge;
  const { survivor, gone } = records;
  if (gone.length === 0) return 0;
  await lockForMerge(tx, records);
  await checkMerge(tx, records, merges[what].key);
  await keepVersion(tx, survivor.kind, survivor.id, actor);
  const candidate = merge.selections === null ? null : await recordOf(tx, gone[0]);
  const rows = await keepGone(tx, merge);
  await keepLinks(tx, id, records);
  await placeMutualLinks(tx, id, records);
  await rewriteBodies(tx, id, records, actor);
  await dropDoubledLinks(tx, id, records, uriOfRecord(survivor));
  await moveLinks(tx, id, records, actor);
  if (nodesOf(survivor) !== null) await tellOf(tx, merge, rows, settings);
  await removeGone(tx, records, actor);
  const own: JsonObject = JSON.parse(
    (await tx.one(sql.type(BodyRow)`SELECT body FROM record WHERE kind = ${survivor.kind} AND id = ${survivor.id}`))
      .body,
  );
  // Stored bodies are our own canonical text.
  await adopt(
    tx,
    id,
    survivor,
    own,
    rows.map((row) => ({ kind: row.kind, id: row.id, body: JSON.parse(row.body) })),
  );
  if (merge.selections !== null && candidate !== null)
    await applySelections(tx, merge, candidate, merge.selections, settings);
  await markSuppressedLinks(tx, [survivor]);
  await signRecord(tx, survivor, actor);
  await keepBodyDigests(tx, id);
  await keepLed(tx, id);
  const { moved } = await tx.one(sql.type(MovedRow)`
    SELECT count(*)::int AS moved FROM merge_link WHERE merge_id = ${id} AND now_ordinal IS NOT NULL`);
  const adoptTrees = await prepareTrees(tx, id, records, actor);
  // Trees come last: whoever works elsewhere in that of the survivor waits from there on.
  await beforeTrees(moved);
  await adoptTrees();
  return moved;
}

async function recordOf(tx: Transaction, address: MergeRecords['survivor'] | undefined): Promise<JsonObject> {
  if (address === undefined) return {};
  return JSON.parse((await readRecord(tx, kindNamed(address.kind), address.id, address.repoId, everything)).text);
}

async function keepGone(
  tx: Transaction,
  { id, what, records: { survivor, gone }, actor }: Merge,
): Promise<readonly GoneRow[]> {
  await tx.run(
    sql`INSERT INTO merge (id, what, survivor_kind, survivor_id, repo_id, actor) VALUES (${id}, ${what}, ${survivor.kind}, ${survivor.id}, ${survivor.repoId}, ${actor})`,
  );
  await tx.run(
    sql`INSERT INTO merge_key (merge_id, rule, scope, value, kind, id) SELECT ${id}::int, k.rule, k.scope, k.value, k.kind, k.id FROM ${goneRows(gone)} JOIN unique_key k ON k.kind = g.kind AND k.id = g.id`,
  );
  return tx.any(sql.type(GoneRow)`
    WITH kept AS (
      INSERT INTO merge_gone (merge_id, n, kind, id, repo_id, lock_version, publish, suppressed, label, created_by, last_modified_by, create_time, user_mtime, body)
      SELECT ${id}::int, g.n, r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by, r.create_time, r.user_mtime, r.body
      FROM ${goneRows(gone)} JOIN record r ON r.kind = g.kind AND r.id = g.id RETURNING n, kind, id, body
    ) SELECT kind, id, body FROM kept ORDER BY n`);
}

/** The event that tells of merged roots (contract 5.6). */
async function tellOf(
  tx: Transaction,
  { id, records: { survivor }, actor, agentUri }: Merge,
  rows: readonly GoneRow[],
  { at, generatedValues }: MergeSettings,
): Promise<void> {
  const agents = await implementerOf(tx, agentUri);
  if (survivor.repoId === null || agents.length === 0) return;
  const outcomeNote = rows.map((row) => noteLine(JSON.parse(row.body))).join('\n');
  const records = [{ ref: uriOfRecord(survivor), role: 'outcome' }];
  const uri = await writeEvent(
    tx,
    { type: 'component_transfer', at, repoId: survivor.repoId, records, agents, outcome: 'pass', outcomeNote },
    actor,
    generatedValues,
  );
  await tx.run(sql`UPDATE merge SET event_id = ${parseUri(uri)?.id ?? null} WHERE id = ${id}`);
}

async function removeGone(tx: Transaction, { gone }: MergeRecords, actor: string | null): Promise<void> {
  const kinds = [...new Set(gone.map((one) => one.kind))];
  await kinds.reduce<Promise<void>>(
    (before, name) =>
      before.then(() => {
        const ids = gone.filter((one) => one.kind === name).map((one) => one.id);
        return deleteRows(tx, { kind: kindNamed(name), ids }, gone[0]?.repoId ?? null, actor);
      }),
    Promise.resolve(),
  );
}

async function applySelections(
  tx: Transaction,
  { id, records: { survivor }, actor }: Merge,
  candidate: JsonObject,
  selections: JsonObject,
  { generatedValues, enumerations }: MergeSettings,
): Promise<void> {
  const combined = combine(await recordOf(tx, survivor), candidate, selections);
  if (combined.count === 0) return;
  if (survivor.repoId !== null) throw fail('internal', 'a detailed merge is of agents, which are in no repository');
  await rewriteSurvivor(
    tx,
    id,
    survivor,
    checkedAgent(survivor.kind, () =>
      prepareFor(survivor.kind, combined.record, 'update', { actor, generatedValues, enumerations }),
    ),
    generatedValues,
  );
}

/** A refusal without the body, which has contact details: it stands in the job, and goes to whoever merges, who may not be shown them. */
function checkedAgent(kind: string, check: () => Prepared): Prepared {
  try {
    return check();
  } catch (error) {
    throw error instanceof Failure ? withoutBody(error, kindNamed(kind).confidential) : error;
  }
}
