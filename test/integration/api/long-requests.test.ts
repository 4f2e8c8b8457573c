// A request that lasts for longer than a session may be idle keeps its session (contract 2.1), however it ends; one that rests loses it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';

const idleMs = 2000;
let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_SESSION_TTL_SECONDS: '2' } });
  repoId = Number(
    ok(await api.post('/repositories', { repo_code: 'LONG', name: 'Long' }, await api.login('admin', adminPassword)))
      .id,
  );
});
afterAll(async () => api[Symbol.asyncDispose]());

/** A batch of one accession whose end comes when the session would have expired twice over. */
async function* slowBatch(id: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[');
  await sleep(2.5 * idleMs);
  yield Buffer.from(
    `${JSON.stringify({ jsonmodel_type: 'accession', uri: `/repositories/${repoId}/accessions/import_1`, id_0: id, accession_date: '2020-01-01' })}]`,
  );
}

async function importSlowly(id: string, session: string, signal?: AbortSignal): Promise<Response> {
  // Node's fetch sends a stream in this way alone; the types of the browser's do not know the setting.
  const request = {
    method: 'POST',
    headers: { 'x-service-session': session },
    body: ReadableStream.from(slowBatch(id)),
    duplex: 'half',
    ...(signal === undefined ? {} : { signal }),
  } as RequestInit;
  return fetch(`${api.url}/repositories/${repoId}/batch_imports`, request);
}

it('answers the next request of a client whose import took longer than the idle limit', async () => {
  const session = await api.login('admin', adminPassword);
  const reply = await importSlowly('ONE', session);
  expect(await reply.text()).toContain('"saved":{"/repositories');
  expect((await api.get(`/repositories/${repoId}/accessions?all_ids=true`, session)).json).toHaveLength(1);
});

it('serves other requests of the session while the long one goes on', async () => {
  const session = await api.login('admin', adminPassword);
  const importing = importSlowly('TWO', session);
  await sleep(2 * idleMs);
  expect((await api.get('/repositories', session)).status).toBe(200);
  expect(await (await importing).text()).toContain('"saved":{"/repositories');
});

it('lets a session go that rests after a request that was given up', async () => {
  const session = await api.login('admin', adminPassword);
  const giveUp = new AbortController();
  const importing = importSlowly('THREE', session, giveUp.signal).then(
    () => 'answered',
    () => 'given up',
  );
  await sleep(1.2 * idleMs);
  giveUp.abort();
  expect(await importing).toBe('given up');
  await sleep(1.5 * idleMs);
  expect((await api.get('/repositories', session)).json).toMatchObject({ code: 'SESSION_EXPIRED' });
});
