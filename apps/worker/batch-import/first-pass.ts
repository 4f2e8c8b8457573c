// First pass of a batch import: gives every record of the batch its id and finds what exists already, in a table that all threads read.
import type { BlockIndex } from '#domain/batch-import/index-block.ts';
import { noKind } from '#domain/batch-import/index-block.ts';
import type { Numbered } from '#domain/batch-import/block.ts';
import { duplicateUri, elementsOf, existingFrom } from '#domain/batch-import/block.ts';
import { isFault } from '#domain/batch-import/faults.ts';
import type { BlockRange, RecordBlock } from '#domain/batch-import/record-scanner.ts';
import type { KnownTerms } from '#domain/batch-import/terms.ts';
import { termKeyText } from '#domain/batch-import/terms.ts';
import type { GrowingUriTable } from '#domain/batch-import/growing-uri-table.ts';
import { makeGrowingUriTable } from '#domain/batch-import/growing-uri-table.ts';
import type { SharedUriTable, UriTarget } from '#domain/batch-import/uri-table.ts';
import { hashWords } from '#domain/batch-import/uri-table.ts';
import { Failure } from '#domain/errors.ts';
import { expectedTotal } from '#domain/pace.ts';
import { term } from '#domain/kinds/term.ts';
import { findKeyOwners, takeIds } from '#store/batch-import/stage.ts';
import { readTerms, stageTerms } from '#store/batch-import/terms.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { Threads } from '../threads/pool.ts';
import type { BlockAbout, KeptBytes } from '../threads/batch-tasks.ts';
import { inOrder, readAhead } from './in-order.ts';

/** What the first pass gives. `reused` counts records for which others stand; `ranges` are the blocks, for the second pass. */
export type FirstPass = {
  readonly table: SharedUriTable;
  readonly ranges: readonly BlockRange[];
  readonly total: number;
  readonly reused: number;
};

/** What it needs. `report` is told the number of records seen so far, and how many there seem to be; null where that cannot be told. */
export type FirstPassInput = {
  readonly tx: Transaction;
  readonly threads: Threads;
  readonly blocks: () => AsyncIterable<RecordBlock>;
  readonly about: BlockAbout;
  readonly signal: AbortSignal;
  /** How many bytes the blocks come from, where that is known. */
  readonly sizeBytes?: number | undefined;
  readonly report: (done: number, expected: number | null) => void;
  /** Given: nothing is thrown for a bad record. What the second pass cannot see by itself is noted here. */
  readonly lenient?: Unclear;
};

/** What a first pass over bad records met. */
export type Unclear = {
  /** Numbers of the first records whose uri came before, at most `limit` of them: more are never told. */
  readonly duplicates: Set<number>;
  readonly limit: number;
  /** Whether there are records without a uri or a kind, so that the table lacks some. */
  lacksRecords: boolean;
  /** Why the text ended before the array did. */
  broken: Failure | null;
};

type Indexed = BlockIndex & { readonly range: BlockRange };

/**
 * Reads all blocks. Fails with `import_failed` or `malformed_body` at the first record that is wrong by itself, and at a uri that comes
 * twice; of several such records the first in the file is told.
 */
export async function firstPass(input: FirstPassInput): Promise<FirstPass> {
  const seen = { total: 0, reused: 0 };
  const ranges: BlockRange[] = [];
  const table = makeGrowingUriTable();
  try {
    const indexed = readAhead(
      inOrder(input.blocks(), input.threads.load.threads * 2, async ({ bytes, ...range }) => ({
        range,
        ...(await indexOf(input, range.first, bytes, new Map())),
      })),
      8,
    );
    for await (const { bytes, range, ...index } of indexed) {
      input.signal.throwIfAborted();
      const complete =
        bytes === null
          ? index
          : await indexOf(input, range.first, bytes, await termsNamed(input.tx, index.termUris, table));
      seen.reused += await enter(input, { ...complete, range }, table);
      seen.total += range.count;
      ranges.push(range);
      input.report(seen.total, expected(input, seen.total, range));
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    if (input.lenient === undefined) {
      await checkBefore(input, error);
      throw error;
    }
    input.lenient.broken = error;
  }
  return { table: table.shared, ranges, ...seen };
}

/** How many there seem to be in the whole file of what came `count` times up to the end of a block; null where that cannot be told. */
const expected = ({ sizeBytes }: FirstPassInput, count: number, { start, length }: BlockRange): number | null =>
  sizeBytes === undefined ? null : expectedTotal(count, start + length, sizeBytes);

async function indexOf(
  { threads, about, signal, lenient }: FirstPassInput,
  first: number,
  bytes: Uint8Array,
  known: KnownTerms,
): Promise<BlockIndex & KeptBytes> {
  return threads.run(
    'indexBatchBlock',
    { bytes, first, about, known, isLenient: lenient !== undefined },
    { signal, transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [] },
  );
}

/** Gives the records of a block their ids. Returns how many of them stand for others. */
async function enter(input: FirstPassInput, indexed: Indexed, table: GrowingUriTable): Promise<number> {
  const { tx, about } = input;
  await enterTerms(tx, indexed, table, about.kindNames.indexOf(term.name));
  const owners = await findKeyOwners(
    tx,
    indexed.keyed.flatMap(({ keys }) => keys).filter((key) => table.get(key) === null),
  );
  // For whom a keyed record stands: one of the table, a stored one, or (a number) an earlier one of this block.
  const stands = new Map<number, UriTarget | number>();
  const inBlock = new Map<string, number>();
  for (const { index, keys } of indexed.keyed) {
    const found = keys
      .map((key) => table.get(key) ?? ownerOf(owners.get(key), about) ?? inBlock.get(key))
      .find((each) => each !== undefined);
    if (found !== undefined) stands.set(index, found);
    const first = typeof found === 'number' ? found : index;
    for (const key of keys) if (!inBlock.has(key)) inBlock.set(key, first);
  }
  const targets = await targetsOf(tx, indexed, stands, about);
  table.reserve(targets.length + inBlock.size, (entries) => expected(input, entries, indexed.range));
  for (let index = 0; index < targets.length; index++) {
    const target = targets[index];
    if (target !== undefined && table.addHashed(indexed.hashes, index * hashWords, target)) continue;
    const number = indexed.range.first + index;
    if (input.lenient === undefined) throw duplicateUri(await recordAt(input, number));
    if (target === undefined) input.lenient.lacksRecords = true;
    else if (input.lenient.duplicates.size < input.lenient.limit) input.lenient.duplicates.add(number);
  }
  for (const { index, keys } of indexed.keyed)
    for (const key of keys) table.add(key, targets[index] ?? { kind: 0, id: 0 });
  return stands.size;
}

/** Who has a key. It may be of another kind: whoever has the authority id of an agent stands for it, as among the records of one file, since no second agent may have it. */
function ownerOf(
  owner: { readonly kind: string; readonly id: number } | undefined,
  about: BlockAbout,
): UriTarget | undefined {
  const kind = owner === undefined ? -1 : about.kindNames.indexOf(owner.kind);
  return owner === undefined || kind === -1 ? undefined : { kind, id: owner.id };
}

/** The target of each record of the block: new ids for those that stand for themselves, none for those without a kind. */
async function targetsOf(
  tx: Transaction,
  indexed: Indexed,
  stands: ReadonlyMap<number, UriTarget | number>,
  about: BlockAbout,
): Promise<readonly (UriTarget | undefined)[]> {
  const counts = new Map<string, number>();
  for (const [index, kind] of indexed.kinds.entries()) {
    const name = about.kindNames[kind] ?? '';
    if (!stands.has(index) && kind !== noKind) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const ids = await takeIds(tx, counts);
  const next = new Map<string, number>();
  const targets: (UriTarget | undefined)[] = [];
  for (const [index, kind] of indexed.kinds.entries()) {
    const stand = stands.get(index);
    const other = typeof stand === 'number' ? targets[stand] : stand;
    if (other !== undefined) {
      targets.push({ kind: (other.kind % existingFrom) + existingFrom, id: other.id });
      continue;
    }
    if (kind === noKind) {
      targets.push(undefined);
      continue;
    }
    const name = about.kindNames[kind] ?? '';
    const at = next.get(name) ?? 0;
    next.set(name, at + 1);
    targets.push({ kind, id: ids.get(name)?.[at] ?? 0 });
  }
  return targets;
}

/** The contents of terms by the uris that a block names: of stored ones, and of those that are records of the blocks before it. */
async function termsNamed(tx: Transaction, uris: readonly string[], table: GrowingUriTable): Promise<KnownTerms> {
  const real = uris.map((uri) => {
    const target = table.get(uri);
    return target === null ? uri : `/terms/${target.id}`;
  });
  const known = await readTerms(tx, real);
  return new Map(
    uris.flatMap((uri, index) => {
      const found = known.get(real[index] ?? '');
      return found === undefined ? [] : [[uri, found] as const];
    }),
  );
}

async function enterTerms(tx: Transaction, indexed: Indexed, table: GrowingUriTable, kind: number): Promise<void> {
  const fresh = indexed.terms.filter((term) => table.get(termKeyText(term)) === null);
  const ids = await stageTerms(tx, fresh);
  table.reserve(ids.size);
  for (const [identity, id] of ids) table.add(`term\n${identity}`, { kind: kind + existingFrom, id });
}

/** A record of the batch, read from the file again. */
async function recordAt(input: FirstPassInput, number: number): Promise<Numbered> {
  for await (const block of input.blocks()) {
    if (block.first + block.count <= number) continue;
    for (const element of elementsOf(block.bytes, block.first))
      if (!(element instanceof Failure) && element.number === number) return element;
  }
  throw new Error(`the batch has no record ${number}`);
}

/** The first pass looks closely at headings alone, so another record may be wrong before the one at which it stopped: throws its failure. */
async function checkBefore(input: FirstPassInput, failure: Failure): Promise<void> {
  const { threads, about, signal } = input;
  const number =
    typeof failure.error === 'object' && failure.error !== null && 'record_number' in failure.error
      ? Number(failure.error['record_number']) - 1
      : Number.MAX_SAFE_INTEGER;
  const checks = inOrder(input.blocks(), threads.load.threads * 2, async (block) => {
    if (block.first < number)
      await threads.run('checkBatchBlock', { bytes: block.bytes, first: block.first, end: number, about }, { signal });
    return block.first;
  });
  for await (const first of checks) if (first >= number) return;
}
