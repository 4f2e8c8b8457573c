// Several records to which many others link, and a record of a repository, are deleted in steps as one global record is (delete-in-steps.test.ts): together, all or none, and no transfer comes between.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { deleteRecords } from '#domain/jobs/delete-records.ts';
import { leadBack } from '#domain/jobs/lead-back.ts';
import { transferRecord } from '#domain/jobs/transfer-record.ts';
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
import { handler as deleteRecordHandler } from '../../../../apps/worker/jobs/delete-record.ts';
import { handler as deleteRecordsHandler } from '../../../../apps/worker/jobs/delete-records.ts';
import { handler as leadBackHandler } from '../../../../apps/worker/jobs/lead-back.ts';
import { handler as transferHandler } from '../../../../apps/worker/jobs/transfer-record.ts';

/** Of each model one block and some. */
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
  await count(sql.fragment`FROM deletion_begun`),
  await count(sql.fragment`FROM deletion_begun_record`),
  await count(sql.fragment`FROM deletion_unlinked`),
];
const mentions = async (uris: readonly string[]): Promise<number> =>
  count(
    sql.fragment`FROM record WHERE kind = 'accession' AND body::text LIKE ANY (${sql.array(
      uris.map((uri) => `%"${uri}"%`),
      'text',
    )})`,
  );
const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Several ${(made += 1)}`))).uri;
const container = async (): Promise<string> =>
  (await store.create('top_container', { indicator: `${(made += 1)}`, type: 'box' })).uri;
const creators = (uris: readonly string[]): JsonObject => ({
  linked_agents: uris.map((ref) => ({ ref, role: 'creator' })),
});
const inBoxes = (uris: readonly string[]): JsonObject => ({
  instances: uris.map((ref) => ({ instance_type: 'mixed_materials', sub_container: { top_container: { ref } } })),
});
/** Accessions that link so, as many as `copies`. */
async function holdersOf(body: JsonObject): Promise<string> {
  const { uri } = await store.create('accession', { id_0: `D${(made += 1)}`, accession_date: '2020-01-01', ...body });
  await copyAccession(store.database, uri, copies);
  return uri;
}

/** A deletion: to its end, or only its steps, before the transaction that deletes. */
type Deletion = { readonly run: () => Promise<unknown>; readonly begin: () => Promise<unknown> };

const by = { actor: 'tester', address: null, requestId: null };
function batch(uris: readonly string[]): Deletion {
  const payload = { uris: [...uris], by };
  return {
    run: () => runHandler(store.database, deleteRecords, deleteRecordsHandler, payload),
    begin: () => killedOnce(store.database, deleteRecords, deleteRecordsHandler, payload),
  };
}
function single(uri: string): Deletion {
  const what = { kind: parseUri(uri)?.kind ?? '', id: idOf(uri), repoId: store.repoId, isHeldByMany: true };
  const payload = { ...what, nodeKind: null, rootId: null, lockVersion: null, actor: 'tester' };
  return {
    run: () => runHandler(store.database, deleteRecord, deleteRecordHandler, payload),
    begin: () => killedOnce(store.database, deleteRecord, deleteRecordHandler, payload),
  };
}
/** Takes all refs out, and ends before the transaction of the deletion; gives the number of the job. */
async function stepsAlone(job: Deletion): Promise<number> {
  await expect(job.begin()).rejects.toThrow('killed');
  return (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM deletion_begun`)).id;
}

/** What goes, what links to it and to what stays, and the job that deletes. */
type Case = {
  readonly gone: readonly string[];
  readonly holder: string;
  readonly left: JsonObject;
  readonly job: Deletion;
  readonly repoId: number | null;
};

const cases: readonly { readonly name: string; readonly make: () => Promise<Case> }[] = [
  {
    name: 'agents by a batch',
    make: async () => {
      const [one, two, kept] = [await person(), await person(), await person()];
      // Some link to both, with what stays between.
      const holder = await holdersOf(creators([one, kept, two]));
      await holdersOf(creators([two]));
      return { gone: [one, two], holder, left: creators([kept]), job: batch([one, two]), repoId: null };
    },
  },
  {
    name: 'containers by a batch',
    make: async () => {
      const [one, two, kept] = [await container(), await container(), await container()];
      const holder = await holdersOf(inBoxes([one, kept, two]));
      return { gone: [one, two], holder, left: inBoxes([kept]), job: batch([one, two]), repoId: store.repoId };
    },
  },
  {
    name: 'a container alone',
    make: async () => {
      const [one, kept] = [await container(), await container()];
      const holder = await holdersOf(inBoxes([one, kept]));
      return { gone: [one], holder, left: inBoxes([kept]), job: single(one), repoId: store.repoId };
    },
  },
];

describe.each(cases)('$name', ({ make }) => {
  test('go, with all refs to them, in steps', async () => {
    const { gone, holder, left, job } = await make();
    await job.run();
    expect([await mentions(gone), await rowsOfSteps()]).toEqual([0, [0, 0, 0]]);
    for (const uri of gone) await expect(store.read(uri)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.read(holder)).toMatchObject(left);
    const last = `/repositories/${store.repoId}/accessions/${idOf(holder) + copies - 1}`;
    expect(await store.read(last)).toMatchObject(left);
    expect(
      await count(sql.fragment`FROM revision WHERE kind = 'accession' AND op = 'unlink' AND id = ${idOf(last)}`),
    ).toBe(1);
  });

  test('have all refs again where the last step does not come, and are deleted by nobody until then', async () => {
    const { gone, job, repoId } = await make();
    const before = await mergedState(store.database);
    const deletionId = await stepsAlone(job);
    expect([await mentions(gone), (await rowsOfSteps()).slice(0, 2)]).toEqual([0, [1, gone.length]]);
    for (const uri of gone) {
      expect((await store.read(uri))['uri']).toBe(uri);
      await expect(store.remove(uri)).rejects.toMatchObject({ code: 'conflict' });
    }
    const mailbox = repoId === null ? 'merge' : `repository/${repoId}`;
    expect(
      await count(
        sql.fragment`FROM job WHERE status = 'queued' AND type = 'lead-back' AND mailbox = ${mailbox} AND (payload->>'deletionId')::int = ${deletionId}`,
      ),
    ).toBe(1);
    await runHandler(store.database, leadBack, leadBackHandler, { deletionId, repoId });
    expect(await mergedState(store.database)).toEqual(before);
    expect(await rowsOfSteps()).toEqual([0, 0, 0]);
  });

  test('are written by nobody where one cannot be deleted', async () => {
    const { gone } = await make();
    const before = await mergedState(store.database);
    const missing = (gone[0] ?? '').replace(/\d+$/u, '999999');
    await expect(batch([...gone, missing]).run()).rejects.toMatchObject({
      code: 'access_denied',
      error: { failures: [{ uri: missing }] },
    });
    expect(await mergedState(store.database)).toEqual(before);
    expect(await rowsOfSteps()).toEqual([0, 0, 0]);
  });
});

test('a transfer finds the refs that a deletion which did not end has taken', async () => {
  const box = await container();
  const holder = await holdersOf(inBoxes([box]));
  const { uri: other } = await store.create('repository', { repo_code: 'TO', name: 'To' });
  // In the name of which custody passes.
  const keeper = await person();
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify({ ref: keeper })}::json) WHERE kind = 'repository' AND id = ${idOf(other)}`,
    ),
  );
  await stepsAlone(single(box));
  expect((await store.read(holder))['instances']).toEqual([]);
  const route = { kind: 'accession', id: idOf(holder), from: store.repoId, to: idOf(other), actor: 'tester' };
  // With no ref the accession would have gone, and never got it back.
  await expect(runHandler(store.database, transferRecord, transferHandler, route)).rejects.toMatchObject({
    error: { [box]: [{ message: 'TOP_CONTAINER_IN_USE' }] },
  });
  expect([await mentions([box]), await rowsOfSteps()]).toEqual([copies, [0, 0, 0]]);
});

test('of records of several repositories, or of one and of none, those of none go in steps', async () => {
  const [agent, box] = [await person(), await container()];
  const holder = await holdersOf({ ...creators([agent]), ...inBoxes([box]) });
  const before = await mergedState(store.database);
  const job = batch([agent, box]);
  const deletionId = await stepsAlone(job);
  expect([await mentions([agent]), await mentions([box])]).toEqual([0, copies]);
  await runHandler(store.database, leadBack, leadBackHandler, { deletionId, repoId: null });
  expect(await mergedState(store.database)).toEqual(before);
  expect(await job.run()).toEqual({ deleted: 2 });
  expect([await mentions([agent, box]), await rowsOfSteps()]).toEqual([0, [0, 0, 0]]);
  expect(await store.read(holder)).toMatchObject({ linked_agents: [], instances: [] });
});
