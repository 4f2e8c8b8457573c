// Undoing a merge of records some of which went to another repository since (docs/decisions/0011): no link leads across the border, and each is of the
// repository in which its record is now.
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { mergesOf, refs } from '#test/support/merge-requests.ts';
import { resourceBody } from '#test/support/records.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const [from, to] = [await api.repository('FROM'), await api.repository('TO')];
const { person, accession, merge, undo } = mergesOf(api, from);
const resource = (id: string, more: object = {}): Promise<string> =>
  api.create(`/repositories/${from}/resources`, resourceBody(id, more as never));
const get = async (uri: string) => (await api.get(uri)).json;
const transfer = async (uri: string): Promise<string> => {
  const reply = await api.post(`${uri}/transfer?target_repo=/repositories/${to}`);
  expect(reply.status, reply.text).toBe(200);
  return uri.replace(`/repositories/${from}/`, `/repositories/${to}/`);
};

test('a holder of both has its two links again where it is now', async () => {
  const [kept, gone] = [await person(), await person()];
  const linked = [kept, gone].map((ref) => ({ ref, role: 'creator' }));
  const holder = await accession({ linked_agents: linked });
  const reply = await merge('agent', kept, [gone]);
  const moved = await transfer(holder);
  expect((await undo(reply)).status).toBe(200);
  expect((await get(moved)).linked_agents).toMatchObject(linked);
  const links = await api.database.reader.any(sql.type(z.strictObject({ repoId: column.int }))`
    SELECT repo_id AS "repoId" FROM link WHERE source_kind = 'accession' AND source_id = ${idOf(moved)}`);
  expect(links).toEqual([{ repoId: to }, { repoId: to }]);
});

test('a relation to what went is not there again', async () => {
  const related = await accession();
  const [kept, gone] = [
    await resource('R1', { related_accessions: refs(related) }),
    await resource('R2', { related_accessions: refs(related) }),
  ];
  const reply = await merge('resource', kept, [gone], `?repo_id=${from}`);
  expect(reply.status, reply.text).toBe(200);
  const moved = await transfer(related);
  expect((await undo(reply)).status).toBe(200);
  expect([await get(kept), await get(gone)].map((each) => each.related_accessions)).toEqual([[], []]);
  expect((await get(moved)).related_resources).toEqual([]);
});

test('is refused where what a record held went', async () => {
  const object = await api.create(`/repositories/${from}/digital_objects`, { title: 'D', digital_object_id: 'D1' });
  const [kept, gone] = [
    await resource('R3'),
    await resource('R4', { instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }] }),
  ];
  const reply = await merge('resource', kept, [gone], `?repo_id=${from}`);
  await transfer(object);
  const refused = await undo(reply);
  expect([refused.status, refused.json]).toEqual([409, { error: { [object]: [{ message: 'GONE' }] } }]);
});

test('a holder that was linked once more is named where it is now', async () => {
  const [kept, gone] = [await person(), await person()];
  const holder = await accession({ linked_agents: [{ ref: gone, role: 'creator' }] });
  const reply = await merge('agent', kept, [gone]);
  const moved = await transfer(holder);
  const linked = ['creator', 'subject'].map((role) => ({ ref: kept, role }));
  expect((await api.post(moved, { ...(await get(moved)), linked_agents: linked })).status).toBe(200);
  const refused = await undo(reply);
  expect([refused.status, refused.json]).toEqual([409, { error: { [moved]: [{ message: 'LINKED_SINCE' }] } }]);
});
