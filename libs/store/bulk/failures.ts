// The failure of one record of a bulk write that shows only at the end, when the record's row is in place already.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import type { Transaction } from '../database.ts';
import { sql } from '../sql.ts';

/** A record of the batch at which something failed: its number in the file from 0, and where it is stored. */
export type Faulty = { readonly number: number; readonly source_kind: string; readonly source_id: number };

/** The failure of a record that is written already. */
export async function failureOf(tx: Transaction, faulty: Faulty, errors: Json, errorClass: string): Promise<Error> {
  const row = await tx.maybeOne<{ label: string }>(sql`SELECT label FROM record WHERE kind = ${faulty.source_kind} AND id = ${faulty.source_id}`);
  const label = row?.label ?? '';
  return fail('import_failed', { record_title: label === '' ? `record ${faulty.number + 1}` : label, record_type: faulty.source_kind, record_uri: null, record_number: faulty.number + 1, error_class: errorClass, errors });
}

/** The uri of a record that stands in the way. */
export const uriOfRow = (row: { readonly kind: string; readonly id: number; readonly repo_id: number | null }): string => uriOf(kindNamed(row.kind), row.id, row.repo_id);
