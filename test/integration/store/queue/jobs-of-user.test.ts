// What becomes of the jobs of a user who is renamed, deactivated or deleted before they begin.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCaller } from '#store/access/grants.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/trim-whitespace.ts';
import { endOfJob, postJob } from '#test/support/api-jobs.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { sharedThreads } from '#test/support/threads.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';

let api: TestApi;
let repoId: number;
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

/** A user who may make jobs, with one that waits for a worker. */
async function owner(): Promise<{ readonly user: string; readonly name: string; readonly job: string }> {
  const session = await api.userWith(['view_repository', 'create_job', 'cancel_job'], repoId);
  const { uri, username } = (await api.get('/users/current-user', session)).json;
  const posted = await postJob(api, repoId, { jsonmodel_type: 'trim_whitespace_job' }, { session });
  expect(posted.status, posted.text).toBe(200);
  return { user: uri, name: username, job: posted.json.uri };
}

/** How a job ends once there is a worker. */
async function ended(uri: string): Promise<{ readonly status: string; readonly log: string }> {
  await using connected = connect(api.databaseUrl);
  const worker = await startTestWorker(connected, {
    handlers: [handler],
    threads: await sharedThreads(),
    readCaller,
  });
  try {
    return await endOfJob(api, uri);
  } finally {
    await worker.stop();
  }
}

test('go to the new name of their user', async () => {
  const { user, job } = await owner();
  const { json } = await api.get(user);
  const name = `renamed${(made += 1)}`;
  expect((await api.post(user, { ...json, username: name })).status).toBe(200);
  expect((await api.get(job)).json).toMatchObject({ owner: name, status: 'queued' });
  expect(await ended(job)).toMatchObject({ status: 'completed' });
});

test('are done where nothing but the record of the user was saved', async () => {
  const { user, name, job } = await owner();
  const { json } = await api.get(user);
  expect((await api.post(user, { ...json, name: 'Another Name' })).status).toBe(200);
  expect((await api.get(job)).json.owner).toBe(name);
  expect(await ended(job)).toMatchObject({ status: 'completed' });
});

test('do not begin where the user is deactivated, and do for one who is active again', async () => {
  const gone = await owner();
  expect((await api.get(`${gone.user}/deactivate`)).status).toBe(200);
  const back = await owner();
  for (const step of ['deactivate', 'activate']) expect((await api.get(`${back.user}/${step}`)).status).toBe(200);
  expect(await ended(gone.job)).toMatchObject({ status: 'failed', log: expect.stringContaining('create_job') });
  expect(await ended(back.job)).toMatchObject({ status: 'completed' });
});

test('are canceled with their user where they have not begun, and are of the administrator where they have', async () => {
  const ran = await owner();
  expect(await ended(ran.job)).toMatchObject({ status: 'completed' });
  const waits = await owner();
  const begun = await owner();
  // As a worker leaves it that was stopped in between.
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE job SET run = 1 WHERE id = ${Number(begun.job.split('/').at(-1))}`),
  );
  for (const { user } of [ran, waits, begun]) expect((await api.del(user)).status).toBe(200);
  expect((await api.get(ran.job)).json).toMatchObject({ owner: 'admin', status: 'completed' });
  expect((await api.get(waits.job)).json).toMatchObject({ owner: 'admin', status: 'canceled' });
  expect((await api.get(begun.job)).json).toMatchObject({ owner: 'admin', status: 'queued' });
  expect(await ended(begun.job)).toMatchObject({ status: 'completed' });
});
