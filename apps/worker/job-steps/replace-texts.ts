// Finding and replacing in two phases (docs/decisions/0037, 24): what is to be replaced is found and checked while nobody is held up, and written
// in one transaction that holds what it changes alone.
import { hash } from 'node:crypto';
import { uriOf, kindNamed } from '#domain/addresses.ts';
import { recheck } from '#domain/checking/recheck.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { ReplaceTarget } from '#domain/text/find-and-replace.ts';
import { textsIn, withTexts } from '#domain/text/find-and-replace.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { EnumerationCache } from '#store/enumerations/lists.ts';
import { blocksOf } from '#store/records/visibility/in-steps.ts';
import type { IdsOfKind } from '#store/records/visibility/reach.ts';
import type { Revised, StoredBody } from '#store/records/writing/revise.ts';
import { lockStored, readStored, reviseMany } from '#store/records/writing/revise.ts';
import type { JobContext } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';
import { TookTooLong } from '../threads/pool.ts';

const blockSize = 500;
/** An expression that takes longer for one block of records is taken for one without end. */
const blockTimeoutMs = 60_000;
/**
 * So many characters of new texts are kept between the phases: the titles of a few hundred thousand records, or the notes of some thousands. What
 * comes behind that is replaced once more while the records are held, so that memory has a bound whatever is replaced.
 */
const mostKept = 32_000_000;

/** What is replaced by what, and for whom. */
export type Replacing = {
  readonly repoId: number;
  readonly actor: string | null;
  readonly find: string;
  readonly replace: string;
  readonly type: string;
  readonly property: string;
  readonly enumerations: EnumerationCache;
};

/** A record in which something is to be replaced: a digest of what it was when that was found, and its new texts; null where they were not kept. */
type Change = { readonly id: number; readonly state: string; readonly texts: readonly string[] | null };

/** What is to be changed, by kind. */
export type Changes = readonly { readonly kind: Kind; readonly changes: readonly Change[] }[];

/** Finds what is to be replaced in records, without locks, and checks it as an update is: what fails here has held nothing. */
export async function findChanges(
  groups: readonly IdsOfKind[],
  work: Replacing,
  context: JobContext,
  most = mostKept,
): Promise<Changes> {
  const total = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  let [done, kept] = [0, 0];
  const found: { kind: Kind; changes: Change[] }[] = [];
  for (const { kind, ids } of groups) {
    if (kind.may.update !== undefined) demandOfOwner(context, work.repoId, kind.may.update);
    const changes: Change[] = [];
    for (const block of blocksOf(ids, blockSize)) {
      const rows = await readStored(context.database.reader, kind, block, work.repoId);
      for (const { row, body } of await replaced(kind, rows, work, context)) {
        const texts = textsIn(body, targetOf(kind, work));
        kept += texts.reduce((sum, text) => sum + text.length, 0);
        changes.push({ id: row.id, state: stateOf(row), texts: kept > most ? null : texts });
      }
      done += block.length;
      context.progress({ label: 'Finding', done, total });
    }
    found.push({ kind, changes });
  }
  return found;
}

/**
 * Replaces what was found, in records that the transaction holds: in those that are what they were by what was kept, in those that somebody has
 * changed since anew. What is gone, or suppressed, is left out. Gives lines for the log, one for each record that changed.
 */
export async function writeChanges(
  tx: Transaction,
  all: Changes,
  work: Replacing,
  context: JobContext,
  atOnce = blockSize,
): Promise<readonly string[]> {
  const total = all.reduce((sum, { changes }) => sum + changes.length, 0);
  let done = 0;
  const lines: string[] = [];
  for (const { kind, changes: found } of all) {
    const changes = await renewed(tx, kind, found, work, context, atOnce);
    for (const block of blocksOf(changes, atOnce)) {
      context.signal.throwIfAborted();
      const changed = await writeBlock(tx, kind, block, work, context);
      for (const id of changed) lines.push(`Updating ${kind.model}[${id}].${work.property}`);
      done += block.length;
      context.progress({ label: 'Replacing', done, total });
    }
  }
  return lines;
}

/**
 * The changes of a kind as the records are by now: those that somebody has saved since go to a thread together, as each wait for one is waited by all who want what is held.
 */
async function renewed(
  tx: Transaction,
  kind: Kind,
  changes: readonly Change[],
  work: Replacing,
  context: JobContext,
  atOnce: number,
): Promise<readonly Change[]> {
  const saved: StoredBody[] = [];
  for (const block of blocksOf(changes, atOnce)) {
    const states = new Map(block.flatMap(({ id, state, texts }) => (texts === null ? [] : [[id, state] as const])));
    const rows = await lockStored(tx, kind, [...states.keys()], work.repoId);
    saved.push(...rows.filter((row) => states.get(row.id) !== stateOf(row)));
  }
  if (saved.length === 0) return changes;
  // Where nothing is to be replaced any more, nothing is written.
  const anew = new Map<number, Change | null>(saved.map(({ id }) => [id, null]));
  for (const block of blocksOf(saved, blockSize))
    for (const { row, body } of await replaced(kind, block, work, context))
      anew.set(row.id, { id: row.id, state: stateOf(row), texts: textsIn(body, targetOf(kind, work)) });
  return changes.flatMap((change) => {
    const now = anew.get(change.id);
    return now === null ? [] : [now ?? change];
  });
}

/** Writes changes as `renewed` gives them: what was not kept is replaced now. */
async function writeBlock(
  tx: Transaction,
  kind: Kind,
  changes: readonly Change[],
  work: Replacing,
  context: JobContext,
): Promise<readonly number[]> {
  const { repoId, actor } = work;
  const byId = new Map(changes.map((change) => [change.id, change]));
  const revised: Revised[] = [];
  const notKept: StoredBody[] = [];
  for (const row of await lockStored(tx, kind, [...byId.keys()], repoId)) {
    const texts = byId.get(row.id)?.texts ?? null;
    const old: JsonObject = JSON.parse(row.body);
    if (texts === null) notKept.push(row);
    else revised.push({ id: row.id, old, body: withTexts(old, targetOf(kind, work), texts) });
  }
  if (notKept.length > 0)
    for (const { row, body } of await replaced(kind, notKept, work, context))
      revised.push({ id: row.id, old: JSON.parse(row.body), body });
  const inOrder = revised.toSorted((a, b) => a.id - b.id);
  const ids = await reviseMany(tx, kind, inOrder, { repoId, actor, generatedValues: context.generatedValues });
  await context.changedRecords(
    tx,
    ids.map((id) => uriOf(kind, id, repoId)),
  );
  return ids;
}

const targetOf = (kind: Kind, { type, property }: Replacing): ReplaceTarget => ({
  type: kind.name === type ? null : type,
  property,
});

/** What the new texts, and whether they may stand there, follow from. */
const stateOf = ({ publish, rootId, body }: StoredBody): string =>
  hash('sha256', `${publish} ${rootId} ${body}`, 'base64');

type Replaced = { readonly row: StoredBody; readonly body: JsonObject };

/** The bodies in which a thread has replaced something, each checked as an update is. */
async function replaced(
  kind: Kind,
  rows: readonly StoredBody[],
  work: Replacing,
  context: JobContext,
): Promise<readonly Replaced[]> {
  const { repoId, find, replace, enumerations } = work;
  const bodies = rows.map(({ id, body }) => [id, body] as const);
  const target = targetOf(kind, work);
  const texts = await context.threads
    .run('replaceInBodies', { bodies, find, replace, target }, { signal: context.signal, limitMs: blockTimeoutMs })
    .catch((error: unknown) => {
      throw error instanceof TookTooLong ? fail('bad_parameter', { find: ['The expression takes too long'] }) : error;
    });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return texts.flatMap(([id, text]): readonly Replaced[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const body: JsonObject = JSON.parse(text);
    const rootUri = row.rootId === null ? null : uriOf(kindNamed(kind.tree?.root ?? ''), row.rootId, repoId);
    const uri = uriOf(kind, id, repoId);
    try {
      recheck(kind, { uri, body, publish: row.publish, rootUri }, enumerations, context.generatedValues);
    } catch (error) {
      // Of thousands of records, the one that cannot be changed so.
      if (error instanceof Failure && isObject(error.error))
        throw fail(error.code, { record_type: kind.name, record_uri: uri, errors: error.error });
      throw error;
    }
    return [{ row, body }];
  });
}
