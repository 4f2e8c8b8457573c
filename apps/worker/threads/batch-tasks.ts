// Thread tasks of batch import: the two passes over a block of records, with the controlled lists and the uri table in shared memory.
import { randomBytes } from 'node:crypto';
import { uriOf } from '#domain/addresses.ts';
import type { BlockContext } from '#domain/batch-import/block.ts';
import { checkBlock } from '#domain/batch-import/block.ts';
import type { BlockIndex } from '#domain/batch-import/index-block.ts';
import { indexBlock } from '#domain/batch-import/index-block.ts';
import type { FaultReport } from '#domain/batch-import/faults.ts';
import { createFaultList } from '#domain/batch-import/faults.ts';
import type { Lenient, PreparedBlock } from '#domain/batch-import/prepare-block.ts';
import { prepareBlock } from '#domain/batch-import/prepare-block.ts';
import type { BlockRows } from '#domain/batch-import/rows.ts';
import { toRows } from '#domain/batch-import/rows.ts';
import type { KnownTerms } from '#domain/batch-import/terms.ts';
import type { SharedUriTable } from '#domain/batch-import/uri-table.ts';
import { openUriTable } from '#domain/batch-import/uri-table.ts';
import type { EnumerationList, Enumerations } from '#domain/checking/context.ts';
import type { Move } from './task.ts';

/** Controlled lists as they cross into threads: JSON bytes of [{name, editable, values, all}] in shared memory. */
export type SharedLists = { readonly version: string; readonly bytes: SharedArrayBuffer };

/** What both passes are told. */
export type BlockAbout = {
  readonly repoId: number;
  readonly kindNames: readonly string[];
  readonly publishDefault: boolean;
  readonly lists: SharedLists;
};

type ListRow = {
  readonly name: string;
  readonly editable: boolean;
  readonly values: readonly string[];
  readonly all: readonly string[];
};

// One version at a time is kept: parsing the lists for every block would cost as much as a tenth of its records.
const parsed: { version: string; lists: ReadonlyMap<string, EnumerationList> } = { version: '', lists: new Map() };

/** The lists of a version, parsed once in each thread. */
export function enumerationsOf(shared: SharedLists): Enumerations {
  if (parsed.version !== shared.version) {
    const rows: readonly ListRow[] = JSON.parse(Buffer.from(shared.bytes).toString('utf8'));
    parsed.lists = new Map(
      rows.map((row) => {
        const all = new Set(row.all);
        return [row.name, { editable: row.editable, values: row.values, has: (value: string) => all.has(value) }];
      }),
    );
    parsed.version = shared.version;
  }
  return parsed.lists;
}

// Ids are cut from a page of random digits: one call of the generator for each would take a tenth of the time of a block.
const digits = { text: '', at: 0 };

function nextHexId(): string {
  if (digits.at + 32 > digits.text.length) {
    digits.text = randomBytes(16_384).toString('hex');
    digits.at = 0;
  }
  digits.at += 32;
  return digits.text.slice(digits.at - 32, digits.at);
}

const contextOf = (about: BlockAbout): BlockContext => ({
  repoId: about.repoId,
  kindNames: about.kindNames,
  enumerations: enumerationsOf(about.lists),
  publishDefault: about.publishDefault,
  newHexId: nextHexId,
});

/** The bytes of a block that must be looked at again, since it names terms by uri; null for most blocks. Blocks are moved, not copied. */
export type KeptBytes = { readonly bytes: Uint8Array | null };

/** First pass: what is in the block. */
export function indexBatchBlock(
  payload: {
    readonly bytes: Uint8Array;
    readonly first: number;
    readonly about: BlockAbout;
    readonly known: KnownTerms;
    readonly isLenient: boolean;
  },
  move: Move,
): BlockIndex & KeptBytes {
  const index = indexBlock(payload.bytes, payload.first, contextOf(payload.about), payload.known, payload.isLenient);
  return { ...index, bytes: kept(payload.bytes, index.termUris, move) };
}

function kept(bytes: Uint8Array, termUris: readonly string[], move: Move): Uint8Array | null {
  if (termUris.length === 0) return null;
  if (bytes.buffer instanceof ArrayBuffer) move(bytes.buffer);
  return bytes;
}

/** Looks for the first record before number `end` that is wrong by itself; throws its failure. */
export function checkBatchBlock(payload: {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly end: number;
  readonly about: BlockAbout;
}): void {
  checkBlock(payload.bytes, payload.first, payload.end, contextOf(payload.about));
}

/** What the second pass is told of a block besides its bytes. */
export type PreparePayload = {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly about: BlockAbout;
  readonly known: KnownTerms;
  readonly table: SharedUriTable;
  readonly actor: string | null;
  readonly keepSaved: boolean;
};

/** What it gives: rows, and values that are new to their lists. */
export type BlockResult = BlockRows & KeptBytes & Pick<PreparedBlock, 'newValues' | 'termUris'>;

/** Second pass: the rows of the block. */
export function prepareBatchBlock(payload: PreparePayload, move: Move): BlockResult {
  const { newValues, termUris, ...prepared } = prepareBlock(
    payload.bytes,
    payload.first,
    contextOf(payload.about),
    openUriTable(payload.table),
    payload.known,
  );
  const rows = toRows(prepared, {
    actor: payload.actor,
    repoId: payload.about.repoId,
    keepSaved: payload.keepSaved,
    uriOf: (record) => uriOf(record.kind, record.id, record.repoId),
  });
  for (const bytes of [...Object.values(rows.texts), ...Object.values(rows.records)])
    if (bytes.length > 0 && bytes.buffer instanceof ArrayBuffer) move(bytes.buffer);
  return { ...rows, newValues, termUris, bytes: kept(payload.bytes, termUris, move) };
}

/** What findBlockFaults is told: as the second pass, and of the first one what it could not enter; `limit` is the most faults it gives. */
export type FindFaultsPayload = Omit<PreparePayload, 'actor' | 'keepSaved'> &
  Pick<Lenient, 'duplicates' | 'refsAreKnown'> & { readonly limit: number };

/** The bad records of a block, and the rows of the others by which the database finds what is wrong with them. */
export type BlockFaults = KeptBytes &
  Pick<BlockRows, 'records' | 'texts'> &
  Pick<PreparedBlock, 'termUris'> & { readonly report: FaultReport };

/** Second pass over a batch that was refused: every bad record of the block. */
export function findBlockFaults(payload: FindFaultsPayload, move: Move): BlockFaults {
  const { about, limit, duplicates, refsAreKnown } = payload;
  const faults = createFaultList(limit);
  const { termUris, ...prepared } = prepareBlock(
    payload.bytes,
    payload.first,
    contextOf(about),
    openUriTable(payload.table),
    payload.known,
    { faults, duplicates, refsAreKnown },
  );
  const { texts, records } = toRows(
    prepared,
    { actor: null, repoId: about.repoId, keepSaved: false, uriOf: () => '' },
    faults,
  );
  return { texts, records, termUris, report: faults.report(), bytes: kept(payload.bytes, termUris, move) };
}
