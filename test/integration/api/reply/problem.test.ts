// Errors as problem details (RFC 9457), for clients that ask for them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorTable } from '#domain/errors.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { asksForProblem } from '../../../../apps/api/reply/problem.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(async () => api[Symbol.asyncDispose]());

const accept = { accept: 'application/json, application/problem+json;q=0.9' };

it('tells an error with its code, and the usual body inside', async () => {
  const reply = await api.ask('/subjects', { json: {}, headers: accept });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  const classic = (await api.ask('/subjects', { json: {} })).json;
  expect(reply.json).toMatchObject({
    type: 'urn:muniment:error:invalid_record',
    status: 400,
    code: 'invalid_record',
    classic,
    errors: expect.arrayContaining([{ path: 'source', messages: ['Property is required but was missing'] }]),
  });
});

it('tells as text what is more than a sentence, such as why each record of a batch stays', async () => {
  const form = new URLSearchParams([['record_uris[]', '/nonsense/1']]);
  const refusal = { response: ['{"error":"Not found"}\n'], uri: '/nonsense/1' };
  expect((await api.ask('/batch_delete', { form, headers: accept })).json).toMatchObject({
    detail: `failures: ${JSON.stringify(refusal)}`,
    errors: [{ path: 'failures', messages: [JSON.stringify(refusal)] }],
    classic: { error: { failures: [refusal] } },
  });
});

it('tells a dead session and an unknown path alike', async () => {
  expect((await api.ask('/users/current-user', { session: 'nobody', headers: accept })).json).toMatchObject({
    status: 412,
    code: 'session_gone',
    classic: { code: 'SESSION_GONE' },
  });
  expect((await api.ask('/nowhere', { headers: accept })).json).toMatchObject({
    status: 404,
    code: 'not_found',
    detail: 'Not found',
    classic: { error: 'Not found' },
  });
});

it('says what to do, and where it is explained', async () => {
  const stale = await api.ask('/nowhere', { headers: accept });
  expect(stale.json).toMatchObject({
    hint: errorTable.not_found.hint,
    documentation: '/docs/errors#not_found',
  });
  const [page, anchor = ''] = String(stale.json.documentation).split('#');
  expect((await api.get(page ?? '')).text).toContain(`id="${anchor}"`);
});

it('says that one of several parameters is enough', async () => {
  const list = await api.ask('/subjects', { headers: accept });
  expect(list.json).toMatchObject({ status: 400, hint: 'Give one of page, id_set, all_ids.' });
  expect(list.json.classic).toEqual((await api.get('/subjects')).json);
  expect((await api.ask('/subjects?page=none', { headers: accept })).json.hint).toBe(errorTable.bad_parameter.hint);
});

it('tells another method of a path from an unknown path', async () => {
  const reply = await api.ask('/subjects/1', { method: 'PUT', headers: accept });
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH, POST']);
  expect(reply.json).toMatchObject({
    code: 'method_not_allowed',
    hint: 'This path has DELETE, GET, HEAD, PATCH, POST.',
    classic: { error: 'Not found' },
  });
  expect((await api.ask('/subjects/1/', { method: 'PUT', headers: accept })).status).toBe(405);
  expect((await api.ask('/docs/errors', { method: 'PUT', headers: accept })).headers.get('allow')).toBe('GET, HEAD');
  const other = await api.ask('/subjects/1', { method: 'PUT' });
  expect([other.status, other.json, other.headers.get('allow')]).toEqual([404, { error: 'Not found' }, null]);
});

it('is sent to nobody else', async () => {
  const reply = await api.ask('/nowhere', { headers: { accept: '*/*' } });
  expect([reply.headers.get('content-type'), reply.json]).toEqual(['application/json', { error: 'Not found' }]);
  expect(asksForProblem('application/problem+json;q=0')).toBe(false);
  expect(asksForProblem('application/json , application/problem+json ; charset=utf-8 ; q=0.0')).toBe(false);
  expect(asksForProblem('application/json , application/problem+json ; charset=utf-8 ; q=0.1')).toBe(true);
  expect(asksForProblem('application/problem+json-seq')).toBe(false);
  expect(asksForProblem('Application/json,APPLICATION/problem+json'.toLowerCase())).toBe(true);
  expect(asksForProblem(undefined)).toBe(false);
});
