// Default values and required fields of forms over HTTP (contract 6.14).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

it.each([
  [
    'default_values',
    'DefaultValues',
    { defaults: { title: 'Untitled', level: 'file' } },
    { defaults: { title: 'New' } },
  ],
  [
    'required_fields',
    'RequiredFields',
    {
      subrecord_requirements: [
        { property: 'agent_genders', record_type: 'agent_gender', required: true, required_fields: ['gender'] },
      ],
    },
    { subrecord_requirements: [] },
  ],
])('%s are created, read and replaced by their version', async (kind, model, first, second) => {
  const address = `/repositories/${repoId}/${kind}/resource`;
  expect([(await api.get(address)).status, (await api.get(address)).json]).toEqual([
    404,
    { error: `${model} not found` },
  ]);
  const made = await api.post(address, { record_type: 'resource', ...first });
  expect([made.status, made.text]).toEqual([
    200,
    `{"status":"Updated","id":"${repoId}_resource","lock_version":0,"stale":null}\n`,
  ]);
  const read = (await api.get(address)).json;
  expect(read).toMatchObject({
    jsonmodel_type: kind,
    record_type: 'resource',
    lock_version: 0,
    created_by: 'admin',
    ...first,
  });
  // An absent version counts as 0.
  expect((await api.post(address, { record_type: 'resource', ...second })).json).toMatchObject({ lock_version: 1 });
  const stale = await api.post(address, read);
  expect([stale.status, stale.json]).toEqual([
    409,
    { error: 'The record you tried to update has been modified since you fetched it.' },
  ]);
  // An absent version is none where another than 0 is stored.
  const absent = await api.post(address, { record_type: 'resource', ...first });
  expect([absent.status, absent.json]).toEqual([409, { error: 'You must provide a lock_version in your request' }]);
  expect((await api.get(address)).json).toMatchObject(second);
});

it('takes record types that have forms, and is for managers', async () => {
  expect((await api.post(`/repositories/${repoId}/default_values/nonsense`, { record_type: 'resource' })).status).toBe(
    400,
  );
  expect(
    (await api.post(`/repositories/${repoId}/default_values/resource`, { record_type: 'nonsense' })).json.error,
  ).toHaveProperty('record_type');
  const viewer = await api.userWith(['view_repository'], repoId);
  expect(
    (await api.post(`/repositories/${repoId}/default_values/resource`, { record_type: 'resource' }, viewer)).status,
  ).toBe(403);
});

it('goes with its repository', async () => {
  const other = await api.repository();
  await api.post(`/repositories/${other}/default_values/resource`, {
    record_type: 'resource',
    defaults: { title: 'x' },
  });
  expect((await api.del(`/repositories/${other}`)).status).toBe(200);
  expect(await api.database.reader.any(sql.type(AnyRow)`SELECT 1 FROM form_setting WHERE repo_id = ${other}`)).toEqual(
    [],
  );
});

it.each(['default_values', 'required_fields'])('%s with a version that none can have are a 409', async (kind) => {
  const address = `/repositories/${repoId}/${kind}/accession`;
  const content = { record_type: 'accession', defaults: {}, subrecord_requirements: [] };
  expect((await api.post(address, content)).status).toBe(200);
  for (const version of ['"x"', '1e308', '10000000000000000000', '0.5', '-1', 'true', '[]', '{}']) {
    const reply = await api.ask(address, {
      body: JSON.stringify(content).replace('{', `{"lock_version":${version},`),
    });
    expect([400, 409], `${version}: ${reply.text}`).toContain(reply.status);
  }
  expect((await api.get(address)).json.lock_version).toBe(0);
});
