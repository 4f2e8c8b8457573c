// A new text of a value that many records use, over HTTP and with a worker: canceled in the middle, and to its end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { accessionOf, listOf, renamedState, usedValue, using } from '#test/support/renamed-value.ts';

const [from, to] = ['thick sheets', 'thin sheets'];
let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

test('canceled after its first step, it is as if nobody had asked for it; asked for again, it is done', async () => {
  const users = holdersAtOnce + 20;
  const { value, listUri, ids, uriOf } = await usedValue(api, repoId, from, users);
  const create = (extentType: string) => api.post(`/repositories/${repoId}/accessions`, accessionOf(extentType));
  const before = await renamedState(api.database);
  const list = await listOf(api);
  const rename = (headers: Record<string, string> = {}) =>
    api.ask(value.uri, { json: { ...value, value: to }, headers });
  await holdingRecord(api.database, { kind: 'accession', id: ids.at(-1) ?? 0 }, async (isMet) => {
    const asked = await rename({ prefer: 'respond-async' });
    expect(asked.status).toBe(202);
    await isMet();
    expect([await using(api, from), await using(api, to)]).toEqual([20, holdersAtOnce]);
    expect(await listOf(api)).toEqual(list);
    expect((await api.post(listUri, list)).status).toBe(409);
    ok(await api.post(`${asked.json.uri}/cancel`));
    await expect.poll(async () => (await api.get(String(asked.json.uri))).json.status).toBe('canceled');
  });
  await expect.poll(() => renamedState(api.database)).toEqual(before);
  expect(ok(await api.get(uriOf(ids[0] ?? 0))).extents).toMatchObject([{ extent_type: from }]);
  await expect.poll(async () => (await create(to)).status).toBe(400);
  expect(ok(await api.post(listUri, list)).status).toBe('Updated');

  expect(ok(await rename())).toMatchObject({ status: 'Updated', lock_version: 1, uri: value.uri });
  expect([await using(api, from), await using(api, to)]).toEqual([0, users]);
  expect([(await create(from)).status, (await create(to)).status]).toEqual([400, 200]);
  const waiting = async (): Promise<number> =>
    (
      await api.database.reader.one(
        sql.type(CountRow)`SELECT count(*)::int AS count FROM job WHERE type = 'rename-back' AND status <> 'completed'`,
      )
    ).count;
  await expect.poll(waiting).toBe(0);
  expect(await using(api, to)).toBe(users + 1);
});
