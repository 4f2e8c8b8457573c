// A renaming that is under way: who changes the list meanwhile is refused, and what goes from a value to the records that have it knows both texts.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readCustomChoice } from '#domain/reports/custom.ts';
import { column, IdRow } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { addListValues } from '#store/enumerations/completed-lists.ts';
import { lockList } from '#store/enumerations/held-lists.ts';
import { readEnumeration } from '#store/enumerations/lists.ts';
import { beginRenaming, begunRenamings, endRenaming, keepBoth, takeBack } from '#store/enumerations/renaming.ts';
import { retireValue } from '#store/enumerations/retired.ts';
import { moveValue, suppressValue } from '#store/enumerations/update-value.ts';
import { migrateValue, updateEnumeration } from '#store/enumerations/update.ts';
import { writeSettings } from '#store/loading/settings.ts';
import { readOpenRepositories } from '#store/oai/states.ts';
import { customStatement, readCustomCatalogue } from '#store/reports/custom.ts';
import { withReportRows } from '#store/reports/stream.ts';
import { openRecordStore } from '#test/support/records.ts';

const store = await openRecordStore();
afterAll(async () => store[Symbol.asyncDispose]());
const by = { actor: 'tester', trims: false };
const change = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => store.database.transaction(work);
const listId = async (name: string): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM enumeration WHERE name = ${name}`)).id;
const valueId = async (list: string, value: string): Promise<number> =>
  (
    await store.database.reader.one(
      sql.type(
        IdRow,
      )`SELECT id FROM enumeration_value WHERE enumeration_id = ${await listId(list)} AND value = ${value}`,
    )
  ).id;
const begin = async (list: string, from: string, to: string): Promise<void> => {
  const saved = { valueId: await valueId(list, from), body: { value: to }, lockVersion: 0 };
  await change((tx) => beginRenaming(tx, 7, saved, by));
};
const RetiredRow = z.strictObject({ value: column.text, successor: column.maybeText });
const retired = () =>
  store.database.reader.any(sql.type(RetiredRow)`SELECT value, successor FROM retired_value ORDER BY value`);
beforeEach(async () => {
  await store.database.write(sql`DELETE FROM renaming_begun`);
  await store.database.write(sql`DELETE FROM retired_value`);
});

test('refuses every change of its list but its own, with the reason', async () => {
  const name = 'accession_acquisition_type';
  const id = await listId(name);
  await begin(name, 'gift', 'present');
  const list = await readEnumeration(store.database.reader, { id });
  const gift = await valueId(name, 'gift');
  const deposit = await valueId(name, 'deposit');
  const attempts: readonly ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => lockList(tx, id),
    (tx) => updateEnumeration(tx, id, list, list['lock_version'], by),
    (tx) => moveValue(tx, deposit, 2),
    (tx) => suppressValue(tx, gift, true),
    (tx) => migrateValue(tx, id, 'deposit', 'gift', by),
    (tx) => beginRenaming(tx, 8, { valueId: deposit, body: { value: 'present' }, lockVersion: 0 }, by),
  ];
  const message = "'gift' of the list is being renamed to 'present'; try again when that has ended";
  for (const attempt of attempts) await expect(change(attempt)).rejects.toMatchObject({ code: 'conflict', message });
  await expect(
    change((tx) => writeSettings(tx, [{ type: 'enumeration', number: 0, record: list }])),
  ).rejects.toMatchObject({ code: 'conflict' });
  await change((tx) => lockList(tx, 1));
  expect(await begunRenamings(store.database.reader)).toEqual([7]);
  expect(await change((tx) => endRenaming(tx, 7))).toBe(id);
  expect(await change((tx) => endRenaming(tx, 7))).toBe(null);
  await change((tx) => lockList(tx, id));
});

test('the new text is followed to what it was once no longer, and to the old one when all is taken back', async () => {
  const name = 'accession_acquisition_type';
  const id = await listId(name);
  await change((tx) => retireValue(tx, id, 'present', 'deposit'));
  await begin(name, 'gift', 'present');
  expect(await retired()).toEqual([]);
  const renaming = { list: name, from: 'gift', to: 'present', actor: 'tester' };
  await change((tx) => takeBack(tx, 7, renaming));
  expect(await retired()).toEqual([{ value: 'present', successor: 'gift' }]);
  // Once more, as a job does that runs again: nothing.
  await change((tx) => takeBack(tx, 7, { ...renaming, from: 'deposit' }));
  await change((tx) => keepBoth(tx, 7, renaming));
  expect(await retired()).toEqual([{ value: 'present', successor: 'gift' }]);
  expect((await readEnumeration(store.database.reader, { id }))['values']).not.toContain('present');
});

test('values that imports bring are added beside it, and its new text when it is kept', async () => {
  const name = 'accession_acquisition_type';
  await begin(name, 'gift', 'present');
  const brought = ['present', 'loan'].map((value) => ({ list: name, value }));
  expect(await change((tx) => addListValues(tx, brought, 'tester'))).toBe(1);
  const values = async () => (await readEnumeration(store.database.reader, { name }))['values'];
  expect(await values()).toEqual(['deposit', 'gift', 'purchase', 'transfer', 'loan']);
  await change((tx) => keepBoth(tx, 7, { list: name, from: 'gift', to: 'present', actor: 'tester' }));
  expect(await values()).toEqual(['deposit', 'gift', 'purchase', 'transfer', 'loan', 'present']);
});

test('harvesters and reports find records by either text', async () => {
  await store.database.write(sql`UPDATE enumeration SET editable = true WHERE name = 'archival_record_level'`);
  const repository = `/repositories/${store.repoId}`;
  const [series, deposit] = [
    await valueId('archival_record_level', 'series'),
    await valueId('accession_acquisition_type', 'deposit'),
  ];
  await store.update(repository, {
    ...(await store.read(repository)),
    publish: true,
    oai_sets_available: JSON.stringify([String(series)]),
  });
  const levels = async (): Promise<unknown> =>
    (await readOpenRepositories(store.database.reader)).find(({ id }) => id === store.repoId)?.levels;
  expect(await levels()).toBe('series');
  await begin('archival_record_level', 'series', 'sequence');
  expect(await levels()).toBe('series,sequence');
  await change((tx) => endRenaming(tx, 7));

  for (const id0 of ['old', 'new'])
    await store.create('accession', { id_0: id0, accession_date: '2020-01-01', acquisition_type: 'deposit' });
  await store.database.write(
    sql`UPDATE record SET body = replace(body::text, '"deposit"', '"custody"')::json WHERE kind = 'accession' AND body->>'id_0' = 'new'`,
  );
  const fields = {
    identifier: { include: '1' },
    acquisition_type: { include: '1', narrow_by: '1', values: [String(deposit)] },
  };
  const choice = readCustomChoice(
    JSON.stringify({ custom_record_type: 'accession', fields }),
    10,
    readCustomCatalogue(),
  );
  expect(choice.leftOut).toEqual([]);
  const found = (): Promise<readonly unknown[]> =>
    withReportRows(store.database, customStatement(choice, [store.repoId, true, null, null]), async (rows) =>
      Array.fromAsync(rows, (row): unknown => JSON.parse(row).acquisition_type),
    );
  expect(await found()).toEqual(['deposit']);
  await begin('accession_acquisition_type', 'deposit', 'custody');
  expect(await found()).toEqual(['deposit', 'custody']);
});
