// The undo of a merge with many holders of refs leads these back in steps behind its transaction: the same comes of it, nobody waits for the whole, and it is done to its end even where its job is not.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { leadBack } from '#domain/jobs/lead-back.ts';
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler as leadBackHandler } from '../../../../apps/worker/jobs/lead-back.ts';
import { handler as mergeHandler } from '../../../../apps/worker/jobs/merge-records.ts';
import { handler as undoHandler } from '../../../../apps/worker/jobs/undo-merge.ts';

/** Two whole blocks, and some. */
const holders = 2 * holdersAtOnce + 20;
let store: RecordStore;
let made = 0;
let mergeId = 0;
let [kept, gone] = ['', ''];
/** The holders of a ref to `gone`, in the order in which they are led back. */
let uris: readonly string[] = [];
/** All that the merge wrote, before it. */
let before: unknown;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect((await checkDatabase(store.database)).filter(({ count: found }) => found > 0)).toEqual([]);
  await store[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [kept, gone] = [await person(), await person()];
  await copyAccession(store.database, await accession([gone]), holders);
  // Its body is kept by the merge, and given back by the transaction of the undo.
  await accession([gone, kept]);
  const rows = await store.database.reader.any(sql.type(IdRow)`
    SELECT source_id AS id FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(gone)} ORDER BY source_id`);
  uris = rows.map(({ id }) => `/repositories/${store.repoId}/accessions/${id}`).slice(0, holders);
  before = await mergedState(store.database);
  await merge();
  mergeId = (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC LIMIT 1`)).id;
});

const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Undone ${(made += 1)}`))).uri;
const linksTo = (agents: readonly string[]): JsonObject => ({
  linked_agents: agents.map((ref, n) => ({ ref, role: n === 0 ? 'creator' : 'subject' })),
});
const accession = async (agents: readonly string[]): Promise<string> =>
  (await store.create('accession', { id_0: `N${(made += 1)}`, accession_date: '2020-01-01', ...linksTo(agents) })).uri;
const saveWith = async (uri: string, change: JsonObject): Promise<unknown> =>
  store.update(uri, { ...(await store.read(uri)), ...change });
const agentsOf = async (uri: string): Promise<unknown> => (await store.read(uri))['linked_agents'];
const count = async (query: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n ${query}`)).n;
const rowsOfSteps = async (): Promise<readonly number[]> => [
  await count(sql.fragment`FROM merge_begun`),
  await count(sql.fragment`FROM merge_led`),
];
const merge = (): Promise<unknown> =>
  runHandler(store.database, mergeRecords, mergeHandler, {
    what: 'agent',
    repoId: null,
    destination: kept,
    candidates: [gone],
    selections: null,
    actor: 'tester',
    agentUri: null,
  });
const undoing = () => ({ mergeId, repoId: null, actor: 'tester' });
const undo = (): Promise<unknown> => runHandler(store.database, undoMerge, undoHandler, undoing());
/** Undoes, and ends before the last holders are led back; gives the number of the job. */
async function cutOff(): Promise<number> {
  await expect(killedOnce(store.database, undoMerge, undoHandler, undoing())).rejects.toThrow('killed');
  return (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge_begun`)).id;
}
const leadRestBack = (jobId: number): Promise<unknown> =>
  runHandler(store.database, leadBack, leadBackHandler, { mergeId: jobId, repoId: null });

test('comes to the same as one transaction', async () => {
  expect(await undo()).toEqual({ survivor: kept, restored: [gone] });
  expect(await mergedState(store.database)).toEqual(before);
  expect(await rowsOfSteps()).toEqual([0, 0]);
});

test('is done to its end by the job that stands behind it, or by itself when it is run again', async () => {
  const first = await cutOff();
  // Both are there, and what is led back is so.
  expect((await store.read(gone))['uri']).toBe(gone);
  expect([await agentsOf(uris[0] ?? ''), await agentsOf(uris.at(-1) ?? '')]).toMatchObject([
    [{ ref: gone }],
    [{ ref: kept }],
  ]);
  expect(await rowsOfSteps()).toEqual([1, holders - 2 * holdersAtOnce]);
  expect(
    await count(
      sql.fragment`FROM job WHERE type = 'lead-back' AND status = 'queued' AND mailbox = 'merge' AND (payload->>'mergeId')::int = ${first}`,
    ),
  ).toBe(1);
  await leadRestBack(first);
  expect(await mergedState(store.database)).toEqual(before);

  await merge();
  mergeId = (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC LIMIT 1`)).id;
  const second = await cutOff();
  expect(await runHandler(store.database, undoMerge, undoHandler, undoing(), { jobId: second })).toEqual({
    survivor: kept,
    restored: [gone],
  });
  expect(await mergedState(store.database)).toEqual(before);
  expect(await rowsOfSteps()).toEqual([0, 0]);
});

test('neither record is deleted meanwhile, and the next merge leads back first what is left', async () => {
  await cutOff();
  for (const uri of [kept, gone])
    await expect(
      store.database.transaction((tx) => deleteRecord(tx, kindNamed('agent_person'), idOf(uri), null, 'tester')),
    ).rejects.toMatchObject({ code: 'conflict' });
  await merge();
  expect(await rowsOfSteps()).toEqual([0, 0]);
  mergeId = (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC LIMIT 1`)).id;
  await undo();
  expect(await mergedState(store.database)).toEqual(before);
});

test('what is saved between the steps is kept', async () => {
  const first = await cutOff();
  // Of the last block, which still names the record that stays.
  const [renamed = '', doubled = '', removed = '', plain = ''] = uris.slice(-4);
  await saveWith(renamed, { title: 'Saved' });
  await saveWith(doubled, linksTo([kept, kept]));
  await saveWith(removed, { linked_agents: [] });
  await leadRestBack(first);
  expect(await store.read(renamed)).toMatchObject({ title: 'Saved', linked_agents: [{ ref: gone }] });
  expect(await agentsOf(doubled)).toMatchObject([{ ref: kept }, { ref: kept }]);
  expect(await agentsOf(removed)).toEqual([]);
  expect(await agentsOf(plain)).toMatchObject([{ ref: gone }]);
});

test('while one of its holders is held, the record is back and the others are saved', async () => {
  const middle = uris[holdersAtOnce + 1] ?? '';
  const [first, last] = [uris[0] ?? '', uris.at(-1) ?? ''];
  const undone = await holdingRecord(store.database, { kind: 'accession', id: idOf(middle) }, async (isMet) => {
    const running = undo();
    await isMet();
    // Of a block that is led back, and of one that comes later: neither ends before the middle is let go, or the test would hang.
    for (const uri of [first, last]) await saveWith(uri, { title: 'Saved' });
    expect([await agentsOf(first), await agentsOf(last)]).toMatchObject([[{ ref: gone }], [{ ref: kept }]]);
    expect((await store.read(gone))['uri']).toBe(gone);
    return { running };
  });
  expect(await undone.running).toEqual({ survivor: kept, restored: [gone] });
  for (const uri of [first, last])
    expect(await store.read(uri)).toMatchObject({ title: 'Saved', linked_agents: [{ ref: gone }] });
});
