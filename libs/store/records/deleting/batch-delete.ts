// Deleting many records of any kinds in one transaction, all or none (contract 5.7). Records of one repository go together as sets;
// users, groups, preferences and repositories, which have more to them than a record, go one by one.
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { repository } from '#domain/kinds/repository.ts';
import { Failure, fail, toWireBody } from '#domain/errors.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import type { AuditedBy, AuditEvent } from '../../access/audit.ts';
import { appendAudit } from '../../access/audit.ts';
import { deleteGroup } from '../../access/groups.ts';
import { deleteRepository } from '../../repositories/repositories.ts';
import { deleteUser } from '../../access/users.ts';
import { deletePreference } from '../../settings/preferences.ts';
import type { RecordKey } from '../record-key.ts';
import { hasMoreBelow } from '../visibility/reach.ts';
import { deleteRecords, holdToDelete } from './delete.ts';
import { hasManyHolders } from './unlink-first.ts';

/** A record to be deleted, with the address under which the client named it. */
export type Named = { readonly uri: string; readonly kind: Kind; readonly id: number; readonly repoId: number | null };

/** Why the record of this uri cannot be deleted. */
export type NamedRefusal = { readonly uri: string; readonly failure: Failure };

type DeleteOne = (tx: Transaction, named: Named, actor: string | null) => Promise<void>;

// In the order in which they go: what belongs to a user or a repository before these, with which it would be gone.
const oneByOne: { readonly [kind: string]: DeleteOne } = {
  preference: (tx, { id, repoId }, actor) => deletePreference(tx, id, repoId ?? 0, actor),
  group: (tx, { id, repoId }, actor) => deleteGroup(tx, id, repoId ?? 0, actor),
  user: (tx, { id }, actor) => deleteUser(tx, id, actor),
  repository: (tx, { id }, actor) => deleteRepository(tx, id, actor),
};

// Nobody knows without counting how much goes with these.
const holdsRecords: ReadonlySet<Kind> = new Set([repository]);

// Deletions that the audit log tells of.
const accountEvents: { readonly [kind: string]: AuditEvent } = { user: 'user_deleted', group: 'group_deleted' };

/** What a uri names; null where it names no record of a kind that can be deleted. */
export function readNamed(uri: string): Named | null {
  const address = parseUri(uri);
  const kind = address === null ? null : kindNamed(address.kind);
  return address === null || kind?.may.delete === undefined
    ? null
    : { uri, kind, id: address.id, repoId: address.repoId };
}

/** The failure of a batch of which any was refused: each as its own DELETE would have answered it. */
export function batchFailure(refusals: readonly NamedRefusal[]): Failure {
  return fail('access_denied', {
    failures: refusals.map(({ uri, failure }) => ({ response: [`${JSON.stringify(toWireBody(failure))}\n`], uri })),
  });
}

/** Whether these are, with all that is below them, more than so many records, or many others link to them; of a repository nobody counts. */
export async function isManyToDelete(reader: Reader, named: readonly Named[], most: number): Promise<boolean> {
  if (named.length > most || named.some(({ kind }) => holdsRecords.has(kind))) return true;
  if (await hasMoreBelow(reader, setsOf(named), most - named.length)) return true;
  return hasManyHolders(
    reader,
    named.map(({ kind, id }) => ({ kind: kind.name, id })),
  );
}

/** The records that go as sets, by repository: in one order, so that two batches do not wait for each other. */
function setsOf(named: readonly Named[]): readonly (readonly [number | null, readonly Named[]])[] {
  const sets = Map.groupBy(
    named.filter(({ kind }) => oneByOne[kind.name] === undefined),
    ({ repoId }) => repoId,
  );
  return [...sets].sort(([a], [b]) => (a ?? 0) - (b ?? 0));
}

/** The keys of the records that go as sets: not of accounts and repositories, which go one by one. */
export const keysInSets = (named: readonly Named[]): readonly RecordKey[] =>
  setsOf(named).flatMap(([, list]) => list.map(({ kind, id }) => ({ kind: kind.name, id })));

/** Deletes all of the records, with entries in the audit log where these are accounts; or fails with batchFailure(). `beforeTrees`: as of deleteNamed. */
export async function deleteAllNamed(
  tx: Transaction,
  named: readonly Named[],
  by: AuditedBy,
  beforeTrees: () => Promise<void> = async () => undefined,
): Promise<void> {
  const refusals = await deleteNamed(tx, named, by.actor, async () => {
    for (const { uri, kind } of named) {
      const event = accountEvents[kind.name];
      if (event !== undefined) await appendAudit(tx, by, { event, subject: uri });
    }
    await beforeTrees();
  });
  if (refusals.length > 0) throw batchFailure(refusals);
}

/**
 * Deletes the records. Gives what forbids it: where that is anything, the caller must let the transaction roll back. `beforeTrees` is awaited once, unless something forbids it: when all is written but for the trees of the last
 * repository, which are held from then on, or at the end, where accounts or repositories go as well.
 */
export async function deleteNamed(
  tx: Transaction,
  named: readonly Named[],
  actor: string | null,
  beforeTrees: () => Promise<void> = async () => undefined,
): Promise<readonly NamedRefusal[]> {
  const refusals: NamedRefusal[] = [];
  const sets = setsOf(named);
  // The set whose trees are the last to be taken; none where accounts or repositories come behind the sets.
  const last = named.every(({ kind }) => oneByOne[kind.name] === undefined) ? sets.length - 1 : -1;
  // Of all repositories before the first is deleted from: one order, from the first lock to the last.
  const held = await holdToDelete(tx, sets);
  for (const [nth, [repoId, list]] of sets.entries()) {
    const ahead = nth === last && refusals.length === 0 ? beforeTrees : undefined;
    const { refusals: refused } = await deleteRecords(tx, list, repoId, actor, {
      beforeTrees: ahead,
      held: held[nth],
    });
    for (const { target, failure } of refused)
      refusals.push({
        uri: list.find((each) => each.kind === target.kind && each.id === target.id)?.uri ?? '',
        failure,
      });
  }
  for (const [name, own] of Object.entries(oneByOne))
    for (const each of named) {
      const refusal = each.kind.name === name ? await deleteOne(tx, own, each, actor) : null;
      if (refusal !== null) refusals.push(refusal);
    }
  if (last < 0 && refusals.length === 0) await beforeTrees();
  return refusals;
}

async function deleteOne(
  tx: Transaction,
  own: DeleteOne,
  named: Named,
  actor: string | null,
): Promise<NamedRefusal | null> {
  try {
    await tx.nested(() => own(tx, named, actor));
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return { uri: named.uri, failure: error };
  }
}
