// A batch import from stored bytes to committed records: two passes over the blocks, threads doing the work, one transaction taking
// the rows (decision 0008). Used by batch imports and by the imports of formats, which make such records.
import { phases } from '#domain/batch-import/phases.ts';
import { randomUUID } from 'node:crypto';
import { cutBlocks, scanRecords } from '#domain/batch-import/record-scanner.ts';
import type { KnownTerms } from '#domain/batch-import/terms.ts';
import type { NewEnumerationValue } from '#domain/checking/context.ts';
import { kinds } from '#domain/kinds/index.ts';
import { appendChange } from '#store/change-log/append.ts';
import { applyStaged, createRoots } from '#store/batch-import/apply-staged.ts';
import { settleSlugs } from '#store/batch-import/keys.ts';
import { copyRecords, copyRows, createStage } from '#store/batch-import/stage.ts';
import { readTerms } from '#store/batch-import/terms.ts';
import { nameWritten } from '#store/records/writing/generate-names.ts';
import { holdRepository } from '#store/records/writing/home.ts';
import type { Reader, Transaction } from '#store/connection/database.ts';
import type { DiskSpace } from '#store/files/disk-space.ts';
import { openDiskSpace, spaceOfImport } from '#store/files/disk-space.ts';
import { addListValues, readLists } from '#store/enumerations/completed-lists.ts';
import { announceEnumerations } from '#store/enumerations/lists.ts';
import { kindNamed } from '#domain/addresses.ts';
import type { JobContext, JobOptions } from '../handler.ts';
import type { BlockAbout, BlockResult, SharedLists } from '../threads/batch-tasks.ts';
import type { FirstPass } from './first-pass.ts';
import { keepKnownAttributes } from '#store/settings/assessment-definitions.ts';
import { publishDefaultOf } from '#store/settings/preferences.ts';
import { firstPass } from './first-pass.ts';
import { inOrder, readAhead } from './in-order.ts';

/** What is imported: the bytes of a JSON array. `source` is called once for each pass (and to find the first of several faults) and must give the same. */
export type BatchInput = {
  readonly source: () => AsyncIterable<Uint8Array>;
  /** How many bytes `source` gives; by them the first pass tells how many records there may be. */
  readonly sizeBytes?: number;
  /** About how much goes into a thread at once; for tests. */
  readonly blockBytes?: number;
  readonly repoId: number;
  readonly actor: string | null;
  readonly migration: boolean;
  /** Whether records are missing that others name, so that faults of refs are not told; only where faults are looked for. */
  readonly lacksRecords?: boolean;
  /**
   * Takes the text of the `saved` object in pieces: '"temporary":["uri",id],…' of records that were written, and of those for which others
   * stand. Absent where nobody wants it.
   */
  readonly onSaved?: (tx: Transaction, created: string, reused: string) => Promise<void>;
  /** Hears of the values that were added to controlled lists; not called where there are none. */
  readonly onNewValues?: (values: readonly NewEnumerationValue[]) => void;
  /** By default that of the actor's preferences. */
  readonly publishDefault?: boolean;
};

/** What was written: the number of records, of those for which an equal one stands, and of written records by kind. */
export type BatchOutcome = {
  readonly total: number;
  readonly reused: number;
  readonly created: { readonly [kind: string]: number };
};

// Rows of several blocks are copied together: a few COPY commands for some 4 MB instead of for each block, while the threads fill the next.
const blocksAtOnce = 8;

const rowTables = ['link', 'fresh', 'mutual', 'key', 'node', 'target', 'rule'] as const;

/** What a batch needs of a job. */
export type Around = Pick<JobContext, 'threads' | 'signal' | 'progress'> & {
  /** Absent: what is written gets no ARKs and slugs. */
  readonly generatedValues?: JobContext['generatedValues'];
  readonly options?: Pick<JobOptions, 'diskReserveBytes'>;
};

/**
 * Writes the batch in the given transaction. `beforeTrees` gets what was written when all is but for trees that existed before, which are held from then on to the end of the transaction. Fails with `import_failed` or `malformed_body`, naming the record; with `disk_full`; and with `unavailable`
 * where somebody made or deleted a heading of the batch meanwhile and a new run would go through. Then nothing is stored.
 */
export async function importBatch(
  tx: Transaction,
  input: BatchInput,
  context: Around,
  beforeTrees: (outcome: BatchOutcome) => Promise<void> = async () => undefined,
): Promise<BatchOutcome> {
  const { threads, signal, progress } = context;
  const diskSpace = await openDiskSpace(tx, context.options?.diskReserveBytes ?? 0);
  await diskSpace.require(spaceOfImport(input.sizeBytes ?? 0));
  await holdRepository(tx, input.repoId);
  const about = await aboutBatch(tx, input);
  await createStage(tx);
  // How many records there are is known at the end of this pass.
  const report = (done: number, total: number | null): void => progress({ label: phases.validating, done, total });
  report(0, null);
  const first = await firstPass({
    tx,
    threads,
    blocks: () => scanRecords(readAhead(input.source(), 8), input.blockBytes),
    about,
    signal,
    sizeBytes: input.sizeBytes,
    report,
  });
  progress({ label: phases.validating, done: first.total, total: first.total });
  progress({ label: phases.relationships, done: first.total, total: first.total });
  progress({ label: phases.cyclic, done: first.total, total: first.total });
  const { created: written, newValues } = await secondPass(tx, input, context, { about, first, diskSpace });
  progress({ label: phases.cleaning, done: first.total, total: first.total });
  signal.throwIfAborted();
  const placeTrees = await applyStaged(tx, {
    repoId: input.repoId,
    keepsPositions: !input.migration,
    actor: input.actor,
  });
  await settleSlugs(tx, context.generatedValues?.naming?.slugs.reserved);
  for (const [kind, ids] of written) await keepKnownAttributes(tx, kindNamed(kind), ids);
  if (context.generatedValues !== undefined)
    await nameWritten(tx, new Map([...written].map(([kind, ids]) => [kindNamed(kind), ids])), context.generatedValues);
  tx.changed();
  // Late, as others who add to these lists, or change them, wait from here on.
  if ((await addListValues(tx, newValues, input.actor)) > 0) {
    await announceEnumerations(tx);
    input.onNewValues?.(newValues);
  }
  const created = Object.fromEntries([...written].map(([kind, ids]) => [kind, ids.length]));
  const outcome = { total: first.total, reused: first.reused, created };
  await beforeTrees(outcome);
  await placeTrees();
  return outcome;
}

/** What threads are told of a batch. */
export async function aboutBatch(reader: Reader, input: BatchInput): Promise<BlockAbout> {
  return {
    repoId: input.repoId,
    kindNames: [...kinds.keys()],
    publishDefault: input.publishDefault ?? (await publishDefaultOf(reader, input.actor, input.repoId)),
    lists: await shareLists(reader),
  };
}

type Begun = { readonly about: BlockAbout; readonly first: FirstPass; readonly diskSpace: DiskSpace };

async function secondPass(
  tx: Transaction,
  input: BatchInput,
  context: Around,
  { about, first, diskSpace }: Begun,
): Promise<{
  readonly created: ReadonlyMap<string, readonly number[]>;
  readonly newValues: readonly NewEnumerationValue[];
}> {
  const { threads, signal, progress } = context;
  const created = new Map<string, number[]>();
  // New values of controlled lists are few, and written at the end: their keys would hold up other imports.
  const newValues = new Map<string, NewEnumerationValue>();
  let done = 0;
  const prepare = async (bytes: Uint8Array, number: number, known: KnownTerms): Promise<BlockResult> =>
    threads.run(
      'prepareBatchBlock',
      {
        bytes,
        first: number,
        about,
        known,
        table: first.table,
        actor: input.actor,
        keepSaved: input.onSaved !== undefined,
      },
      { signal, transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [] },
    );
  const made = inOrder(
    cutBlocks(readAhead(input.source(), 8), first.ranges),
    threads.load.threads * 2,
    async (block) => {
      return { count: block.count, first: block.first, result: await prepare(block.bytes, block.first, new Map()) };
    },
  );
  for await (const items of grouped(readAhead(made, blocksAtOnce), blocksAtOnce)) {
    const batch: BlockResult[] = [];
    for (const { result, first: number } of items)
      batch.push(
        result.bytes === null ? result : await prepare(result.bytes, number, await readTerms(tx, result.termUris)),
      );
    signal.throwIfAborted();
    await diskSpace.require();
    progress({ label: phases.saving, done, total: first.total });
    // One after the other: they share the connection of the transaction.
    for (const kind of new Set(batch.flatMap((block) => Object.keys(block.records))))
      await copyRecords(
        tx,
        kind,
        batch.flatMap((block) => block.records[kind] ?? []),
      );
    for (const table of rowTables)
      await copyRows(
        tx,
        table,
        batch.map((block) => block.texts[table]),
      );
    const ids = mergeIds(batch.map((block) => block.ids));
    await createRoots(tx, input.repoId, ids);
    await appendCreated(tx, ids, input);
    for (const value of batch.flatMap((block) => block.newValues))
      newValues.set(`${value.list}\n${value.value}`, value);
    await input.onSaved?.(
      tx,
      joined(batch.map((block) => block.saved)),
      joined(batch.map((block) => block.savedReused)),
    );
    for (const [kind, list] of Object.entries(ids)) {
      const all = created.get(kind) ?? [];
      for (const id of list) all.push(id);
      created.set(kind, all);
    }
    done += items.reduce((sum, { count }) => sum + count, 0);
    progress({ label: phases.saving, done, total: first.total });
  }
  return { created, newValues: [...newValues.values()] };
}

async function* grouped<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Texts joined by commas, empty ones left out. */
export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(',');

function mergeIds(groups: readonly { readonly [kind: string]: readonly number[] }[]): {
  readonly [kind: string]: readonly number[];
} {
  const merged: { [kind: string]: number[] } = {};
  for (const group of groups) {
    for (const [kind, ids] of Object.entries(group)) {
      const list = (merged[kind] ??= []);
      for (const id of ids) list.push(id);
    }
  }
  return merged;
}

/** One change row for a thousand records of a kind: a long import keeps the log short for everybody else. */
async function appendCreated(
  tx: Transaction,
  ids: { readonly [kind: string]: readonly number[] },
  input: BatchInput,
): Promise<void> {
  // A statement for each kind of record.
  for (const [kind, list] of Object.entries(ids)) {
    await appendChange(tx, {
      kind,
      ids: list,
      repoId: kindNamed(kind).scope === 'repository' ? input.repoId : null,
      op: 'create',
      actor: input.actor,
    });
  }
}

/** The controlled lists as threads get them. */
export async function shareLists(reader: Reader): Promise<SharedLists> {
  const text = Buffer.from(JSON.stringify(await readLists(reader)));
  const bytes = new SharedArrayBuffer(text.length);
  new Uint8Array(bytes).set(text);
  return { version: randomUUID(), bytes };
}
