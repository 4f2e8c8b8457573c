// Deleting many records of any kinds in one transaction, all or none (contract 5.7). Records of one repository go together as sets;
// users, groups and repositories, which have more to them than a record, go one by one.
import type { Kind } from '#domain/kind.ts';
import { Failure } from '#domain/errors.ts';
import type { Transaction } from '../../connection/database.ts';
import { deleteGroup } from '../../access/groups.ts';
import { deleteRepository } from '../../repositories/repositories.ts';
import { deleteUser } from '../../access/users.ts';
import { deleteRecords } from './delete.ts';

/** A record to be deleted, with the address under which the client named it. */
export type Named = { readonly uri: string; readonly kind: Kind; readonly id: number; readonly repoId: number | null };

/** Why the record of this uri cannot be deleted. */
export type NamedRefusal = { readonly uri: string; readonly failure: Failure };

type DeleteOne = (tx: Transaction, named: Named, actor: string | null) => Promise<void>;

const oneByOne: { readonly [kind: string]: DeleteOne } = {
  user: (tx, { id }, actor) => deleteUser(tx, id, actor),
  group: (tx, { id, repoId }, actor) => deleteGroup(tx, id, repoId ?? 0, actor),
  repository: (tx, { id }, actor) => deleteRepository(tx, id, actor),
};

/** Deletes the records. Gives what forbids it: where that is anything, the caller must let the transaction roll back. */
export async function deleteNamed(
  tx: Transaction,
  named: readonly Named[],
  actor: string | null,
): Promise<readonly NamedRefusal[]> {
  const refusals: NamedRefusal[] = [];
  const sets = new Map<number | null, Named[]>();
  for (const each of named)
    if (oneByOne[each.kind.name] === undefined) sets.set(each.repoId, [...(sets.get(each.repoId) ?? []), each]);
  // Repositories in one order, so that two batches do not wait for each other.
  for (const [repoId, list] of [...sets].sort(([a], [b]) => (a ?? 0) - (b ?? 0))) {
    const { refusals: refused } = await deleteRecords(tx, list, repoId, actor);
    for (const { target, failure } of refused)
      refusals.push({
        uri: list.find((each) => each.kind === target.kind && each.id === target.id)?.uri ?? '',
        failure,
      });
  }
  for (const each of named) {
    const refusal = await deleteOne(tx, each, actor);
    if (refusal !== null) refusals.push(refusal);
  }
  return refusals;
}

async function deleteOne(tx: Transaction, named: Named, actor: string | null): Promise<NamedRefusal | null> {
  const own = oneByOne[named.kind.name];
  if (own === undefined) return null;
  try {
    await tx.nested(() => own(tx, named, actor));
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return { uri: named.uri, failure: error };
  }
}
