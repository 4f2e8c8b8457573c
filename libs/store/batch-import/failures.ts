// The failure of one record of a bulk write that shows only at the end, when the record's row is in place already.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A record of the batch at which something failed: its number in the file from 0, and where it is stored. */
export const Faulty = z.strictObject({ number: column.int, source_kind: column.text, source_id: column.int });
export type Faulty = z.infer<typeof Faulty>;

/** What is wrong with such a record. */
export type StagedFault = { readonly faulty: Faulty; readonly errors: Json; readonly errorClass: string };

/** The failure of a record that is written already. */
export async function failureOf(tx: Transaction, faulty: Faulty, errors: Json, errorClass: string): Promise<Failure> {
  const [failure] = await failuresOf(tx, [{ faulty, errors, errorClass }]);
  return failure ?? fail('import_failed', errors);
}

const WrittenRow = z.strictObject({ label: column.maybeText, uri: column.maybeText });

/** The failures of records that are written already, in the same order. `isAddressed`: the records came with the addresses that they have now. One query. */
export async function failuresOf(
  tx: Transaction,
  faults: readonly StagedFault[],
  { isAddressed = false } = {},
): Promise<readonly Failure[]> {
  const rows = await tx.any(sql.type(WrittenRow)`
    SELECT r.label, CASE WHEN ${isAddressed} THEN record_uri(r.kind, r.id, r.repo_id) END AS uri FROM ${sql.unnest(
      faults.map(({ faulty }, index) => [index, faulty.source_kind, faulty.source_id]),
      ['int4', 'text', 'int4'],
    )} AS u (n, kind, id)
    LEFT JOIN record r ON r.kind = u.kind AND r.id = u.id ORDER BY u.n`);
  return faults.map(({ faulty, errors, errorClass }, index) =>
    fail('import_failed', {
      record_title: rows[index]?.label || `record ${faulty.number + 1}`,
      record_type: faulty.source_kind,
      record_uri: rows[index]?.uri ?? null,
      record_number: faulty.number + 1,
      error_class: errorClass,
      errors,
    }),
  );
}

/** The uri of a record that stands in the way. */
export const uriOfRow = (row: {
  readonly kind: string;
  readonly id: number;
  readonly repo_id: number | null;
}): string => uriOf(kindNamed(row.kind), row.id, row.repo_id);
