// What readers of formats ask the database while they read, loaded before: barcodes and container profiles, as a table in shared
// memory (21 to 43 bytes an entry), so that a repository with a million boxes costs some 40 MB once and not an object for each.
import type { SharedUriTable } from '#domain/batch-import/uri-table.ts';
import { makeGrowingUriTable } from '#domain/batch-import/growing-uri-table.ts';
import { containerProfile } from '#domain/kinds/container_profile.ts';
import type { Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

const rowsAtOnce = 10_000;

/** The text under which a barcode is found in the table. */
export const barcodeText = (barcode: string): string => `barcode\n${barcode}`;
/** The text under which a container profile is found by its name. */
export const profileText = (name: string): string => `profile\n${name}`;

/** Ids of the top containers of a repository by barcode, and of all container profiles by name. Barcodes of over 400 bytes are not found. */
export async function readContainerLookups(reader: Reader, repoId: number): Promise<SharedUriTable> {
  const table = makeGrowingUriTable();
  const add = (rows: readonly { readonly text: string; readonly id: number }[]): void => {
    table.reserve(rows.length);
    for (const row of rows) table.add(row.text, { kind: 0, id: row.id });
  };
  const profiles = await reader.any<{ name: string; id: number }>(
    sql`SELECT body->>'name' AS name, id FROM record WHERE kind = ${containerProfile.name} ORDER BY id`,
  );
  add(profiles.map(({ name, id }) => ({ text: profileText(name), id })));
  // Pages of ten thousand along the primary key.
  for (let after: string | null = ''; after !== null;) {
    const rows: readonly { readonly value: string; readonly id: number }[] = await reader.any(sql`
      SELECT value, id FROM unique_key WHERE rule = 'top_container.barcode' AND scope = ${`r${repoId}`} AND value > ${after} ORDER BY value LIMIT ${rowsAtOnce}`);
    add(rows.map(({ value, id }) => ({ text: barcodeText(value), id })));
    after = rows.length < rowsAtOnce ? null : (rows.at(-1)?.value ?? null);
  }
  return table.shared;
}
