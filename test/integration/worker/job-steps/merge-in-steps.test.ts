// Merges with many holders of refs go in steps: the same comes of it, nobody waits for the whole, and one that does not end leads everything back.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { leadBack as leadBackDeclaration } from '#domain/jobs/lead-back.ts';
import { mergeRecords as declaration } from '#domain/jobs/merge-records.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { handler as leadBackHandler } from '../../../../apps/worker/jobs/lead-back.ts';
import { handler } from '../../../../apps/worker/jobs/merge-records.ts';

const holders = 1200;
let store: RecordStore;
let made = 0;
let [kept, gone] = ['', ''];
/** The holders of a ref to `gone`, in the order in which they are led over. */
let uris: readonly string[] = [];
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect((await checkDatabase(store.database)).filter(({ count: found }) => found > 0)).toEqual([]);
  await store[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [kept, gone] = [await person(), await person()];
  const model = await accession([gone]);
  await copyAccession(store.database, model, holders);
  const rows = await store.database.reader.any(sql.type(IdRow)`
    SELECT source_id AS id FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(gone)} ORDER BY source_id`);
  uris = rows.map(({ id }) => `/repositories/${store.repoId}/accessions/${id}`);
  expect(uris).toHaveLength(holders);
});

const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri;
const linksTo = (agents: readonly string[]): JsonObject => ({
  linked_agents: agents.map((ref) => ({ ref, role: 'creator' })),
});
const accession = async (agents: readonly string[]): Promise<string> =>
  (await store.create('accession', { id_0: `S${(made += 1)}`, accession_date: '2020-01-01', ...linksTo(agents) })).uri;
const relink = async (uri: string, agents: readonly string[]): Promise<void> => {
  await store.update(uri, { ...(await store.read(uri)), ...linksTo(agents) });
};
const agentsOf = async (uri: string): Promise<unknown> => (await store.read(uri))['linked_agents'];
const count = async (query: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n ${query}`)).n;
const linksOf = (agent: string): Promise<number> =>
  count(sql.fragment`FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(agent)} AND mutual IS NULL`);
const payload = () => ({
  what: 'agent' as const,
  repoId: null,
  destination: kept,
  candidates: [gone],
  selections: null,
  actor: 'tester',
  agentUri: null,
});
const lastMerge = async (): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC LIMIT 1`)).id;
const undo = (): Promise<unknown> =>
  store.database.transaction(async (tx) => undoMerge(tx, await lastMerge(), 'tester'));
/** Leads all over, and ends before the transaction of the merge. */
async function stepsAlone(): Promise<number> {
  await expect(killedOnce(store.database, declaration, handler, payload())).rejects.toThrow('killed');
  return (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge_begun`)).id;
}
const leadBack = (mergeId: number): Promise<unknown> =>
  runHandler(store.database, leadBackDeclaration, leadBackHandler, { mergeId, repoId: null });

test('comes to the same as one transaction, and is undone as one', async () => {
  const before = await mergedState(store.database);
  expect(await runHandler(store.database, declaration, handler, payload())).toEqual({ links: holders });
  expect([await linksOf(kept), await linksOf(gone)]).toEqual([holders, 0]);
  expect(await count(sql.fragment`FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"${gone}"%`}`)).toBe(0);
  expect(await count(sql.fragment`FROM merge_begun`)).toBe(0);
  expect(await count(sql.fragment`FROM merge_led`)).toBe(0);
  await undo();
  expect(await mergedState(store.database)).toEqual(before);
});

test('leads everything back where its last step does not come, in the job that stands behind it', async () => {
  const before = await mergedState(store.database);
  const mergeId = await stepsAlone();
  expect([await linksOf(kept), await linksOf(gone)]).toEqual([holders, 0]);
  // Both are there, and each holder says what its links say.
  expect((await store.read(gone))['uri']).toBe(gone);
  expect(await agentsOf(uris[0] ?? '')).toMatchObject([{ ref: kept }]);
  expect(
    await count(
      sql.fragment`FROM job WHERE type = 'lead-back' AND status = 'queued' AND mailbox = 'merge' AND (payload->>'mergeId')::int = ${mergeId}`,
    ),
  ).toBe(1);
  await leadBack(mergeId);
  expect(await mergedState(store.database)).toEqual(before);
  expect(await count(sql.fragment`FROM merge_begun`)).toBe(0);
  // Once more there is nothing to do.
  await leadBack(mergeId);
  expect(await mergedState(store.database)).toEqual(before);
});

test('the next merge leads back what one before it has left, and merges then', async () => {
  const before = await mergedState(store.database);
  await stepsAlone();
  expect(await runHandler(store.database, declaration, handler, payload())).toEqual({ links: holders });
  await undo();
  expect(await mergedState(store.database)).toEqual(before);
});

test('what is saved between the steps is kept, whether the merge ends', async () => {
  const third = await person();
  const [again = '', away = '', both = '', removed = '', plain = ''] = uris;
  const between = async (): Promise<void> => {
    await relink(again, [third, gone]);
    await relink(away, [third]);
    await relink(both, [kept, third]);
    await store.database.transaction((tx) =>
      deleteRecord(tx, kindNamed('accession'), idOf(removed), store.repoId, 'tester'),
    );
  };
  const back = await stepsAlone();
  await between();
  const late = await accession([gone]);
  await leadBack(back);
  expect(await agentsOf(again)).toMatchObject([{ ref: third }, { ref: gone }]);
  expect(await agentsOf(away)).toMatchObject([{ ref: third }]);
  // Its one ref to the record that was to stay is the one that was led there.
  expect(await agentsOf(both)).toMatchObject([{ ref: gone }, { ref: third }]);
  expect(await agentsOf(late)).toMatchObject([{ ref: gone }]);
  expect(await agentsOf(plain)).toMatchObject([{ ref: gone }]);
  expect(await linksOf(kept)).toBe(0);

  const [second = '', other = ''] = uris.slice(10);
  await stepsAlone();
  await relink(second, [third, gone]);
  await relink(other, [third]);
  // The merge that comes now finds the steps of the one before; those of its own begin anew.
  await runHandler(store.database, declaration, handler, payload());
  expect(await agentsOf(second)).toMatchObject([{ ref: third }, { ref: kept }]);
  expect(await agentsOf(other)).toMatchObject([{ ref: third }]);
  await undo();
  expect(await agentsOf(second)).toMatchObject([{ ref: third }, { ref: gone }]);
  expect(await agentsOf(late)).toMatchObject([{ ref: gone }]);
  expect(await linksOf(kept)).toBe(0);
});

test('its records are not deleted meanwhile', async () => {
  const mergeId = await stepsAlone();
  const remove = (uri: string): Promise<unknown> =>
    store.database.transaction((tx) => deleteRecord(tx, kindNamed('agent_person'), idOf(uri), null, 'tester'));
  for (const uri of [kept, gone]) await expect(remove(uri)).rejects.toMatchObject({ code: 'conflict' });
  await leadBack(mergeId);
  await remove(kept);
  await expect(store.read(kept)).rejects.toMatchObject({ code: 'not_found' });
});

test('while one of its holders is held, those before and after it are saved', async () => {
  const middle = uris[1100] ?? '';
  const merging = await holdingRecord(store.database, { kind: 'accession', id: idOf(middle) }, async (isMet) => {
    const running = runHandler(store.database, declaration, handler, payload());
    await isMet();
    // Of a block that is led over, and of one that comes later: neither ends before the middle is let go, or the test would hang.
    for (const uri of [uris[0] ?? '', uris.at(-1) ?? ''])
      await store.update(uri, { ...(await store.read(uri)), title: 'Saved' });
    expect(await agentsOf(uris[0] ?? '')).toMatchObject([{ ref: kept }]);
    return { running };
  });
  expect(await merging.running).toEqual({ links: holders });
  expect(await store.read(uris[0] ?? '')).toMatchObject({ title: 'Saved', linked_agents: [{ ref: kept }] });
  expect(await store.read(uris.at(-1) ?? '')).toMatchObject({ title: 'Saved', linked_agents: [{ ref: kept }] });
});
