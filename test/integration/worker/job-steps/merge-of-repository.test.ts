// Merges of records of a repository, and their undos, go in steps as those of global ones do (merge-in-steps.test.ts, undo-in-steps.test.ts), and no transfer comes between.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import { leadBack } from '#domain/jobs/lead-back.ts';
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { transferRecord } from '#domain/jobs/transfer-record.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler as leadBackHandler } from '../../../../apps/worker/jobs/lead-back.ts';
import { handler as mergeHandler } from '../../../../apps/worker/jobs/merge-records.ts';
import { handler as transferHandler } from '../../../../apps/worker/jobs/transfer-record.ts';
import { handler as undoHandler } from '../../../../apps/worker/jobs/undo-merge.ts';

/** One block and some: of an undo, the first block is led back where its last step does not come. */
const copies = holdersAtOnce + 20;
let store: RecordStore;
let made = 0;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect((await checkDatabase(store.database)).filter(({ count: found }) => found > 0)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const count = async (query: Fragment): Promise<number> =>
  (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n ${query}`)).n;
const rowsOfSteps = async (): Promise<readonly number[]> => [
  await count(sql.fragment`FROM merge_begun`),
  await count(sql.fragment`FROM merge_led`),
];
const mentions = (uri: string): Promise<number> =>
  count(sql.fragment`FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"${uri}"%`}`);
const begun = async (): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge_begun`)).id;
const lastMerge = async (): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC, id DESC LIMIT 1`)).id;

/** What is merged: how one is made, and how an accession links to some. */
type Sort = {
  readonly what: 'top_container' | 'digital_object';
  readonly make: () => Promise<string>;
  readonly linksTo: (uris: readonly string[]) => JsonObject;
};
const containers: Sort = {
  what: 'top_container',
  make: async () => (await store.create('top_container', { indicator: `${(made += 1)}`, type: 'box' })).uri,
  linksTo: (uris) => ({
    instances: uris.map((ref) => ({ instance_type: 'mixed_materials', sub_container: { top_container: { ref } } })),
  }),
};
const digitalObjects: Sort = {
  what: 'digital_object',
  // With a tree, which goes to that of the one that stays.
  make: async () => {
    const { uri } = await store.create('digital_object', { title: `D ${(made += 1)}`, digital_object_id: `D${made}` });
    for (const title of ['first', 'second'])
      await store.create('digital_object_component', { title, digital_object: { ref: uri } });
    return uri;
  },
  linksTo: (uris) => ({
    instances: uris.map((ref) => ({ instance_type: 'digital_object', digital_object: { ref } })),
  }),
};

/** Two that are merged, many that link to the one that goes, a few to both. */
async function merging({ what, make, linksTo }: Sort) {
  const [kept, gone] = [await make(), await make()];
  const accession = async (uris: readonly string[]): Promise<string> =>
    (await store.create('accession', { id_0: `M${(made += 1)}`, accession_date: '2020-01-01', ...linksTo(uris) })).uri;
  const both = await accession([gone, kept]);
  // Copies come behind it.
  const holder = await accession([gone]);
  await copyAccession(store.database, holder, copies);
  const payload = {
    what,
    repoId: store.repoId,
    destination: kept,
    candidates: [gone],
    selections: null,
    actor: 'tester',
    agentUri: null,
  };
  const last = `/repositories/${store.repoId}/accessions/${idOf(holder) + copies - 1}`;
  return {
    kept,
    gone,
    both,
    holder,
    last,
    merge: () => runHandler(store.database, mergeRecords, mergeHandler, payload),
    /** Leads all over, and ends before the transaction of the merge. */
    stepsAlone: () => expect(killedOnce(store.database, mergeRecords, mergeHandler, payload)).rejects.toThrow('killed'),
  };
}
const undoing = async () => ({ mergeId: await lastMerge(), repoId: store.repoId, actor: 'tester' });
const undo = async (): Promise<unknown> => runHandler(store.database, undoMerge, undoHandler, await undoing());
const undoAlone = async (): Promise<void> =>
  expect(killedOnce(store.database, undoMerge, undoHandler, await undoing())).rejects.toThrow('killed');
const rest = async (): Promise<void> => {
  const mergeId = await begun();
  // It stands behind the job, where transfers stand.
  expect(
    await count(
      sql.fragment`FROM job WHERE status = 'queued' AND type = 'lead-back' AND mailbox = ${`repository/${store.repoId}`} AND (payload->>'mergeId')::int = ${mergeId}`,
    ),
  ).toBe(1);
  await runHandler(store.database, leadBack, leadBackHandler, { mergeId, repoId: store.repoId });
};

describe.each([containers, digitalObjects])('of $what', (sort) => {
  test('is undone to what was before, in steps both', async () => {
    const { kept, gone, both, last, merge } = await merging(sort);
    const before = await mergedState(store.database);
    // In a role one ref stays, but for instances of digital objects.
    const stay = sort === containers ? [kept] : [kept, kept];
    expect(await merge()).toEqual({ links: copies + stay.length - 1 });
    expect([await mentions(gone), await rowsOfSteps()]).toEqual([0, [0, 0]]);
    expect(await store.read(last)).toMatchObject(sort.linksTo([kept]));
    expect(await store.read(both)).toMatchObject(sort.linksTo(stay));
    await expect(store.read(gone)).rejects.toMatchObject({ code: 'not_found' });
    expect(await undo()).toEqual({ survivor: kept, restored: [gone] });
    expect(await mergedState(store.database)).toEqual(before);
    expect(await rowsOfSteps()).toEqual([0, 0]);
  });

  test('is led back where its last step does not come, and its records are deleted by nobody until then', async () => {
    const { kept, gone, holder, stepsAlone } = await merging(sort);
    const before = await mergedState(store.database);
    await stepsAlone();
    // What links to both is left to the last step.
    expect([await mentions(gone), await rowsOfSteps()]).toEqual([1, [1, copies]]);
    expect(await store.read(holder)).toMatchObject(sort.linksTo([kept]));
    for (const uri of [kept, gone]) await expect(store.remove(uri)).rejects.toMatchObject({ code: 'conflict' });
    await rest();
    expect(await mergedState(store.database)).toEqual(before);
    expect(await rowsOfSteps()).toEqual([0, 0]);
  });

  test('is undone to the end where the steps of the undo are not', async () => {
    const { kept, gone, holder, last, merge } = await merging(sort);
    const before = await mergedState(store.database);
    await merge();
    await undoAlone();
    // Of the first block, and of the last.
    expect([await store.read(holder), await store.read(last)]).toMatchObject([
      sort.linksTo([gone]),
      sort.linksTo([kept]),
    ]);
    expect((await store.read(gone))['uri']).toBe(gone);
    await rest();
    expect(await mergedState(store.database)).toEqual(before);
    expect(await rowsOfSteps()).toEqual([0, 0]);
  });
});

test('a transfer finds the refs that a merge which did not end has led over, or its undo has left', async () => {
  const { kept, gone, holder, last, merge, stepsAlone } = await merging(containers);
  const { uri: other } = await store.create('repository', { repo_code: 'TO', name: 'To' });
  // In the name of which custody passes.
  const { uri: keeper } = await store.create('agent_person', personBody('Keeper'));
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify({ ref: keeper })}::json) WHERE kind = 'repository' AND id = ${idOf(other)}`,
    ),
  );
  const transfer = (uri: string): Promise<unknown> =>
    runHandler(store.database, transferRecord, transferHandler, {
      kind: 'accession',
      id: idOf(uri),
      from: store.repoId,
      to: idOf(other),
      actor: 'tester',
    });
  // What is in use elsewhere keeps an accession here; it would be told of the other container.
  const refused = { error: { [gone]: [{ message: 'TOP_CONTAINER_IN_USE' }] } };
  await stepsAlone();
  expect(await store.read(holder)).toMatchObject(containers.linksTo([kept]));
  await expect(transfer(holder)).rejects.toMatchObject(refused);
  expect([await mentions(gone), await rowsOfSteps()]).toEqual([copies + 1, [0, 0]]);
  await merge();
  await undoAlone();
  expect(await store.read(last)).toMatchObject(containers.linksTo([kept]));
  await expect(transfer(last)).rejects.toMatchObject(refused);
  expect([await mentions(gone), await rowsOfSteps()]).toEqual([copies + 1, [0, 0]]);
});
