// A record with more than a thousand below it, or to which many others link, is deleted by a job: with the reply that a smaller one gets, the same refusals, and told where it may be followed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directlyDeleted } from '#domain/jobs/delete-record.ts';
import { CountRow, IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { copyAccession } from '#test/support/merge-state.ts';

let api: TestApi;
let repoId = 0;
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const tree = (count: number): Promise<string> => largeTree(api, repoId, { code: `D${(made += 1)}`, count });
const remove = (uri: string, headers: Record<string, string> = {}, session = api.session) =>
  api.ask(uri, { method: 'DELETE', headers, session });
const jobs = async (): Promise<number> =>
  (
    await api.database.reader.one(
      sql.type(CountRow)`SELECT count(*)::int AS count FROM job WHERE type = 'delete-record'`,
    )
  ).count;
const componentsOf = async (): Promise<readonly number[]> =>
  ok(await api.get(`/repositories/${repoId}/archival_objects?all_ids=true`));

test('a thousand go at once, and one more by a job, with the same reply', async () => {
  const [few, many] = [await tree(directlyDeleted), await tree(directlyDeleted + 1)];
  expect([await remove(few), await jobs()]).toMatchObject([
    { status: 200, json: { status: 'Deleted', id: idOf(few) } },
    0,
  ]);
  expect([await remove(many), await jobs()]).toMatchObject([
    { status: 200, json: { status: 'Deleted', id: idOf(many) } },
    1,
  ]);
  for (const uri of [few, many]) expect((await api.get(uri)).status).toBe(404);
  expect(await componentsOf()).toEqual([]);
  expect(await remove(many)).toMatchObject({ status: 404, json: { error: 'Resource not found' } });
  expect(await checkTrees(api.database.reader)).toEqual([]);
});

test('a component with as much below it too, and what is beside it stays', async () => {
  const resource = await tree(directlyDeleted + 2);
  const ids = await componentsOf();
  const [top = 0, beside = 0, ...below] = ids.map((id) => `/repositories/${repoId}/archival_objects/${id}`);
  const form = new URLSearchParams([['position', '0'], ...below.map((uri): [string, string] => ['children[]', uri])]);
  ok(
    await api.ask(`${top}/accept_children`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }),
  );
  const more = await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'One more',
    level: 'file',
    resource: { ref: resource },
    parent: { ref: top },
  });
  const before = await jobs();
  expect(await remove(String(top))).toMatchObject({ status: 200 });
  expect(await jobs()).toBe(before + 1);
  expect(await componentsOf()).toEqual([idOf(String(beside))]);
  expect((await api.get(more)).status).toBe(404);
  expect(await checkTrees(api.database.reader)).toEqual([]);
});

test('what a request refuses a job refuses in the same words, and nothing goes', async () => {
  const [few, many] = [await tree(1), await tree(directlyDeleted + 1)];
  const before = await componentsOf();
  const names = [{ primary_name: 'W', sort_name: 'W', name_order: 'direct', source: 'local' }];
  const agent = await api.create('/agents/people', { names });
  for (const uri of [few, many])
    await api.create(`/repositories/${repoId}/assessments`, {
      records: [{ ref: uri }],
      surveyed_by: [{ ref: agent }],
      survey_begin: '2026-01-01',
    });
  const [direct, byJob] = [await remove(few), await remove(many)];
  expect([byJob.status, byJob.json]).toEqual([direct.status, direct.json]);
  expect([direct.status, direct.json.error]).toEqual([409, 'linked_to_assessment']);
  const stale = await remove(many, { 'if-match': '"99"' });
  expect([stale.status, stale.json.code]).toEqual([412, 'PRECONDITION_FAILED']);
  expect(await componentsOf()).toEqual(before);
});

test('who does not want to wait follows the job', async () => {
  const resource = await tree(directlyDeleted + 1);
  const asked = await remove(resource, { prefer: 'respond-async' });
  expect([asked.status, asked.json.status]).toEqual([202, 'Accepted']);
  expect(await endOfJob(api, String(asked.json.uri))).toMatchObject({
    status: 'completed',
    result: { deleted: directlyDeleted + 2 },
  });
  expect((await api.get(resource)).status).toBe(404);
});

/** An agent to which an event of its making links, and so many accessions. */
async function heldAgent(count: number): Promise<string> {
  const title = `Held ${(made += 1)}`;
  const names = [{ primary_name: title, sort_name: title, name_order: 'direct', source: 'local' }];
  const agent = await api.create('/agents/people', { names });
  const accession = { id_0: title, accession_date: '2026-01-01', linked_agents: [{ ref: agent, role: 'creator' }] };
  await copyAccession(api.database, await api.create(`/repositories/${repoId}/accessions`, accession), count);
  return agent;
}
const accessionsOf = async (agent: string): Promise<readonly number[]> =>
  (
    await api.database.reader.any(
      sql.type(IdRow)`SELECT id FROM record WHERE kind = 'accession' AND body::text LIKE ${`%"${agent}"%`} ORDER BY id`,
    )
  ).map(({ id }) => id);

test('so does an agent to which many records link, whoever names it', async () => {
  const [few, many] = [await heldAgent(holdersAtOnce - 1), await heldAgent(holdersAtOnce)];
  const before = await jobs();
  expect([await remove(few), await jobs()]).toMatchObject([{ status: 200, json: { status: 'Deleted' } }, before]);
  const stale = await remove(many, { 'if-match': '"99"' });
  expect([stale.status, stale.json.code]).toEqual([412, 'PRECONDITION_FAILED']);
  expect(await accessionsOf(many)).toHaveLength(holdersAtOnce);
  expect([await remove(many), await jobs()]).toMatchObject([
    { status: 200, json: { status: 'Deleted', id: idOf(many) } },
    before + 1,
  ]);
  for (const uri of [few, many]) expect([(await api.get(uri)).status, await accessionsOf(uri)]).toEqual([404, []]);
  expect(await remove(many)).toMatchObject({ status: 404, json: { error: 'AgentPerson not found' } });

  const several = await heldAgent(holdersAtOnce);
  const asked = await api.ask(`/batch_delete?record_uris[]=${several}`, {
    method: 'POST',
    headers: { prefer: 'respond-async' },
  });
  expect(asked.status).toBe(202);
  await expect.poll(async () => (await api.get(String(asked.json.uri))).json.status).toBe('completed');
  expect([(await api.get(several)).status, await accessionsOf(several)]).toEqual([404, []]);
});

test('an agent whose deletion is canceled after its first step gets its links back', async () => {
  const agent = await heldAgent(holdersAtOnce + 20);
  const holders = await accessionsOf(agent);
  // It waits for the last of them, the refs of a whole block taken.
  await api.database.withClient(async (client) => {
    await client.query('BEGIN READ WRITE');
    await client.query(`SELECT FROM record WHERE kind = 'accession' AND id = ${holders.at(-1)} FOR UPDATE`);
    const asked = await remove(agent, { prefer: 'respond-async' });
    expect(asked.status).toBe(202);
    await expect.poll(async () => (await accessionsOf(agent)).length).toBe(20);
    ok(await api.post(`${asked.json.uri}/cancel`));
    await expect.poll(async () => (await api.get(String(asked.json.uri))).json.status).toBe('canceled');
    await client.query('ROLLBACK');
  });
  await expect.poll(() => accessionsOf(agent)).toEqual(holders);
  expect(ok(await api.get(`/repositories/${repoId}/accessions/${holders[0]}`)).linked_agents).toMatchObject([
    { ref: agent, role: 'creator' },
  ]);
  expect(await remove(agent)).toMatchObject({ status: 200, json: { status: 'Deleted' } });
  expect(await accessionsOf(agent)).toEqual([]);
});
