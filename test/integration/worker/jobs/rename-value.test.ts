// A value of a list becomes another in all records by a job, in steps; more of a new text: job-steps/rename-in-steps.test.ts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { renameValue as declaration } from '#domain/jobs/rename-value.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { renameBlock } from '#store/enumerations/rename-block.ts';
import { everywhere } from '#store/enumerations/uses.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { outside } from '#test/support/outside.ts';
import { copyAccession } from '#test/support/merge-state.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';
import { handler } from '../../../../apps/worker/jobs/rename-value.ts';

/** Two whole blocks, and some. */
const users = 2 * holdersAtOnce + 20;
const list = 'extent_extent_type';
const ValueRow = z.strictObject({ value: column.text });
let store: RecordStore;
let made = 0;
let listId = 0;
/** Two for each test. */
let values: readonly string[] = [];
let [from, to] = ['', ''];
let ids: readonly number[] = [];
beforeAll(async () => {
  store = await openRecordStore();
  listId = await idFrom(sql.fragment`enumeration WHERE name = ${list}`);
  const rows = await store.database.reader.any(
    sql.type(ValueRow)`SELECT value FROM enumeration_value WHERE enumeration_id = ${listId} ORDER BY position`,
  );
  values = rows.map(({ value }) => value);
});
afterAll(async () => {
  expect((await checkDatabase(store.database)).filter(({ count: found }) => found > 0)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const idFrom = async (where: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM ${where}`)).id;
const valueId = (value: string): Promise<number> =>
  idFrom(sql.fragment`enumeration_value WHERE enumeration_id = ${listId} AND value = ${value}`);
const count = async (query: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM ${query}`)).n;
const using = (value: string): Promise<number> =>
  count(sql.fragment`record WHERE kind = 'accession' AND body::text LIKE ${`%"extent_type":"${value}"%`}`);
const isListed = async (value: string): Promise<boolean> =>
  (await count(sql.fragment`enumeration_value WHERE enumeration_id = ${listId} AND value = ${value}`)) === 1;
const changesOf = (): Promise<number> =>
  count(
    sql.fragment`change c LEFT JOIN LATERAL unnest(c.ids) AS u (id) ON true WHERE c.kind = 'accession' AND c.op = 'update' AND coalesce(c.id, u.id) = ANY(${sql.array([...ids], 'int4')})`,
  );
beforeEach(async () => {
  made += 1;
  [from = '', to = ''] = values.slice(2 * made);
  const model = (
    await store.create('accession', {
      id_0: `V${made}`,
      accession_date: '2020-01-01',
      title: `Has "extent_type":"${from}" in its title`,
      extents: [{ portion: 'whole', number: '1', extent_type: from }],
    })
  ).uri;
  await copyAccession(store.database, model, users);
  const rows = await store.database.reader.any(
    sql.type(
      IdRow,
    )`SELECT id FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"extent_type":"${from}"%`} ORDER BY id`,
  );
  ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(users);
});

const migration = () => ({ change: { listId, from, to }, actor: 'tester', trims: false });
const migrate = (): Promise<unknown> => runHandler(store.database, declaration, handler, migration());

test('a migration changes every record once, and drops the value', async () => {
  expect(await migrate()).toEqual({ lock_version: expect.any(Number) });
  expect([await using(from), await using(to), await changesOf()]).toEqual([0, users, users]);
  expect([await isListed(from), await isListed(to)]).toEqual([false, true]);
});

test('killed before its end it leaves records that are right, and does the rest when it runs again', async () => {
  await expect(killedOnce(store.database, declaration, handler, migration())).rejects.toThrow('killed');
  expect([await using(from), await using(to)]).toEqual([0, users]);
  expect([await isListed(from), await isListed(to)]).toEqual([true, true]);
  await migrate();
  expect([await using(to), await changesOf(), await isListed(from)]).toEqual([users, users, false]);
  await expect(migrate()).rejects.toMatchObject({ code: 'not_found' });
});

test('while it waits for one record, those before and behind it are saved, with either value', async () => {
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  const uriOf = (id: number): string => `/repositories/${store.repoId}/accessions/${id}`;
  const running = await holdingRecord(
    store.database,
    { kind: 'accession', id: ids[holdersAtOnce + 1] ?? 0 },
    async (isMet) => {
      const job = outside(migrate);
      await isMet();
      for (const id of [first, last])
        await store.update(uriOf(id), { ...(await store.read(uriOf(id))), title: 'Saved' });
      expect((await store.read(uriOf(first)))['extents']).toMatchObject([{ extent_type: to }]);
      expect((await store.read(uriOf(last)))['extents']).toMatchObject([{ extent_type: from }]);
      return { job };
    },
  );
  await running.job;
  for (const id of [first, last])
    expect(await store.read(uriOf(id))).toMatchObject({ title: 'Saved', extents: [{ extent_type: to }] });
});

test('a new text is in records alone until its end, and the job of whoever sends it again begins anew', async () => {
  const change = { valueId: await valueId(from), body: { value: `${from} again`, lock_version: 0 }, lockVersion: 0 };
  const payload = { change, actor: 'tester', trims: false };
  await expect(killedOnce(store.database, declaration, handler, payload)).rejects.toThrow('killed');
  expect([await using(from), await using(`${from} again`), await isListed(from)]).toEqual([0, users, true]);
  expect(await isListed(`${from} again`)).toBe(false);
  expect(await runHandler(store.database, declaration, handler, payload)).toEqual({ lock_version: 1 });
  expect([await using(from), await using(`${from} again`), await isListed(from)]).toEqual([0, users, false]);
  await expect(runHandler(store.database, declaration, handler, payload)).rejects.toMatchObject({
    code: 'stale_record',
  });
});

test('where unique keys hold the value a step changes nothing of the kind', async () => {
  const term = { term: `Term ${made}`, term_type: 'topical', vocabulary: '/vocabularies/1' };
  const subject = { source: 'local', vocabulary: '/vocabularies/1', terms: [term] };
  const { uri } = await store.create('subject', subject);
  const change = { list: 'subject_source', from: 'local', to: 'lcsh', actor: 'tester' };
  const place = everywhere('subject_source').find(({ use }) => use.kind.name === 'subject');
  if (place === undefined) throw new Error('subjects have no source');
  expect(await store.database.transaction((tx) => renameBlock(tx, change, place, 0))).toBe(null);
  expect((await store.read(uri))['source']).toBe('local');
});
