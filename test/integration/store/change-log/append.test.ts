// How changes are told: few records one by one, with their versions, and so indexed at once; many a thousand to a row, so that their indexing holds up nobody who
// saves one record meanwhile (docs/decisions/0009), whatever it is that changes them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

const many = 101;

let api: TestApi;
let at: string;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  at = `/repositories/${await api.repository()}`;
});
afterAll(() => api[Symbol.asyncDispose]());

const Told = z.strictObject({
  op: column.text,
  actor: column.maybeText,
  alone: column.int,
  versions: column.int,
  together: column.int,
});
/** What a request tells of records of a kind: by operation how many alone, how many of these with a version, and how many in rows of many. */
async function told(kind: string, work: () => Promise<Reply>): Promise<readonly z.infer<typeof Told>[]> {
  const { reader } = api.database;
  const { last } = await reader.one(
    sql.type(z.strictObject({ last: column.int }))`SELECT coalesce(max(seq), 0) AS last FROM change`,
  );
  const reply = await work();
  expect(reply.status, reply.text).toBe(200);
  return reader.any(sql.type(Told)`
    SELECT op, actor, count(id)::int AS alone, count(lock_version)::int AS versions, coalesce(sum(cardinality(ids)), 0)::int AS together FROM change
    WHERE kind = ${kind} AND seq > ${last} GROUP BY op, actor ORDER BY op`);
}
const inRows = (op: string) => [{ op, actor: 'admin', alone: 0, versions: 0, together: many }];
const oneByOne = (op: string, count: number) => [{ op, actor: 'admin', alone: count, versions: count, together: 0 }];

const component = (n: number) => ({ jsonmodel_type: 'archival_object', title: `File ${n}`, level: 'file' });
const filled = async (code: string, count: number, more: object = {}) => {
  const root = await api.create(`${at}/resources`, resourceBody(code));
  const children = Array.from({ length: count }, (_, n) => ({ ...component(n), resource: { ref: root }, ...more }));
  return { root, made: await told('archival_object', () => api.post(`${root}/children`, { children })) };
};
const childrenOf = async (root: string): Promise<readonly number[]> =>
  (await api.get(`${root}/tree/waypoint?offset=0`)).json.map(({ uri }: { uri: string }) => idOf(uri));

test('components that are made together, move together, and go with their resource', async () => {
  const { root, made } = await filled('A1', many);
  expect(made).toEqual(inRows('create'));
  const ids = await childrenOf(root);
  const parent = await api.create(`${at}/archival_objects`, { ...component(0), resource: { ref: root } });
  const query = ids.map((id) => `children[]=${at}/archival_objects/${id}`).join('&');
  const move = () => api.ask(`${parent}/accept_children?${query}&position=0`, { method: 'POST' });
  expect(await told('archival_object', move)).toEqual(inRows('update'));
  expect(await told('archival_object', () => api.del(parent))).toEqual([
    { op: 'delete', actor: 'admin', alone: 0, versions: 0, together: many + 1 },
  ]);
});

test('few of them', async () => {
  const { root, made } = await filled('A2', 3);
  expect(made).toEqual(oneByOne('create', 3));
  expect(await told('archival_object', () => api.del(root))).toEqual(oneByOne('delete', 3));
});

test('what holds a subject that is deleted, and a value that is renamed', async () => {
  const terms = [{ term: 'Mills', term_type: 'topical', vocabulary: '/vocabularies/1' }];
  const subject = await api.create('/subjects', { source: 'local', vocabulary: '/vocabularies/1', terms });
  const extents = [{ portion: 'whole', number: '1', extent_type: 'reels' }];
  await filled('A3', many, { subjects: [{ ref: subject }], extents });
  expect(await told('archival_object', () => api.del(subject))).toEqual(inRows('update'));
  const list = (await api.get('/config/enumerations/names/extent_extent_type')).json;
  const value = list.enumeration_values.find((each: { value: string }) => each.value === 'reels');
  const rename = () => api.post(value.uri, { ...value, value: 'spools' });
  expect(await told('archival_object', rename)).toEqual(inRows('update'));
});

test('locations that are made and changed together', async () => {
  const range = { start: '1', end: `${many}`, label: 'Shelf' };
  const batch = { jsonmodel_type: 'location_batch', building: 'Annex', coordinate_1_range: range };
  let uris: readonly string[] = [];
  const make = async () => {
    const reply = await api.post('/locations/batch', batch);
    uris = reply.json;
    return reply;
  };
  expect(await told('location', make)).toEqual(inRows('create'));
  const update = () =>
    api.post('/locations/batch_update', {
      jsonmodel_type: 'location_batch_update',
      record_uris: uris,
      building: 'Main house',
    });
  expect(await told('location', update)).toEqual(inRows('update'));
});
