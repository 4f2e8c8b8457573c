// What readers of formats ask the database while they read, loaded before: barcodes and container profiles, as a table in shared
// memory (21 to 43 bytes an entry), so that a repository with a million boxes costs some 40 MB once and not an object for each.
import { z } from 'zod';
import type { SharedUriTable } from '#domain/batch-import/uri-table.ts';
import { makeGrowingUriTable } from '#domain/batch-import/growing-uri-table.ts';
import { keyText } from '#domain/batch-import/index-block.ts';
import { containerProfile } from '#domain/kinds/container_profile.ts';
import { subject } from '#domain/kinds/subject.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const rowsAtOnce = 10_000;

/** The text under which a barcode is found in the table. */
export const barcodeText = (barcode: string): string => `barcode\n${barcode}`;
/** The text under which a container profile is found by its name. */
export const profileText = (name: string): string => `profile\n${name}`;

const ProfileRow = z.strictObject({ name: column.text, id: column.int });

const ValueRow = z.strictObject({ value: column.text, id: column.int });
type ValueRow = z.infer<typeof ValueRow>;

/**
 * Ids of the top containers of a repository by barcode, and of all container profiles by name; with `subjects` those of all subjects by
 * their unique keys (keyText of index-block.ts). Barcodes of over 400 bytes are not found.
 */
export async function readLookups(
  reader: Reader,
  repoId: number,
  { subjects }: { readonly subjects: boolean },
): Promise<SharedUriTable> {
  const table = makeGrowingUriTable();
  const add = (rows: readonly { readonly text: string; readonly id: number }[]): void => {
    table.reserve(rows.length);
    for (const row of rows) table.add(row.text, { kind: 0, id: row.id });
  };
  const profiles = await reader.any(sql.type(ProfileRow)`
    SELECT body->>'name' AS name, id FROM record WHERE kind = ${containerProfile.name} ORDER BY id`);
  add(profiles.map(({ name, id }) => ({ text: profileText(name), id })));
  const addKeys = async (rule: string, scope: string, textOf: (value: string) => string): Promise<void> => {
    // Pages of ten thousand along the primary key.
    for (let after: string | null = ''; after !== null;) {
      const rows: readonly ValueRow[] = await reader.any(sql.type(ValueRow)`
        SELECT value, id FROM unique_key WHERE rule = ${rule} AND scope = ${scope} AND value > ${after} ORDER BY value LIMIT ${rowsAtOnce}`);
      add(rows.map(({ value, id }) => ({ text: textOf(value), id })));
      after = rows.length < rowsAtOnce ? null : (rows.at(-1)?.value ?? null);
    }
  };
  await addKeys('top_container.barcode', `r${repoId}`, barcodeText);
  if (subjects)
    for (const { name: rule } of subject.unique ?? [])
      await addKeys(rule, '', (value) => keyText({ rule, scope: '', value }));
  return table.shared;
}
