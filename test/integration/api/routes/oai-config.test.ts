// The settings of the OAI provider over HTTP (contract 6.17).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const sound = { oai_record_prefix: 'oai:example', oai_admin_email: 'a@example.com', oai_repository_name: 'Example' };

it('is an array of one that anybody may read', async () => {
  const { status, json } = await api.get('/oai_config', null);
  expect([status, json.length, json[0]]).toMatchObject([
    200,
    1,
    {
      jsonmodel_type: 'oai_config',
      lock_version: 0,
      repo_set_codes: '[]',
      sponsor_set_names: '[]',
      repo_set_name: 'repository_set',
    },
  ]);
});

it('is replaced whatever id and version are sent; what is not sent is cleared', async () => {
  const chosen = { repo_set_codes: '["A"]', repo_set_name: 'chosen', repo_set_description: 'd' };
  const one = await api.post('/oai_config/77', { ...sound, lock_version: 12, ...chosen });
  expect([one.status, one.json]).toEqual([
    200,
    { status: 'Updated', id: 1, lock_version: 1, stale: null, uri: '/oai_config/1', warnings: [] },
  ]);
  expect((await api.get('/oai_config')).json[0]).toMatchObject({ ...sound, ...chosen });
  expect((await api.post('/oai_config', { ...sound, repo_set_description: 'd' })).json).toMatchObject({
    lock_version: 2,
  });
  const [now] = (await api.get('/oai_config')).json;
  expect(now).toMatchObject({ ...sound, repo_set_description: 'd', lock_version: 2, last_modified_by: 'admin' });
  expect([now.repo_set_codes, now.repo_set_name, now.sponsor_set_names]).toEqual([undefined, undefined, undefined]);
});

it('is refused where sets are chosen and not named or described', async () => {
  const reply = await api.post('/oai_config', { ...sound, repo_set_codes: '["A"]', sponsor_set_names: '["S"]' });
  expect([reply.status, reply.json.error]).toEqual([
    400,
    {
      repo_set_description: ['repo_set_desc_required'],
      repo_set_name: ['repo_set_name_required'],
      sponsor_set_description: ['sponsor_set_desc_required'],
      sponsor_set_name: ['sponsor_set_name_required'],
    },
  ]);
  expect((await api.post('/oai_config', { ...sound, repo_set_codes: '[]', sponsor_set_names: '[]' })).status).toBe(200);
});

it('is refused where sets are chosen by what is no list of texts', async () => {
  const named = { repo_set_name: 'r', repo_set_description: 'd', sponsor_set_name: 's', sponsor_set_description: 'd' };
  for (const wrong of ['AAA', '{"a":1}', '[1]', 'null']) {
    const lists = { repo_set_codes: wrong, sponsor_set_names: wrong };
    const reply = await api.post('/oai_config', { ...sound, ...named, ...lists });
    const message = ['must be the JSON text of a list of texts'];
    expect([reply.status, reply.json.error]).toEqual([400, { repo_set_codes: message, sponsor_set_names: message }]);
  }
  expect((await api.post('/oai_config', { ...sound, repo_set_codes: '', sponsor_set_names: null })).status).toBe(200);
});

it('is for those who make repositories', async () => {
  const manager = await api.userWith(['manage_repository'], await api.repository());
  expect((await api.post('/oai_config', sound, manager)).json).toEqual({ error: 'Access denied' });
});
