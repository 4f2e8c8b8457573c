// Where files are and what moves them, over HTTP: who may, what is told, and what is refused. The moves themselves: worker/jobs/move-files.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBlob } from '#store/files/blobs.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { fileRoutes } from '../../../../apps/api/routes/files.ts';

/** A storage that nobody asks here: nothing is sent to it before a file goes there. */
const named = {
  MUNIMENT_FILES_URL: 's3://archive/muniment?endpoint=http://127.0.0.1:9',
  MUNIMENT_FILES_ACCESS_KEY_ID: 'the-name-of-the-key',
  MUNIMENT_FILES_SECRET_ACCESS_KEY: 'the-secret-of-the-key',
  MUNIMENT_FILES_NEW: 'database',
};
let without: TestApi;
let api: TestApi;
beforeAll(async () => {
  without = await startTestApi({ worker: false });
  api = await startTestApi({ url: without.databaseUrl, worker: false, environment: named });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await without[Symbol.asyncDispose]();
});

it('are for administrators alone', async () => {
  const session = await api.userWith(['view_repository', 'import_records'], await api.repository());
  expect(fileRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /system/files',
    'POST /system/files/move',
  ]);
  expect((await api.get('/system/files', session)).status).toBe(403);
  expect((await api.post('/system/files/move?to=s3', undefined, session)).status).toBe(403);
});

it('tells how many files are where, with a storage and without', async () => {
  expect(ok(await without.get('/system/files'))).toEqual({
    storage: null,
    new_files: 'database',
    places: [],
    waiting_removals: 0,
  });
  await writeBlob(api.database, [Buffer.from('abc')]);
  expect(ok(await api.get('/system/files'))).toEqual({
    storage: 's3://archive/muniment',
    new_files: 'database',
    places: [{ storage: null, files: 1, bytes: 3 }],
    waiting_removals: 0,
  });
});

it('makes one visible job, and refuses a place that there is not, none, and a move without a storage', async () => {
  const reply = await api.post('/system/files/move?to=database');
  expect([reply.status, reply.headers.get('location')]).toEqual([202, reply.json.uri]);
  expect(ok(await api.get(reply.json.uri))).toMatchObject({ status: 'queued', owner: 'admin' });
  expect((await api.post('/system/files/move?to=moon')).status).toBe(400);
  expect((await api.post('/system/files/move')).status).toBe(400);
  const refused = await without.post('/system/files/move?to=s3');
  expect([refused.status, refused.json.error]).toEqual([
    400,
    'There is no storage of files: MUNIMENT_FILES_URL is not set',
  ]);
});

it('shows neither key nor address with the configuration', async () => {
  const { text, json } = await api.post('/system/config');
  expect(json).toMatchObject({ MUNIMENT_FILES_NEW: 'database' });
  expect(text).not.toMatch(/the-(?:name|secret)-of-the-key|s3:/);
});
