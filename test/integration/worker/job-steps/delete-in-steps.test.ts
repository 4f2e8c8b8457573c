// The deletion of a record to which many others link goes in steps: the same comes of it, nobody waits for the whole, and one that does not end gives all refs back.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { deleteRecord as declaration } from '#domain/jobs/delete-record.ts';
import { leadBack as leadBackDeclaration } from '#domain/jobs/lead-back.ts';
import { mergeRecords as mergeDeclaration } from '#domain/jobs/merge-records.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { holdingRecord } from '#test/support/held-record.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { undoOthersSteps } from '../../../../apps/worker/job-steps/steps-back.ts';
import { handler } from '../../../../apps/worker/jobs/delete-record.ts';
import { handler as leadBackHandler } from '../../../../apps/worker/jobs/lead-back.ts';
import { handler as mergeHandler } from '../../../../apps/worker/jobs/merge-records.ts';

/** Two whole blocks, and some. */
const holders = 2 * holdersAtOnce + 20;
let store: RecordStore;
let made = 0;
let [kept, gone] = ['', ''];
/** Those that link to `gone`, in the order in which they are written. */
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
  // Twice, with another between: what is left keeps its place.
  await copyAccession(store.database, await accession([gone, kept, gone]), holders);
  const rows = await store.database.reader.any(sql.type(IdRow)`
    SELECT DISTINCT source_id AS id FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(gone)} ORDER BY 1`);
  uris = rows.map(({ id }) => `/repositories/${store.repoId}/accessions/${id}`);
  expect(uris).toHaveLength(holders);
});

const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri;
const linksTo = (agents: readonly string[]): JsonObject => ({
  linked_agents: agents.map((ref, n) => ({ ref, role: n === 0 ? 'creator' : 'subject' })),
});
const accession = async (agents: readonly string[]): Promise<string> =>
  (await store.create('accession', { id_0: `S${(made += 1)}`, accession_date: '2020-01-01', ...linksTo(agents) })).uri;
const saveWith = async (uri: string, change: JsonObject): Promise<unknown> =>
  store.update(uri, { ...(await store.read(uri)), ...change });
const agentsOf = async (uri: string): Promise<unknown> => (await store.read(uri))['linked_agents'];
const count = async (query: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n ${query}`)).n;
const linksOf = (agent: string): Promise<number> =>
  count(sql.fragment`FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(agent)}`);
const mentions = (agent: string): Promise<number> =>
  count(sql.fragment`FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"${agent}"%`}`);
const rowsOfSteps = async (): Promise<readonly number[]> => [
  await count(sql.fragment`FROM deletion_begun`),
  await count(sql.fragment`FROM deletion_unlinked`),
];
const payload = (more: { readonly lockVersion?: number } = {}) => ({
  kind: 'agent_person',
  id: idOf(gone),
  repoId: null,
  nodeKind: null,
  rootId: null,
  lockVersion: null,
  isHeldByMany: true,
  actor: 'tester',
  ...more,
});
const remove = (more: { readonly lockVersion?: number } = {}): Promise<unknown> =>
  runHandler(store.database, declaration, handler, payload(more));
const removeAtOnce = (): Promise<unknown> =>
  store.database.transaction((tx) => deleteRecord(tx, kindNamed('agent_person'), idOf(gone), null, 'tester'));
/** Takes all refs out, and ends before the transaction of the deletion. */
async function stepsAlone(): Promise<number> {
  await expect(killedOnce(store.database, declaration, handler, payload())).rejects.toThrow('killed');
  return (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM deletion_begun`)).id;
}
const linkBack = (deletionId: number): Promise<unknown> =>
  runHandler(store.database, leadBackDeclaration, leadBackHandler, { deletionId, repoId: null });
/** The rows of steps are gone, so each holder was written once: its revision is of the step, or of the one transaction. */
const unlinkings = (): Promise<number> =>
  count(
    sql.fragment`FROM revision WHERE kind = 'accession' AND op = 'unlink' AND id = ANY(${sql.array(uris.map(idOf), 'int4')})`,
  );

test('comes to the same as one transaction', async () => {
  const [first = '', last = ''] = [uris[0], uris.at(-1)];
  expect(await remove()).toEqual({ deleted: 1 });
  expect([await linksOf(gone), await mentions(gone), await unlinkings()]).toEqual([0, 0, holders]);
  expect(await rowsOfSteps()).toEqual([0, 0]);
  await expect(store.read(gone)).rejects.toMatchObject({ code: 'not_found' });
  for (const uri of [first, last]) expect(await agentsOf(uri)).toMatchObject([{ ref: kept, role: 'subject' }]);
  expect(await linksOf(kept)).toBe(holders);
});

test('gives all refs back where its last step does not come, in the job that stands behind it', async () => {
  const before = await mergedState(store.database);
  const deletionId = await stepsAlone();
  expect([await linksOf(gone), await mentions(gone)]).toEqual([0, 0]);
  expect((await store.read(gone))['uri']).toBe(gone);
  expect(
    await count(
      sql.fragment`FROM job WHERE type = 'lead-back' AND status = 'queued' AND mailbox = 'merge' AND (payload->>'deletionId')::int = ${deletionId}`,
    ),
  ).toBe(1);
  await linkBack(deletionId);
  expect(await mergedState(store.database)).toEqual(before);
  expect(await rowsOfSteps()).toEqual([0, 0]);
  // Once more there is nothing to do.
  await linkBack(deletionId);
  expect(await mergedState(store.database)).toEqual(before);
});

test('another deletion, and a merge, give back what one before them has taken, and do their own', async () => {
  const before = await mergedState(store.database);
  await stepsAlone();
  // Refused by its version: what it found is given back all the same, and nothing was taken by itself.
  await expect(remove({ lockVersion: 99 })).rejects.toMatchObject({ code: 'stale_record' });
  expect(await mergedState(store.database)).toEqual(before);
  expect(await rowsOfSteps()).toEqual([0, 0]);

  await stepsAlone();
  const merging = {
    what: 'agent' as const,
    repoId: null,
    destination: kept,
    candidates: [gone],
    selections: null,
    actor: 'tester',
    agentUri: null,
  };
  await runHandler(store.database, mergeDeclaration, mergeHandler, merging);
  expect(await agentsOf(uris[0] ?? '')).toMatchObject([
    { ref: kept, role: 'creator' },
    { ref: kept, role: 'subject' },
  ]);
  expect(await rowsOfSteps()).toEqual([0, 0]);
});

test('what is saved between the steps is kept, whether the deletion ends', async () => {
  const [again = '', renamed = '', removed = '', plain = ''] = uris;
  const between = async (): Promise<string> => {
    await saveWith(again, linksTo([gone]));
    await saveWith(renamed, { title: 'Saved' });
    await store.database.transaction((tx) =>
      deleteRecord(tx, kindNamed('accession'), idOf(removed), store.repoId, 'tester'),
    );
    return accession([gone]);
  };
  const deletionId = await stepsAlone();
  const late = await between();
  await linkBack(deletionId);
  for (const uri of [again, late]) expect(await agentsOf(uri)).toMatchObject([{ ref: gone }]);
  // As its editor saw and saved it.
  expect(await store.read(renamed)).toMatchObject({ title: 'Saved', linked_agents: [{ ref: kept }] });
  expect(await agentsOf(plain)).toMatchObject([{ ref: gone }, { ref: kept }, { ref: gone }]);
  await expect(store.read(removed)).rejects.toMatchObject({ code: 'not_found' });

  expect(await remove()).toEqual({ deleted: 1 });
  expect([await linksOf(gone), await mentions(gone)]).toEqual([0, 0]);
  for (const uri of [again, late]) expect(await agentsOf(uri)).toEqual([]);
  expect(await agentsOf(plain)).toMatchObject([{ ref: kept }]);
});

test('where a link forbids it, it is refused before anything is taken', async () => {
  await store.create('assessment', {
    survey_begin: '2020-01-01',
    records: [{ ref: uris[0] ?? '' }],
    surveyed_by: [{ ref: gone }],
  });
  const before = await mergedState(store.database);
  await expect(remove()).rejects.toMatchObject({ code: 'delete_refused' });
  expect(await mergedState(store.database)).toEqual(before);
  expect([await unlinkings(), await rowsOfSteps()]).toEqual([0, [0, 0]]);
});

test('nobody else deletes it meanwhile, until another job of the mailbox has given back what it found', async () => {
  const before = await mergedState(store.database);
  const deletionId = await stepsAlone();
  const refused = { code: 'conflict', message: expect.stringContaining('being deleted') };
  await expect(removeAtOnce()).rejects.toMatchObject(refused);
  const undoAs = (jobId: number): Promise<void> =>
    undoOthersSteps(
      {
        jobId,
        database: store.database,
        transaction: (work) => store.database.transaction(work),
        progress: () => undefined,
      },
      null,
    );
  // Its own are for itself to go on with.
  await undoAs(deletionId);
  await expect(removeAtOnce()).rejects.toMatchObject(refused);
  await undoAs(deletionId + 1);
  expect(await mergedState(store.database)).toEqual(before);
  await removeAtOnce();
  await expect(store.read(gone)).rejects.toMatchObject({ code: 'not_found' });
});

test('while one of its holders is held, those before and after it are saved', async () => {
  const middle = uris[holdersAtOnce + 1] ?? '';
  const [first, last] = [uris[0] ?? '', uris.at(-1) ?? ''];
  const removing = await holdingRecord(store.database, { kind: 'accession', id: idOf(middle) }, async (isMet) => {
    const running = remove();
    await isMet();
    // Of a block that has been written, and of one that comes later: neither ends before the middle is let go, or the test would hang.
    for (const uri of [first, last]) await saveWith(uri, { title: 'Saved' });
    expect(await agentsOf(first)).toMatchObject([{ ref: kept }]);
    return { running };
  });
  expect(await removing.running).toEqual({ deleted: 1 });
  for (const uri of [first, last])
    expect(await store.read(uri)).toMatchObject({ title: 'Saved', linked_agents: [{ ref: kept }] });
});
