// Handler of moves: one transaction in the mailbox of the root, begun anew where somebody changed meanwhile what it had read of many.
import { kindNamed } from '#domain/addresses.ts';
import { moveNodes } from '#domain/jobs/move-nodes.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import { takeTreeOf } from '#store/records/writing/sort-children.ts';
import { defineHandler } from '../handler.ts';
import { untilUnchanged } from '../job-steps/until-unchanged.ts';

/** Moves the nodes; the value tells how many may have changed their place. */
export const handler = defineHandler(moveNodes, async (payload, context) => {
  const { nodeKind, repoId, rootId, parentId, position, ids, actor } = payload;
  const node = kindNamed(nodeKind);
  return untilUnchanged(context, 'they are moved anew', (isHeld) =>
    context.transaction(async (tx) => {
      if (isHeld) await takeTreeOf(tx, node, { repoId, id: rootId, isRoot: true });
      const move = { parentId, position, ids };
      const moved = await moveRecords(tx, node, repoId, rootId, move, actor, (count) =>
        context.completeAhead(tx, { moved: count }),
      );
      return { moved };
    }),
  );
});
