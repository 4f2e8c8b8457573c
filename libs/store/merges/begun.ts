// Merges that are under way in steps (docs/decisions/0046): which there are, and that nobody deletes a record of one, or of a deletion in steps.
import { z } from 'zod';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import type { RecordAddress } from '#domain/uri.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

/** Writes that a merge is under way: its number, the record that stays, those that go, and for whom. */
export async function writeBegun(
  tx: Transaction,
  id: number,
  { survivor, gone }: { readonly survivor: RecordAddress; readonly gone: readonly RecordAddress[] },
  actor: string | null,
): Promise<void> {
  await tx.run(sql`INSERT INTO merge_begun (id, repo_id, actor) VALUES (${id}, ${survivor.repoId}, ${actor})`);
  const rows = sql.unnest(
    [survivor, ...gone].map(({ kind, id: recordId }, n) => [n, kind, recordId]),
    ['int4', 'text', 'int4'],
  );
  await tx.run(
    sql`INSERT INTO merge_begun_record (merge_id, n, kind, id) SELECT ${id}::int, u.n, u.kind, u.id FROM ${rows} AS u (n, kind, id)`,
  );
}

/** The numbers of all merges of records of a repository, or of global ones (null), that are under way, the oldest first. */
export async function begunMerges(reader: Reader, repoId: number | null): Promise<readonly number[]> {
  const rows = await reader.any(
    sql.type(IdRow)`SELECT id FROM merge_begun WHERE repo_id IS NOT DISTINCT FROM ${repoId}::int ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

const BegunRow = RecordKey.extend({ repo_id: column.maybeInt, actor: column.maybeText });

/** The records of a merge that is under way, and for whom it is; null where it is no longer, or never was. */
export async function readBegun(
  reader: Reader,
  mergeId: number,
): Promise<{
  readonly survivor: RecordAddress;
  readonly gone: readonly RecordAddress[];
  readonly actor: string | null;
} | null> {
  const rows = await reader.any(sql.type(BegunRow)`
    SELECT b.repo_id, b.actor, r.kind, r.id FROM merge_begun b JOIN merge_begun_record r ON r.merge_id = b.id WHERE b.id = ${mergeId} ORDER BY r.n`);
  const [survivor, ...gone] = rows.map(({ kind, id, repo_id: repoId }) => ({ kind, id, repoId }));
  return survivor === undefined ? null : { survivor, gone, actor: rows[0]?.actor ?? null };
}

const InStepsRow = RecordKey.extend({ work: z.enum(['merged', 'deleted']) });

/** A record that a job merges or deletes in steps. */
export type InSteps = z.infer<typeof InStepsRow>;

/**
 * Which of these records, that the caller holds against links, a merge has led holders to or from, or a deletion has taken out of holders: deleted now, they would take links with them that are to
 * come back where the job does not end.
 */
export async function inSteps(tx: Transaction, records: readonly RecordKey[]): Promise<readonly InSteps[]> {
  return tx.any(
    sql.type(InStepsRow)`
    WITH given AS (SELECT * FROM ${keyTable(records)} AS u (kind, id))
    SELECT u.kind, u.id, 'merged' AS work FROM given u JOIN merge_begun_record b USING (kind, id)
    UNION SELECT u.kind, u.id, 'deleted' FROM given u JOIN deletion_begun_record b USING (kind, id)`,
  );
}

/** Why such a record cannot be deleted. */
export const workedMeanwhile = ({ work }: InSteps): Failure =>
  fail('conflict', `The record is being ${work}; try again when that has ended`);
