// A load of records as they are (decision 0027): two passes over the lines, threads doing the work, one transaction taking the rows.
import { cutBlocks, scanRecords } from '#domain/batch-import/record-scanner.ts';
import type { BlockRange } from '#domain/batch-import/record-scanner.ts';
import type { Fault } from '#domain/batch-import/faults.ts';
import { createFaultList } from '#domain/batch-import/faults.ts';
import type { NewEnumerationValue } from '#domain/checking/context.ts';
import { fail } from '#domain/errors.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { Json } from '#domain/json.ts';
import type { LoadedSetting } from '#domain/loading/index-block.ts';
import { loadTables } from '#domain/loading/rows.ts';
import type { LoadRows } from '#domain/loading/rows.ts';
import type { Transaction } from '#store/connection/database.ts';
import { settleSlugs } from '#store/batch-import/keys.ts';
import { addListValues } from '#store/enumerations/completed-lists.ts';
import { openDiskSpace, spaceOfImport } from '#store/files/disk-space.ts';
import { readClashes, readFilled, readTwice, removeReplaced } from '#store/loading/clashes.ts';
import { findLoadFaults } from '#store/loading/faults.ts';
import { writeSettings } from '#store/loading/settings.ts';
import { finishLoad, layLoadedTrees, readUsersToInvite, settleTargets, writeRights } from '#store/loading/settle.ts';
import {
  deleteGone,
  findReplaced,
  hasLoads,
  leaveOutKept,
  liftTrees,
  readWrittenTwice,
  takeOutOld,
} from '#store/loading/update.ts';
import {
  copyAddresses,
  copyLoadedRecords,
  copyLoadedRows,
  createLoadStage,
  replaceLoadedRecords,
} from '#store/loading/stage.ts';
import type { Around } from '../batch-import/import.ts';
import { shareLists } from '../batch-import/import.ts';
import { inOrder, readAhead } from '../batch-import/in-order.ts';

/** What is loaded: the bytes of a JSON array of records, which `source` gives once for each pass. */
export type LoadInput = {
  readonly source: () => AsyncIterable<Uint8Array>;
  /** Of the upload as it is stored, packed or not. */
  readonly sizeBytes: number;
  /** About how much goes into a thread at once; for tests. */
  readonly blockBytes?: number;
  readonly intoFilled: boolean;
  /** The lines are what has changed since an earlier load; with `overwrite` they win over what was changed here. */
  readonly update?: boolean;
  readonly overwrite?: boolean;
  readonly actor: string | null;
  /** By which the client finds the load again. */
  readonly mark?: string | null;
  /** How many clashes and faults are told at most. */
  readonly limit: number;
};

/** What was loaded: records, lines that come with other records by type, names that there are not, users without a password. */
export type LoadOutcome = {
  readonly records: number;
  readonly settings: number;
  readonly parts: { readonly [type: string]: number };
  readonly unknown: readonly string[];
  readonly invite: readonly string[];
};

// Rows of several blocks are copied together, as in batch imports.
const blocksAtOnce = 8;

/**
 * Loads the records in the given transaction. Fails with `import_failed`: `clashes` lists what stands in the way, told before anything is written;
 * `faults` lists the records that cannot be stored. With `disk_full` where there is no room.
 */
export async function loadRecords(tx: Transaction, input: LoadInput, context: Around): Promise<LoadOutcome> {
  const { progress, signal, options } = context;
  const diskSpace = await openDiskSpace(tx, options?.diskReserveBytes ?? 0);
  await diskSpace.require(spaceOfImport(input.sizeBytes));
  if (input.update === true) await requireLoad(tx);
  else await refuseFilled(tx, input);
  const now = await createLoadStage(tx);
  const first = await readAddresses(tx, input, context);
  const { total } = first;
  // Only now is known what a packed upload unpacks to.
  await diskSpace.require(spaceOfImport(bytesOf(first.ranges)));
  if (input.update === true) {
    await findReplaced(tx);
    await refuseWrittenTwice(tx, input);
    await takeOutOld(tx, input.actor);
  } else {
    await refuseClashes(tx, input.limit);
    await removeReplaced(tx);
  }
  await writeSettings(tx, first.settings);
  const records = await writeRecords(tx, input, context, { ...first, now }, diskSpace.require);
  signal.throwIfAborted();
  progress({ label: 'Settling', done: total, total });
  if (input.update === true) await leaveOutKept(tx);
  await settleTargets(tx);
  if (input.update === true) {
    await liftTrees(tx);
    const kept = await deleteGone(tx, input.actor);
    if (kept.length > 0) throw fail('conflict', { deleted: kept });
  }
  const faults = createFaultList(input.limit);
  for (const { number, failure } of await findLoadFaults(tx, input.limit)) faults.add(failure, number);
  refuseFaults(faults.report().faults);
  await settleSlugs(tx, context.generatedValues?.naming?.slugs.reserved);
  await layLoadedTrees(tx);
  const unknown = await writeRights(tx);
  const { arks } = context.generatedValues?.naming ?? namingOff;
  await finishLoad(tx, { actor: input.actor, mark: input.mark ?? null, arks });
  const invite = await readUsersToInvite(tx);
  return { records, settings: first.settings.length, parts: first.parts, unknown, invite };
}

const bytesOf = (ranges: readonly BlockRange[]): number => ranges.reduce((sum, { length }) => sum + length, 0);

async function refuseFilled(tx: Transaction, { intoFilled }: LoadInput): Promise<void> {
  if (intoFilled) return;
  const filled = await readFilled(tx);
  if (filled.length === 0) return;
  throw fail('conflict', {
    service: [`There are records already: ${filled.map(({ kind, n }) => `${n} ${kind}`).join(', ')}`],
  });
}

async function requireLoad(tx: Transaction): Promise<void> {
  if (await hasLoads(tx)) return;
  throw fail('conflict', { service: ['Nothing was loaded here yet: load the whole folder.'] });
}

/** Refuses lines with one address, and records that were written on both sides; those made here even where the source counts more. */
async function refuseWrittenTwice(tx: Transaction, { limit, overwrite }: LoadInput): Promise<void> {
  const twice = await readTwice(tx, limit);
  const both = (await readWrittenTwice(tx, limit)).filter(({ made }) => made || overwrite !== true);
  const clashes = [
    ...twice.map(({ number, uri }) => `${uri} (line ${number + 1}): the address occurs more than once`),
    ...both.map(({ uri, label, made, deleted }) =>
      made
        ? `${uri}: '${label}' was made here, and the source has another record of this address`
        : `${uri}: '${label}' was changed here since it was loaded, and ${deleted ? 'deleted' : 'changed'} in the source`,
    ),
  ];
  if (clashes.length > 0) throw fail('conflict', { clashes });
}

async function refuseClashes(tx: Transaction, limit: number): Promise<void> {
  const clashes = await readClashes(tx, limit);
  if (clashes.length === 0) return;
  throw fail('conflict', {
    clashes: clashes.map(({ number, uri, label, twice }) =>
      twice
        ? `${uri} (line ${number + 1}): the address occurs more than once`
        : `${uri} (line ${number + 1}): the address is taken by '${label ?? ''}'`,
    ),
  });
}

function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const report: Json = { faults: faults.map((fault) => ({ ...fault, errors: { ...fault.errors } })) };
  throw fail('import_failed', { ...first, errors: { ...first.errors } }, { report });
}

type FirstPass = {
  readonly ranges: readonly BlockRange[];
  readonly total: number;
  readonly settings: readonly LoadedSetting[];
  readonly parts: { readonly [type: string]: number };
};

/** First pass: whose the lines are. */
async function readAddresses(tx: Transaction, input: LoadInput, context: Around): Promise<FirstPass> {
  const { threads, signal, progress } = context;
  const faults = createFaultList(input.limit);
  const ranges: BlockRange[] = [];
  const settings: LoadedSetting[] = [];
  const parts: { [type: string]: number } = {};
  let total = 0;
  const read = inOrder(
    scanRecords(readAhead(input.source(), 8), input.blockBytes),
    threads.load.threads * 2,
    async ({ bytes, ...range }) => ({
      range,
      index: await threads.run('indexLoadBlock', { bytes, first: range.first, limit: input.limit }, { signal }),
    }),
  );
  for await (const { range, index } of read) {
    signal.throwIfAborted();
    ranges.push(range);
    await copyAddresses(tx, [index.addresses], [index.deleted]);
    settings.push(...index.settings);
    for (const [type, count] of Object.entries(index.parts)) parts[type] = (parts[type] ?? 0) + count;
    faults.addAll(index.faults);
    if (faults.isFull) break;
    total += range.count;
    progress({ label: 'Reading addresses', done: total, total: null });
  }
  refuseFaults(faults.report().faults);
  return { ranges, total, settings, parts };
}

/** Second pass: records and links go into place, the rest is staged. Gives the number of records. */
async function writeRecords(
  tx: Transaction,
  input: LoadInput,
  context: Around,
  first: FirstPass & { readonly now: string },
  requireSpace: () => Promise<void>,
): Promise<number> {
  const { threads, signal, progress } = context;
  const { ranges, total } = first;
  const about = { lists: await shareLists(tx), now: first.now, limit: input.limit };
  const faults = createFaultList(input.limit);
  const newValues = new Map<string, NewEnumerationValue>();
  let records = 0;
  let done = 0;
  const made = inOrder(
    cutBlocks(readAhead(input.source(), 8), ranges),
    threads.load.threads * 2,
    async ({ bytes, first: number, count }) => ({
      count,
      rows: await threads.run(
        'prepareLoadBlock',
        { ...about, bytes, first: number },
        { signal, transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [] },
      ),
    }),
  );
  let waiting: LoadRows[] = [];
  const copy = async (): Promise<void> => {
    // One after the other: they share the connection of the transaction.
    for (const kind of new Set(waiting.flatMap((rows) => Object.keys(rows.records))))
      await (input.update === true ? replaceLoadedRecords : copyLoadedRecords)(
        tx,
        kind,
        waiting.flatMap((rows) => rows.records[kind] ?? []),
      );
    for (const table of loadTables)
      await copyLoadedRows(
        tx,
        table,
        waiting.map((rows) => rows.texts[table]),
      );
    waiting = [];
  };
  for await (const { rows, count } of readAhead(made, blocksAtOnce)) {
    signal.throwIfAborted();
    done += count;
    records += rows.count;
    faults.addAll(rows.faults);
    for (const value of rows.newValues) newValues.set(`${value.list}\n${value.value}`, value);
    if (faults.isFull) break;
    waiting.push(rows);
    if (waiting.length < blocksAtOnce) continue;
    await requireSpace();
    // Of what cannot be stored as a whole no more is written: only the other faults are looked for.
    if (faults.report().faults.length === 0) await copy();
    else waiting = [];
    progress({ label: 'Storing records', done, total });
  }
  refuseFaults(faults.report().faults);
  await copy();
  progress({ label: 'Storing records', done, total });
  await addListValues(tx, [...newValues.values()], input.actor);
  return records;
}
