// The repository that a record is written into, held against its deletion: who makes a record holds it until the transaction ends, and who deletes the
// repository waits for that, and finds the record. Without it a record that was made at that moment stayed behind, in no repository.
import { fail } from '#domain/errors.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '../../connection/database.ts';
import { EmptyRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

/** A SELECT that holds a repository and gives a row where it is there; null, of global records: a row. */
export const heldRepository = (repoId: number | null): Fragment =>
  repoId === null
    ? sql.fragment`SELECT`
    : sql.fragment`SELECT FROM record WHERE kind = ${repository.name} AND id = ${repoId} FOR KEY SHARE`;

/** What is wrong with the id of a repository that is not there (contract 1.3). */
export const unknownRepository = 'Failed validation -- The Repository must exist';

/** The failure of who names a repository that never was, or comes too late. */
export const goneRepository = (): ReturnType<typeof fail> => fail('bad_parameter', { repo_id: [unknownRepository] });

/** Holds a repository until the transaction ends; null, of global records: none. Fails with `bad_parameter` where it is gone. */
export async function holdRepository(tx: Transaction, repoId: number | null): Promise<void> {
  if (repoId === null) return;
  if ((await tx.maybeOne(sql.type(EmptyRow)`${heldRepository(repoId)}`)) === null) throw goneRepository();
}
