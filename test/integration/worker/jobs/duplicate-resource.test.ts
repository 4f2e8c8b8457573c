// Copies of resources: what they are of, and what of it the owner may see. How a copy looks is in edit-many.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
let resource: string;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('C1'));
});
afterAll(() => api[Symbol.asyncDispose]());

const component = (title: string, more: object = {}) =>
  api.create(`/repositories/${repoId}/archival_objects`, {
    title,
    level: 'file',
    resource: { ref: resource },
    ...more,
  });
const copy = (source: string, session = api.session) =>
  runJob(api, repoId, { jsonmodel_type: 'resource_duplicate_job', source }, { session });

test('fails for what is no resource of the repository, and makes nothing', async () => {
  const refusal = 'Must be the uri of a resource of the repository of the job';
  for (const source of [await component('One'), '/repositories/1/resources/1', 'nonsense'])
    expect(await copy(source), source).toMatchObject({ status: 'failed', log: expect.stringContaining(refusal) });
  expect(await copy(`/repositories/${repoId}/resources/99999`)).toMatchObject({
    status: 'failed',
    log: expect.stringContaining('Resource not found'),
  });
  expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(1);
});

test('leaves suppressed components out, and all below them, for owners who may not see them', async () => {
  const hidden = await component('Hidden');
  await component('Below', { parent: { ref: hidden } });
  expect((await api.post(`${hidden}/suppressed?suppressed=true`)).status).toBe(200);
  const codes = ['view_repository', 'create_job', 'update_resource_record', 'import_records'];
  const plain = await api.userWith(codes, repoId);
  const ended = await copy(resource, plain);
  expect(ended).toMatchObject({ status: 'completed', result: { created: { resource: 1, archival_object: 1 } } });
  expect((await api.del(ended.result.uri)).status).toBe(200);
  expect((await api.post(`${resource}/suppressed?suppressed=true`)).status).toBe(200);
  expect(await copy(resource, plain)).toMatchObject({ status: 'failed', log: expect.stringContaining('not found') });
  const sees = await api.userWith([...codes, 'view_suppressed'], repoId);
  expect(await copy(resource, sees)).toMatchObject({
    status: 'completed',
    result: { created: { resource: 1, archival_object: 3 } },
  });
});
