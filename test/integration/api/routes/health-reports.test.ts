// What administrators are told of the installation.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

it('GET /system/doctor says what muniment doctor says', async () => {
  const { status, json } = await api.get('/system/doctor');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    ok: false,
    facts: { server: { migrations: { pending: [] } }, work: { workers: 0 } },
  });
  expect(json.findings).toContainEqual({
    level: expect.stringMatching(/^(problem|warning)$/),
    id: 'no_worker',
    says: expect.any(String),
    advice: expect.any(String),
  });
});

it('GET /system/figures counts what was asked', async () => {
  await api.get('/repositories');
  const { json } = await api.get('/system/figures');
  expect(json.samples).toHaveLength(1);
  expect(json.samples[0].requests).toBeGreaterThan(0);
  expect(json.slowest).toContainEqual(expect.objectContaining({ method: 'GET', route: '/repositories' }));
});

it('both are for administrators', async () => {
  for (const path of ['/system/doctor', '/system/figures']) expect((await api.get(path, null)).status).toBe(403);
});
