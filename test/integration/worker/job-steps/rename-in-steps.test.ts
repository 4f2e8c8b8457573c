// A new text of a value that many records use goes in steps: the same comes of it, nobody waits for the whole, the list shows the old text to its end, and one that does not end takes everything back.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { renameBack as backDeclaration } from '#domain/jobs/rename-back.ts';
import { renameValue as declaration } from '#domain/jobs/rename-value.ts';
import { appendChange } from '#store/change-log/append.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { addListValues, readLists } from '#store/enumerations/completed-lists.ts';
import { followRetiredValues } from '#store/enumerations/retired.ts';
import { updateValue } from '#store/enumerations/update-value.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { outside } from '#test/support/outside.ts';
import type { UsedValue } from '#test/support/renamed-value.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { accessionOf, listOf, renamedState, usedValue, using } from '#test/support/renamed-value.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler as backHandler } from '../../../../apps/worker/jobs/rename-back.ts';
import { handler } from '../../../../apps/worker/jobs/rename-value.ts';

/** Two whole blocks, and some. */
const users = 2 * holdersAtOnce + 20;
const list = 'extent_extent_type';
let api: TestApi;
let repoId = 0;
let made = 0;
let [from, to] = ['', ''];
let used: UsedValue;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count: found }) => found > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => {
  made += 1;
  [from, to] = [`sheets ${made}`, `leaves ${made}`];
  used = await usedValue(api, repoId, from, users);
});

const payload = (lockVersion = 0) => ({
  change: { valueId: idOf(used.value.uri), body: { ...used.value, value: to }, lockVersion },
  actor: 'tester',
  trims: false,
});
type Around = Parameters<typeof runHandler>[4];
const rename = (around: Around = {}): Promise<unknown> =>
  runHandler(api.database, declaration, handler, payload(), around);
const takeBack = (renamingId: number, around: Around = {}): Promise<unknown> =>
  runHandler(api.database, backDeclaration, backHandler, { renamingId }, around);
/** A job whose process dies in its n-th transaction, counted from 0. */
const dyingIn =
  (n: number): Around =>
  ({ transaction }) => {
    let begun = 0;
    return {
      transaction: (work, options) =>
        transaction(async (tx) => {
          const value = await work(tx);
          begun += 1;
          if (begun > n) throw new Error('killed');
          return value;
        }, options),
    };
  };
const count = async (query: Fragment): Promise<number> =>
  (await api.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM ${query}`)).n;
const changes = (): Promise<number> =>
  count(
    sql.fragment`change c LEFT JOIN LATERAL unnest(c.ids) AS u (id) ON true WHERE c.kind = 'accession' AND c.op = 'update' AND coalesce(c.id, u.id) = ANY(${sql.array([...used.ids], 'int4')})`,
  );
const uses = async (): Promise<readonly number[]> => [await using(api, from), await using(api, to)];
/** Gives most records the new text, and ends before the transaction that ends the renaming. */
async function stepsAlone(): Promise<number> {
  await expect(killedOnce(api.database, declaration, handler, payload())).rejects.toThrow('killed');
  const { id } = await api.database.reader.one(sql.type(IdRow)`SELECT id FROM renaming_begun`);
  // This process hears of it a moment later.
  await expect.poll(async () => (await create(to)).status).toBe(200);
  return id;
}
const create = (extentType: string) => api.post(`/repositories/${repoId}/accessions`, accessionOf(extentType));
const save = async (id: number, more: object = {}) => {
  const uri = used.uriOf(id);
  return api.post(uri, { ...ok(await api.get(uri)), title: 'Saved', ...more });
};
const extentOf = async (uri: string): Promise<unknown> => ok(await api.get(uri)).extents[0].extent_type;

test('comes to the same as one transaction, and writes each record once', async () => {
  let expected: unknown;
  const { valueId, body } = payload().change;
  await expect(
    api.database.transaction(async (tx) => {
      await updateValue(tx, valueId, body, 0, { actor: 'tester', trims: false });
      expected = await renamedState({ reader: tx });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await uses()).toEqual([users, 0]);
  expect(await rename()).toEqual({ lock_version: 1 });
  expect(await renamedState(api.database)).toEqual(expected);
  expect([await uses(), await changes()]).toEqual([[0, users], users]);
  await expect(rename()).rejects.toMatchObject({ code: 'stale_record' });
});

test('while it waits for one record, those before it are saved with either text, and the list stays as it is', async () => {
  const before = await listOf(api);
  const [first = 0, second = 0, last = 0] = [used.ids[0], used.ids[1], used.ids.at(-1)];
  const middle = { kind: 'accession', id: used.ids[holdersAtOnce + 1] ?? 0 };
  const running = await holdingRecord(api.database, middle, async (isMet) => {
    const job = outside(rename);
    await isMet();
    expect(await uses()).toEqual([users - holdersAtOnce, holdersAtOnce]);
    await expect.poll(async () => (await save(first)).status).toBe(200);
    const extents = (extentType: string) => ({
      extents: [{ portion: 'whole', number: '2', extent_type: extentType }],
    });
    const saves = [await save(second, extents(from)), await save(last, extents(to)), await create(from)];
    expect(saves.map(({ status, text }) => [status, text])).toEqual(saves.map(({ text }) => [200, text]));
    expect(await extentOf(used.uriOf(second))).toBe(from);
    expect(await listOf(api)).toEqual(before);
    // Messages name what lists show.
    const { error } = (await create('nothing of it')).json;
    expect(JSON.stringify(error)).toContain(from);
    expect(JSON.stringify(error)).not.toContain(to);
    const form = (fields: { readonly [name: string]: string }) => ({ form: new URLSearchParams(fields) });
    const { value } = used;
    const [other] = before.enumeration_values;
    const refused = [
      await api.post(before.uri, { ...before, values: [...before.values, to] }),
      await api.post(before.uri, { ...before, values: before.values.filter((each: string) => each !== from) }),
      await api.ask(`${other.uri}/position`, form({ position: '1' })),
      await api.ask(`${value.uri}/suppressed`, form({ suppressed: 'true' })),
      await api.post(value.uri, value),
    ];
    const why = { error: `'${from}' of the list is being renamed to '${to}'; try again when that has ended` };
    expect(refused.map(({ status, json }) => [status, json])).toEqual(refused.map(() => [409, why]));
    const era = ok(await api.get('/config/enumerations/names/date_era'));
    expect((await api.post(era.uri, era)).status).toBe(200);
    // What an import brings is there for it.
    const brought = [{ list, value: to }];
    expect(await api.database.transaction((tx) => addListValues(tx, brought, 'tester'))).toBe(0);
    const read = (await readLists(api.database.reader)).find(({ name }) => name === list);
    expect([read?.all.includes(to), read?.values.includes(to)]).toEqual([true, false]);
    return { job, created: String(saves[2]?.json.uri) };
  });
  expect(await running.job).toEqual({ lock_version: 1 });
  expect(await uses()).toEqual([0, users + 1]);
  for (const id of [first, second, last])
    expect(ok(await api.get(used.uriOf(id)))).toMatchObject({ title: 'Saved', extents: [{ extent_type: to }] });
  expect(await extentOf(running.created)).toBe(to);
  expect((await listOf(api)).values).toEqual(before.values.map((each: string) => (each === from ? to : each)));
  await expect.poll(async () => (await create(from)).status).toBe(400);
});

test('killed in the middle it goes on where it was, and writes each record once', async () => {
  // Looked at, looked for, begun, the first block.
  let job = 0;
  const dying = dyingIn(4);
  await expect(
    rename((context) => {
      job = context.jobId;
      return typeof dying === 'function' ? dying(context) : {};
    }),
  ).rejects.toThrow('killed');
  expect(await uses()).toEqual([users - holdersAtOnce, holdersAtOnce]);
  const before = (await listOf(api)).values;
  // The next run is the same job's.
  expect(await rename({ jobId: job, complete: async () => undefined })).toEqual({ lock_version: 1 });
  expect([await uses(), await changes(), await count(sql.fragment`renaming_begun`)]).toEqual([[0, users], users, 0]);
  expect((await listOf(api)).values).toEqual(before.map((each: string) => (each === from ? to : each)));
});

test('takes everything back where its last step does not come, in the job that stands behind it', async () => {
  const before = await renamedState(api.database);
  const { last: seen } = await lastRecord();
  const renamingId = await stepsAlone();
  expect((await uses())[0]).toBe(0);
  expect(
    await count(
      sql.fragment`job WHERE type = 'rename-back' AND status = 'queued' AND mailbox = 'lists' AND (payload->>'renamingId')::int = ${renamingId}`,
    ),
  ).toBe(1);
  // Killed in the middle, it goes on.
  await expect(takeBack(renamingId, dyingIn(1))).rejects.toThrow('killed');
  expect((await uses())[0]).toBe(holdersAtOnce);
  await takeBack(renamingId);
  // Those that were made with the new text meanwhile have the old one, too.
  expect(
    await count(sql.fragment`record WHERE kind = 'accession' AND id > ${seen} AND body::text LIKE ${`%"${from}"%`}`),
  ).toBe(1);
  await api.database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM unique_key WHERE kind = 'accession' AND id > ${seen}`);
    await tx.run(sql`DELETE FROM record WHERE kind = 'accession' AND id > ${seen}`);
  });
  expect(await renamedState(api.database)).toEqual(before);
  await expect.poll(async () => (await create(to)).status).toBe(400);
  expect((await create(from)).status).toBe(200);
  await takeBack(renamingId);
  expect(await uses()).toEqual([users + 1, 0]);
  // Done again, it comes to its end, and nobody follows the new text to the old one.
  expect(await rename()).toEqual({ lock_version: 1 });
  await sequenceChanges(api.database);
  await followRetiredValues(api.database);
  expect(await uses()).toEqual([0, users + 1]);
});

test('what is stored with the new text when it was taken back gets the old one', async () => {
  await takeBack(await stepsAlone());
  const [id = 0] = used.ids;
  // As a process that has not heard of it saves it.
  await api.database.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE record SET body = replace(body::text, ${`"extent_type":"${from}"`}, ${`"extent_type":"${to}"`})::json WHERE kind = 'accession' AND id = ${id}`,
    );
    await appendChange(tx, { kind: 'accession', id, repoId, op: 'update', lockVersion: 1, actor: 'tester' });
  });
  await sequenceChanges(api.database);
  await followRetiredValues(api.database);
  expect(await extentOf(used.uriOf(id))).toBe(from);
  expect((await listOf(api)).values).not.toContain(to);
});

test('the next job of lists takes back first what one before it has left', async () => {
  await stepsAlone();
  const { uri } = await listOf(api);
  const change = { listId: idOf(uri), from, to: 'cassettes' };
  await runHandler(api.database, declaration, handler, { change, actor: 'tester', trims: false });
  expect([await uses(), await count(sql.fragment`renaming_begun`)]).toEqual([[0, 0], 0]);
  expect(await using(api, 'cassettes')).toBe(users + 1);
});

test('what refuses it does so before anything is renamed', async () => {
  const before = await renamedState(api.database);
  const refused = async (change: object, code: string): Promise<void> => {
    const given = payload();
    await expect(
      runHandler(api.database, declaration, handler, { ...given, change: { ...given.change, ...change } }),
    ).rejects.toMatchObject({ code });
  };
  await refused({ lockVersion: 7 }, 'stale_record');
  await refused({ body: { value: 'cassettes' } }, 'not_unique');
  await refused({ body: { value: '' } }, 'bad_parameter');
  await refused({ valueId: 99_999_999 }, 'not_found');
  expect(await renamedState(api.database)).toEqual(before);
  expect(await changes()).toBe(0);
});

test('few uses are renamed by one transaction, of which nothing is left where it is killed', async () => {
  [from, to] = [`${from} few`, `${to} few`];
  used = await usedValue(api, repoId, from, holdersAtOnce);
  const before = await renamedState(api.database);
  await expect(killedOnce(api.database, declaration, handler, payload())).rejects.toThrow('killed');
  expect(await renamedState(api.database)).toEqual(before);
  expect(await rename()).toEqual({ lock_version: 1 });
  expect(await uses()).toEqual([0, holdersAtOnce]);
});

test('refused in its last step it takes all back but what somebody has saved with the new text beside an equal record, which keeps it', async () => {
  const [source, next] = [`source ${made}`, `origin ${made}`];
  const sources = async () => ok(await api.get('/config/enumerations/names/name_source'));
  const before = await sources();
  ok(await api.post(before.uri, { ...before, values: [...before.values, source] }));
  const corporate = await api.create('/agents/corporate_entities', {
    names: [{ primary_name: `Firm ${made}`, sort_name_auto_generate: true }],
    agent_record_identifiers: [{ primary_identifier: true, record_identifier: 'a', source }],
  });
  // Without keys of their own: all are alike, and none of their keys holds the value.
  await api.database.write(sql`
    INSERT INTO record (kind, id, repo_id, publish, label, body) SELECT kind, nextval('agent_corporate_entity_id_seq')::int, repo_id, publish, label, body
    FROM record, generate_series(2, ${users}::int) WHERE kind = 'agent_corporate_entity' AND id = ${idOf(corporate)}`);
  const person = (name: string) => ({
    names: [{ primary_name: 'Equal', name_order: 'direct', source: name, sort_name_auto_generate: true }],
  });
  const old = await api.create('/agents/people', person(source));
  const having = (text: string): Promise<number> =>
    count(sql.fragment`record WHERE kind = 'agent_corporate_entity' AND body::text LIKE ${`%"source":"${text}"%`}`);
  const row = (await sources()).enumeration_values.find((each: { readonly value: string }) => each.value === source);
  const change = { valueId: idOf(row.uri), body: { value: next }, lockVersion: 0 };
  let renamingId = 0;
  let late = '';
  const renaming = runHandler(
    api.database,
    declaration,
    handler,
    { ...payload(), change },
    ({ transaction, jobId }) => ({
      transaction: async (work, options) => {
        // Between two steps.
        if (late === '' && (await having(next)) > 0) {
          renamingId = jobId;
          await expect
            .poll(async () => {
              const { status, json } = await api.post('/agents/people', person(next));
              late = status === 200 ? json.uri : '';
              return status;
            })
            .toBe(200);
        }
        return transaction(work, options);
      },
    }),
  );
  await expect(renaming).rejects.toMatchObject({ code: 'not_unique' });
  expect([await having(source), await having(next)]).toEqual([0, users]);
  await takeBack(renamingId);
  expect([await having(source), await having(next)]).toEqual([users, 0]);
  const nameOf = async (uri: string) => ok(await api.get(uri)).names[0].source;
  expect([await nameOf(old), await nameOf(late)]).toEqual([source, next]);
  expect((await sources()).values).toEqual([...before.values, source, next]);
  await api.database.write(
    sql`DELETE FROM record WHERE kind = 'agent_corporate_entity' AND id > ${idOf(corporate)} AND body::text LIKE ${`%"${source}"%`}`,
  );
});

const LastRow = z.strictObject({ last: column.int });
const lastRecord = () =>
  api.database.reader.one(sql.type(LastRow)`SELECT max(id)::int AS last FROM record WHERE kind = 'accession'`);
