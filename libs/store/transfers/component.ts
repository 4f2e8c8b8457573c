// Moving an archival object with all below it to the end of another resource of the same repository (contract 5.4, trees 1.17).
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { Transaction } from '../connection/database.ts';
import { treeUnder } from '../records/writing/tree-place.ts';
import { keepVersion } from '../records/history/revision.ts';
import { implementerOf, writeEvent } from '../records/writing/service-events.ts';
import { moveAndTouch } from '../records/writing/move-to-root.ts';
import { redateRecords } from '../records/writing/redate.ts';
import { column } from '../connection/columns.ts';
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

const RootIdRow = z.strictObject({ root_id: column.int });

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
  // The component's row before its tree, as a save takes them.
  await tx.run(
    sql`SELECT FROM record WHERE kind = ${archivalObject.name} AND id = ${componentId} AND repo_id = ${repoId} FOR NO KEY UPDATE`,
  );
  // Asked by itself: it may have been moved while its row was waited for.
  const now = await tx.maybeOne(sql.type(RootIdRow)`
    SELECT root_id FROM tree_node WHERE repo_id = ${repoId} AND kind = ${archivalObject.tree?.code ?? 0} AND id = ${componentId}`);
  if (now === null) throw fail('not_found', 'That which does not exist cannot be moved.');
  const from = treeUnder(archivalObject, repoId, now.root_id);
  const to = treeUnder(archivalObject, repoId, resourceId);
  // What needs neither tree comes first: whoever works elsewhere in them waits for what follows. The event holds the resource, and fails where there is none.
  await keepVersion(tx, archivalObject.name, componentId, actor);
  await tx.run(
    sql`UPDATE record SET lock_version = lock_version + 1, user_mtime = now(), last_modified_by = ${actor} WHERE kind = ${archivalObject.name} AND id = ${componentId}`,
  );
  const records = [
    { ref: uriOf(resource, now.root_id, repoId), role: 'source' },
    { ref: target, role: 'outcome' },
    { ref: uriOf(archivalObject, componentId, repoId), role: 'transfer' },
  ];
  const event = await writeEvent(
    tx,
    { type: 'component_transfer', at: time.at, repoId, records, agents: await implementerOf(tx, agentUri) },
    actor,
    time.generatedValues,
  );
  await moveAndTouch(tx, archivalObject, from, to, { top: [componentId], rootUri: target }, actor, async () => {
    await redateRecords(tx, { kind: resource, ids: [...new Set([now.root_id, resourceId])] }, actor);
    await beforeTrees(event);
  });
  return event;
}
