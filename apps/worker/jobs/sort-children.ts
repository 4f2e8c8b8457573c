// Handler of sorting: one transaction, which a dry run takes back. The log tells who stands where.
import { maySeeSuppressed } from '#domain/access/suppression.ts';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { notOfTree, sortChildren } from '#domain/jobs/sort-children.ts';
import { textOf, textsOf } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { childKindOf } from '#domain/tree/node-kinds.ts';
import { parseSortBy } from '#domain/tree/sort-children.ts';
import type { Transaction } from '#store/connection/database.ts';
import { requireShown } from '#store/records/reading/read.ts';
import { sortChildren as sortRecords } from '#store/records/writing/sort-children.ts';
import { defineHandler } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';
import { dryRun } from '../job-steps/dry-run.ts';
import { logList } from '../job-steps/log-list.ts';

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
  const sort = (tx: Transaction) =>
    sortRecords(tx, node, { repoId, id: address.id, isRoot: kind !== node }, keys, actor);
  const tell = ({
    total,
    moved,
  }: Awaited<ReturnType<typeof sort>>): { readonly children: number; readonly moved: number } => {
    logList(moved, context.log, ({ id, label, from, to }) => `${from} -> ${to} ${uriOf(node, id, repoId)} ${label}`);
    context.log(`${moved.length} of ${total} children of ${parent} change their places.`);
    return { children: total, moved: moved.length };
  };
  const options = { statementTimeoutMs: sortChildren.timeoutSeconds * 1000 };
  if (job['dry_run'] === true) {
    const value = { ...tell(await dryRun(context, sort, options)), dry_run: true };
    context.log('Dry run: nothing is stored.');
    return value;
  }
  return context.transaction(async (tx) => {
    const sorted = await sort(tx);
    const value = tell(sorted);
    await context.changedRecords(
      tx,
      sorted.moved.map(({ id }) => uriOf(node, id, repoId)),
    );
    await context.complete(tx, value);
    return value;
  }, options);
});
