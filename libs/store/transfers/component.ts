// Moving an archival object with all below it to the end of another resource of the same repository (contract 5.4, trees 1.17).
import { uriOf } from '#domain/addresses.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { Transaction } from '../connection/database.ts';
import { treeUnder } from '../records/writing/tree-place.ts';
import { keepVersion } from '../records/history/revision.ts';
import { implementerOf, writeEvent } from '../records/writing/service-events.ts';
import { moveAndTouch } from '../records/writing/move-to-root.ts';
import { redateRecords } from '../records/writing/redate.ts';
import { IdRow } from '../connection/columns.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { placesOf, subtreeIds } from '../trees/read.ts';
import { sql } from '../connection/sql.ts';
import type { EventTime } from './transfer.ts';

/** What goes where, and for whom. */
export type ComponentTransfer = {
  readonly repoId: number;
  readonly componentId: number;
  readonly resourceId: number;
  readonly actor: string | null;
  readonly agentUri: string | null;
};

/**
 * Moves a component and everything below it; gives the uri of the event that tells of it. The component's version rises, as its resource
 * is one of its properties. `beforeTrees` gets that uri when all is written but for the trees, which are held from then on to the end of the transaction. Fails with
 * `not_found`, `unknown_reference` for the resource, `not_unique` where a `ref_id` is taken there.
 */
export async function transferComponent(
  tx: Transaction,
  { repoId, componentId, resourceId, actor, agentUri }: ComponentTransfer,
  time: EventTime,
  beforeTrees: (event: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const target = uriOf(resource, resourceId, repoId);
  const node = { repoId, code: archivalObject.tree?.code ?? 0 };
  const rootOf = async (): Promise<number | undefined> =>
    (await placesOf(tx, node, [componentId])).get(componentId)?.root_id;
  const before = await rootOf();
  if (before === undefined) throw notThere();
  // All that moves, in one order, as a deletion of the resource takes it; the records before their trees, as a save takes them.
  const below = await subtreeIds(tx, treeUnder(archivalObject, repoId, before), [componentId]);
  await holdRecords(
    tx,
    sql.fragment`SELECT ${archivalObject.name}::text AS kind, u.id FROM unnest(${sql.array([componentId, ...below], 'int4')}) AS u (id)`,
    'writes',
  );
  // Asked again: it may have been moved while its row was waited for.
  const root = await rootOf();
  if (root === undefined) throw notThere();
  await refuseMissing(tx, resourceId, repoId);
  const from = treeUnder(archivalObject, repoId, root);
  const to = treeUnder(archivalObject, repoId, resourceId);
  // What needs neither tree comes first: whoever works elsewhere in them waits for what follows.
  await keepVersion(tx, archivalObject.name, componentId, actor);
  await tx.run(
    sql`UPDATE record SET lock_version = lock_version + 1, user_mtime = now(), last_modified_by = ${actor} WHERE kind = ${archivalObject.name} AND id = ${componentId}`,
  );
  const records = [
    { ref: uriOf(resource, root, repoId), role: 'source' },
    { ref: target, role: 'outcome' },
    { ref: uriOf(archivalObject, componentId, repoId), role: 'transfer' },
  ];
  const agents = await implementerOf(tx, agentUri);
  let event = '';
  await moveAndTouch(tx, archivalObject, from, to, { top: [componentId], rootUri: target }, actor, async () => {
    // Before the event, which holds both against deletion: who deletes one has it against writers first, and would wait for that, and this for the other.
    await redateRecords(tx, { kind: resource, ids: [...new Set([root, resourceId])] }, actor);
    event = await writeEvent(
      tx,
      { type: 'component_transfer', at: time.at, repoId, records, agents },
      actor,
      time.generatedValues,
    );
    await beforeTrees(event);
  });
  return event;
}

const notThere = (): Failure => fail('not_found', 'That which does not exist cannot be moved.');

/** Refuses a resource that is not there, before anything is moved; whether it still is at the end is for the event, which holds it. */
async function refuseMissing(tx: Transaction, id: number, repoId: number): Promise<void> {
  const row = await tx.maybeOne(
    sql.type(IdRow)`SELECT id FROM record WHERE kind = ${resource.name} AND id = ${id} AND repo_id = ${repoId}`,
  );
  if (row === null)
    throw fail('unknown_reference', `Can't relate to non-existent record: ${uriOf(resource, id, repoId)}`);
}
