// Handler of moves: one transaction in the mailbox of the root.
import { kindNamed } from '#domain/addresses.ts';
import { moveNodes } from '#domain/jobs/move-nodes.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import { defineHandler } from '../handler.ts';

/** Moves the nodes; the value tells how many may have changed their place. */
export const handler = defineHandler(moveNodes, async (payload, context) =>
  context.transaction(async (tx) => {
    const { parentId, position, ids } = payload;
    const moved = await moveRecords(
      tx,
      kindNamed(payload.nodeKind),
      payload.repoId,
      payload.rootId,
      { parentId, position, ids },
      payload.actor,
    );
    await context.complete(tx, { moved });
    return { moved };
  }),
);
