// Handler of trimming titles (contract trees-and-jobs 3.6): a transaction a block, which may be repeated, so that nobody waits for more than a
// block; kinds that the owner may not change are left alone.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { trimWhitespace } from '#domain/jobs/trim-whitespace.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import type { Kind } from '#domain/kind.ts';
import type { Reader, Transaction } from '#store/connection/database.ts';
import { countJobRecords } from '#store/queue/files.ts';
import { blocksOf, holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import type { IdsOfKind } from '#store/records/visibility/reach.ts';
import { lookUpByKey } from '#store/records/writing/lock-order.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import { untrimmedIds } from '#store/records/reading/untrimmed.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

const trimmedKinds = ['resource', 'archival_object', 'accession', 'digital_object', 'digital_object_component'].map(
  kindNamed,
);
const statementTimeoutMs = trimWhitespace.timeoutSeconds * 1000;

type Value = { readonly changed: { readonly [kind: string]: number } };

type Work = {
  readonly repoId: number;
  readonly actor: string | null;
  /** What the job ends with, behind its last block. */
  readonly value: (reader: Reader) => Promise<Value>;
};

/**
 * Trims; the value tells how many records the job changed, by kind, in all its runs: what a run before had done when it was cut off stays done, and
 * the next one finds only what is left. It is counted in the job's list of records, which each block adds to.
 */
export const handler = defineHandler(trimWhitespace, async ({ repoId, actor }, context) => {
  const kinds = trimmedKinds.filter((kind) => can(context.caller, kind.may.update ?? '', repoId));
  for (const kind of trimmedKinds)
    if (!kinds.includes(kind)) context.log(`Left alone: ${kind.name}, which the owner of the job may not change`);
  const value: Work['value'] = async (reader) => ({
    changed: {
      ...Object.fromEntries(kinds.map(({ name }) => [name, 0])),
      ...Object.fromEntries(await countJobRecords(reader, context.jobId)),
    },
  });
  const blocks: IdsOfKind[] = [];
  for (const kind of kinds) blocks.push(...(await untrimmedBlocks(context, kind, repoId)));
  const total = blocks.reduce((sum, { ids }) => sum + ids.length, 0);
  let done = 0;
  let ended: Value | null = null;
  for (const block of blocks) {
    context.signal.throwIfAborted();
    ended = await trimBlock(block, block === blocks.at(-1), { repoId, actor, value }, context);
    done += block.ids.length;
    context.progress({ label: 'Trimming', done, total });
  }
  return ended ?? value(context.database.reader);
});

/** What there is to trim, read without locks, by a statement that may take as long as the job: it looks at all records of the kind. */
async function untrimmedBlocks({ database }: JobContext, kind: Kind, repoId: number): Promise<readonly IdsOfKind[]> {
  const ids = await database.transaction((tx) => untrimmedIds(tx, kind, repoId), {
    readOnly: true,
    statementTimeoutMs,
  });
  return blocksOf(ids, holdersAtOnce).map((block) => ({ kind, ids: block }));
}

/** Trims a block. The last one ends the job, and gives its value. */
async function trimBlock(block: IdsOfKind, isLast: boolean, work: Work, context: JobContext): Promise<Value | null> {
  const tell = (uris: readonly string[]): void => {
    for (const uri of uris) context.log(`Trimmed: ${uri}`);
  };
  const { uris, value } = await context.transaction(
    async (tx) => {
      await lookUpByKey(tx);
      const changed = await trimRecords(tx, block, work, context);
      await context.changedRecords(tx, changed);
      if (!isLast) return { uris: changed, value: null };
      const end = await work.value(tx);
      // Before the end, with which the whole log is there, but behind all that is likely to be begun anew after a deadlock.
      tell(changed);
      await context.complete(tx, end);
      return { uris: [], value: end };
    },
    { statementTimeoutMs },
  );
  tell(uris);
  return value;
}

/** Holds records of one kind, in the order in which everybody does, and trims those that nobody has trimmed meanwhile. Gives the uris of these. */
async function trimRecords(
  tx: Transaction,
  { kind, ids }: IdsOfKind,
  { repoId, actor }: Work,
  { generatedValues }: JobContext,
): Promise<readonly string[]> {
  const revised = (await lockStored(tx, kind, ids, repoId)).flatMap(({ id, body }) => {
    const old: JsonObject = JSON.parse(body);
    const before = textOf(old, 'title') ?? '';
    const title = before.trim();
    // A title of nothing but blanks stays: a record without a title might not be valid.
    return title === '' || title === before ? [] : [{ id, old, body: { ...old, title } }];
  });
  const changed = await reviseMany(tx, kind, revised, { repoId, actor, generatedValues });
  return changed.map((id) => uriOf(kind, id, repoId));
}
