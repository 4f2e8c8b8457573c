// Handler of sorting: one transaction, begun anew where somebody changed the children meanwhile. The log tells who stands where.
import { maySeeSuppressed } from '#domain/access/suppression.ts';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { notOfTree, sortChildren } from '#domain/jobs/sort-children.ts';
import type { Json } from '#domain/json.ts';
import { textOf, textsOf } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { childKindOf } from '#domain/tree/node-kinds.ts';
import { parseSortBy } from '#domain/tree/sort-children.ts';
import { requireShown } from '#store/records/reading/read.ts';
import type { SortedChildren } from '#store/records/writing/sort-children.ts';
import { readSorting, takeTreeOf, writeSorting } from '#store/records/writing/sort-children.ts';
import { defineHandler } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';
import { logList } from '../job-steps/log-list.ts';
import { untilUnchanged } from '../job-steps/until-unchanged.ts';

/** Sorts; the value tells how many children there are, and how many of them moved. */
export const handler = defineHandler(sortChildren, async ({ repoId, actor, job }, context) => {
  const parent = textOf(job, 'parent') ?? '';
  const address = parseUri(parent);
  const kind = kinds.get(address?.kind ?? '');
  const node = kind === undefined ? null : childKindOf(kind);
  if (address === null || node === null || address.repoId !== repoId)
    throw fail('bad_parameter', {
      parent: [notOfTree],
    });
  demandOfOwner(context, repoId, node.may.update ?? '');
  // What the owner is not shown has no children to be moved, as in requests.
  const viewer = { seesSuppressed: maySeeSuppressed(context.caller, repoId) };
  await requireShown(context.database.reader, kindNamed(address.kind), [address.id], viewer);
  const keys = parseSortBy(textsOf(job, 'sort_by'));
  const place = { repoId, id: address.id, isRoot: kind !== node };
  const tell = ({ total, moved }: SortedChildren): { readonly children: number; readonly moved: number } => {
    logList(moved, context.log, ({ id, label, from, to }) => `${from} -> ${to} ${uriOf(node, id, repoId)} ${label}`);
    context.log(`${moved.length} of ${total} children of ${parent} change their places.`);
    return { children: total, moved: moved.length };
  };
  const options = { statementTimeoutMs: sortChildren.timeoutSeconds * 1000 };
  if (job['dry_run'] === true) {
    const sorting = await context.transaction((tx) => readSorting(tx, node, place, keys), options);
    const value = { ...tell(sorting), dry_run: true };
    context.log('Dry run: nothing is stored.');
    return value;
  }
  const sort = (isHeld: boolean): Promise<Json> =>
    context.transaction(async (tx) => {
      if (isHeld) await takeTreeOf(tx, node, place);
      const sorting = await readSorting(tx, node, place, keys);
      const value = tell(sorting);
      await context.changedRecords(
        tx,
        sorting.moved.map(({ id }) => uriOf(node, id, repoId)),
      );
      await writeSorting(tx, sorting, actor, () => context.completeAhead(tx, value));
      return value;
    }, options);
  return untilUnchanged(context, 'they are sorted anew', sort);
});
