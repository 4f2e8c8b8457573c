// Handler of trimming titles (contract trees-and-jobs 3.6): one transaction; kinds that the owner may not change are left alone.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { trimWhitespace } from '#domain/jobs/trim-whitespace.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { IdsOfKind } from '#store/records/visibility/reach.ts';
import { holdGroups } from '#store/records/writing/lock-order.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import { untrimmedIds } from '#store/records/reading/untrimmed.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

const trimmedKinds = ['resource', 'archival_object', 'accession', 'digital_object', 'digital_object_component'].map(
  kindNamed,
);
const blockSize = 1000;

/** Trims; the value tells how many records changed, by kind. */
export const handler = defineHandler(trimWhitespace, async ({ repoId, actor }, context) => {
  return context.transaction(
    async (tx) => {
      const changed: { [kind: string]: number } = {};
      const groups: IdsOfKind[] = [];
      for (const kind of trimmedKinds) {
        if (!can(context.caller, kind.may.update ?? '', repoId))
          context.log(`Left alone: ${kind.name}, which the owner of the job may not change`);
        else groups.push({ kind, ids: await untrimmedIds(tx, kind, repoId) });
      }
      // All at once, in the order in which everybody does: kind by kind, roots of trees would come before what is in them.
      await holdGroups(tx, groups, 'writes');
      for (const group of groups) changed[group.kind.name] = await trimKind(tx, group, { repoId, actor }, context);
      await context.complete(tx, { changed });
      return { changed };
    },
    { statementTimeoutMs: trimWhitespace.timeoutSeconds * 1000 },
  );
});

async function trimKind(
  tx: Transaction,
  { kind, ids }: IdsOfKind,
  { repoId, actor }: { readonly repoId: number; readonly actor: string | null },
  context: JobContext,
): Promise<number> {
  let changed = 0;
  for (let at = 0; at < ids.length; at += blockSize) {
    context.signal.throwIfAborted();
    const rows = await lockStored(tx, kind, ids.slice(at, at + blockSize), repoId);
    const revised = rows.flatMap(({ id, body }) => {
      const old: JsonObject = JSON.parse(body);
      const title = (textOf(old, 'title') ?? '').trim();
      // A title of nothing but blanks stays: a record without a title might not be valid.
      return title === '' ? [] : [{ id, old, body: { ...old, title } }];
    });
    const written = await reviseMany(tx, kind, revised, { repoId, actor, generatedValues: context.generatedValues });
    for (const id of written) context.log(`Trimmed: ${uriOf(kind, id, repoId)}`);
    await context.changedRecords(
      tx,
      written.map((id) => uriOf(kind, id, repoId)),
    );
    changed += written.length;
    context.progress({ label: 'Trimming', done: Math.min(at + blockSize, ids.length), total: ids.length });
  }
  return changed;
}
