// Writes the documents of a batch of due records and tells whom their change concerns, in the transaction that took the records off
// the lane: so a batch is done once or not at all, whatever is killed when.
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { kindsWhere } from '#domain/search/declared.ts';
import { uriOfTarget } from '#domain/search/documents/dependents.ts';
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import type { Dependents, Lane } from './pending.ts';
import { appendDependents } from './pending.ts';
import type { ReadMaterial } from './material.ts';
import { keyOf, keyOfHead } from './postgres/keys.ts';
import type { Before, Writing } from './postgres/write.ts';
import { forgetHidden } from './postgres/hidden.ts';
import { noteWithoutDocuments } from './postgres/rebuild.ts';
import { isGone, writeRebuilt, writeDocuments } from './postgres/write.ts';
import { createValueMemory, prepareValues } from './postgres/values.ts';
import type { WordCounter } from './postgres/words.ts';
import { createWordCounter } from './postgres/words.ts';
import { keyTable } from '../records/record-key.ts';
import type { RecordKey } from '../records/record-key.ts';

/** A batch: the records taken, what was read of them and the documents made of it. */
export type Batch = {
  readonly lane: Lane;
  readonly taken: readonly RecordKey[];
  readonly read: ReadMaterial;
  readonly packed: PackedDocuments;
};

/** What one process knows of words and values, so that it need not ask for each batch. */
export type IndexMemory = { readonly words: WordCounter; readonly values: ReturnType<typeof createValueMemory> };

/** Makes an empty memory. */
export const createIndexMemory = (): IndexMemory => ({ words: createWordCounter(), values: createValueMemory() });

// A change that concerns at most so many others closely takes them along in lane 0.
const mostClose = 200;

/** Puts in what batches share, outside their transactions; to be called before writeBatch. */
export async function prepareBatch(
  database: Database,
  packed: PackedDocuments,
  { values }: IndexMemory,
): Promise<void> {
  await prepareValues(database, packed.values, values);
}

/** Writes a batch; `keepsUnchanged`: but for documents that are there as they would be written. Gives whether it made others due, and what to call once the transaction has committed. */
export async function writeBatch(
  tx: Transaction,
  batch: Batch,
  { words, values }: IndexMemory,
  { keepsUnchanged }: { readonly keepsUnchanged: boolean },
): Promise<{ readonly hasSpread: boolean; readonly committed: () => void }> {
  const { lane, taken, read, packed } = batch;
  const memory = values.begin();
  const writing = { seq: read.seq, edition: read.edition, memory, keepsUnchanged };
  // Beside the live index everything is made, so there is nobody to be told.
  const dependents = lane === 2 ? [] : toDependents(lane, taken, await writeLive(tx, batch, writing), packed);
  if (lane === 2) await writeRebuilt(tx, taken, packed, writing);
  const counted = await words.add(tx, packed.words);
  await appendDependents(tx, dependents);
  const committed = (): void => {
    counted();
    memory.remember();
  };
  return { hasSpread: dependents.length > 0, committed };
}

async function writeLive(
  tx: Transaction,
  { taken, read, packed }: Batch,
  writing: Writing,
): Promise<ReadonlyMap<string, Before>> {
  const isRemoving = taken.some((record) => !read.found.has(keyOf(record)));
  await lockIndex(tx, isRemoving);
  const before = await writeDocuments(tx, taken, packed, writing);
  await removeVanished(tx, taken);
  const filled = new Set(packed.heads.map(keyOfHead));
  await noteWithoutDocuments(
    tx,
    taken.filter((record) => !filled.has(keyOf(record))),
  );
  await forgetHidden(tx, taken, read.position);
  return before;
}

/**
 * Removals have the index to themselves for a moment: a batch that read a record before it was deleted must not write it after the
 * removal. With the lock held, either its rows are committed and removed, or it sees that the record is gone (removeVanished), also where it removes
 * others itself.
 */
async function lockIndex(tx: Transaction, isRemoving: boolean): Promise<void> {
  const key = sql.fragment`hashtextextended('muniment search write', 0)`;
  await tx.run(
    isRemoving ? sql`SELECT pg_advisory_xact_lock(${key})` : sql`SELECT pg_advisory_xact_lock_shared(${key})`,
  );
}

async function removeVanished(tx: Transaction, taken: readonly RecordKey[]): Promise<void> {
  await tx.run(sql`
    WITH vanished AS (SELECT u.kind, u.id FROM ${keyTable(taken)} AS u (kind, id)
      WHERE ${isGone(
        sql.fragment`u.kind`,
        sql.fragment`u.id`,
        taken.map(({ kind }) => kind),
      )}),
    gone AS (DELETE FROM search_doc d USING vanished v WHERE d.kind = v.kind AND d.record_id = v.id RETURNING d.no)
    DELETE FROM search_body b USING gone WHERE b.no = gone.no`);
}

/** Whom the changes concern: those that link to a record of which they show something else now, what is below it, and those that tell of it. */
function toDependents(
  lane: Lane,
  taken: readonly RecordKey[],
  before: ReadonlyMap<string, Before>,
  packed: PackedDocuments,
): readonly Dependents[] {
  const after = new Map<string, PackedDocuments['heads'][number]>();
  // The first document of a record is staff's or everybody's.
  for (const head of [...packed.heads].reverse()) after.set(keyOf({ kind: head.kind, id: head.recordId }), head);
  const told = new Set<string>();
  const dependents: Dependents[] = [];
  for (const record of taken) {
    const old = before.get(keyOf(record)) ?? null;
    const now = after.get(keyOf(record)) ?? null;
    const isChanged = old?.shownDigest !== now?.shownDigest;
    const uris = concerned(isChanged, old?.targets ?? [], now?.targets ?? []);
    for (const uri of uris) told.add(uri);
    if (isChanged) dependents.push(...holdersOfRoot(record, uris));
    // What links to a new record comes with a change of its own, as does what linked to one that is gone.
    if (isChanged && old !== null && now !== null) dependents.push(...dependentsOf(record, now.uri));
  }
  return [...dependents, ...namedDependents(lane, told)];
}

/** The uris of those that tell of a record, where others show something else of it now, else of those of which it tells otherwise. */
const concerned = (isChanged: boolean, old: readonly string[], now: readonly string[]): readonly string[] =>
  (isChanged ? [...old, ...now] : difference(old, now)).map(uriOfTarget);

/** Kinds of nodes of which those show something that have the root, with the kind of that. */
const shownWithRoot: ReadonlyMap<string, string> = new Map(
  kindsWhere((search) => search.shownWithRoot === true).flatMap((name) => {
    const root = kindNamed(name).tree?.root;
    return root === undefined ? [] : [[name, root] as const];
  }),
);

/** What links to the root of a node, which the node names. */
function holdersOfRoot({ kind }: RecordKey, uris: readonly string[]): readonly Dependents[] {
  const root = shownWithRoot.get(kind);
  if (root === undefined) return [];
  return uris.flatMap((uri): readonly Dependents[] => {
    const address = parseUri(uri);
    return address?.kind === root ? [{ way: 'sources', ...address }] : [];
  });
}

function difference(a: readonly string[], b: readonly string[]): readonly string[] {
  const both = new Set(a.filter((one) => b.includes(one)));
  return [...a, ...b].filter((one) => !both.has(one));
}

/** Kinds whose records have others below them: nodes of trees, and their roots. */
const inTrees: ReadonlySet<string> = new Set(
  allKinds.flatMap(({ name, tree }) => (tree === undefined ? [] : [tree.root, name])),
);

/** Kinds of which all records of the repository show something, which the record itself is. */
const shownInItsRepository: ReadonlySet<string> = new Set(kindsWhere((search) => search.shownInItsRepository === true));

function dependentsOf({ kind, id }: RecordKey, uri: string): readonly Dependents[] {
  const repoId = parseUri(uri)?.repoId ?? null;
  return [
    { way: 'sources', kind, id, repoId },
    ...(inTrees.has(kind) ? [{ way: 'below' as const, kind, id, repoId }] : []),
    ...(shownInItsRepository.has(kind) ? [{ way: 'repository' as const, kind, id, repoId: id }] : []),
  ];
}

function namedDependents(lane: Lane, uris: ReadonlySet<string>): readonly Dependents[] {
  const byKind = new Map<string, number[]>();
  for (const uri of uris) {
    const address = parseUri(uri);
    if (address !== null) byKind.set(address.kind, [...(byKind.get(address.kind) ?? []), address.id]);
  }
  return [...byKind].map(([kind, ids]): Dependents => ({
    way: 'ids',
    lane: uris.size <= mostClose ? lane : 1,
    kind,
    ids,
  }));
}
