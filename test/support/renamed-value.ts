// A value of a controlled list that many accessions have, in tests of its renaming: what uses it, and its list as clients read it.
import { sql } from '#store/connection/sql.ts';
import { column, IdRow, NumberRow } from '#store/connection/columns.ts';
import { expect } from 'vitest';
import { z } from 'zod';
import type { TestApi } from './api.ts';
import { idOf, ok } from './api.ts';
import { copyAccession } from './merge-state.ts';

/** The list that tests rename values of. */
const listName = 'extent_extent_type';

/** A value, its list, and the accessions that have it, in the order of steps. */
export type UsedValue = {
  readonly value: { readonly uri: string; readonly value: string; readonly lock_version: number };
  readonly listUri: string;
  readonly ids: readonly number[];
  uriOf(id: number): string;
};

/** An accession with an extent of that type, saved as a client saves it; gives the status. */
export const accessionOf = (extentType: string): object => ({
  id_0: `A${Math.random()}`,
  accession_date: '2020-01-01',
  extents: [{ portion: 'whole', number: '1', extent_type: extentType }],
});

/** The list as clients read it. */
export const listOf = async (api: TestApi): Promise<any> => ok(await api.get(`/config/enumerations/names/${listName}`));

/** Adds a value to the list and gives it to so many accessions; some other text of each is the same. */
export async function usedValue(api: TestApi, repoId: number, text: string, count: number): Promise<UsedValue> {
  const list = await listOf(api);
  ok(await api.post(list.uri, { ...list, values: [...list.values, text] }));
  const R = `/repositories/${repoId}/accessions`;
  const model = await api.create(R, { ...accessionOf(text), title: `Has "extent_type":"${text}" in its title` });
  await copyAccession(api.database, model, count);
  const rows = await api.database.reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'accession' AND id >= ${idOf(model)} AND body::text LIKE ${`%"extent_type":"${text}"%`} ORDER BY id`);
  expect(rows).toHaveLength(count);
  const value = (await listOf(api)).enumeration_values.find((each: { readonly value: string }) => each.value === text);
  return { value, listUri: list.uri, ids: rows.map(({ id }) => id), uriOf: (id) => `${R}/${id}` };
}

/** How many accessions use a value; titles that only speak of it do not count. */
export const using = async ({ database }: TestApi, value: string): Promise<number> =>
  (
    await database.reader.one(
      sql.type(
        NumberRow,
      )`SELECT count(*)::int AS n FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"extent_type":"${value}"%`}`,
    )
  ).n;

const StateRow = z.strictObject({ part: column.text, row: column.text });

/** All that a renaming writes, and what it is not to write, as one value; dates of records apart. */
export const renamedState = ({ reader }: Pick<TestApi['database'], 'reader'>): Promise<unknown> =>
  reader.any(sql.type(StateRow)`
    SELECT 'record' AS part, concat_ws(' ', kind, id, label, lock_version, body::text) AS row FROM record
    UNION ALL SELECT 'link', concat_ws(' ', source_kind, source_id, ordinal, property, target_kind, target_id, role, mutual, ref::text) FROM link
    UNION ALL SELECT 'key', concat_ws(' ', rule, scope, value, kind, id) FROM unique_key
    UNION ALL SELECT 'list', concat_ws(' ', id, name, default_value, lock_version, last_modified_by) FROM enumeration
    UNION ALL SELECT 'value', concat_ws(' ', id, enumeration_id, value, position, readonly, suppressed, lock_version, last_modified_by) FROM enumeration_value
    UNION ALL SELECT 'renaming', concat_ws(' ', id, value, new_value) FROM renaming_begun ORDER BY 1, 2`);
