// Prefilled templates as files of a job: one for more components than are read at a time, for who does not wait, killed, and run twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { creationTemplate } from '#domain/jobs/creation-template.ts';
import { sheetMailbox } from '#domain/spreadsheets/mailbox.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readBlob } from '#store/files/blobs.ts';
import { handler } from '../../../../apps/worker/jobs/creation-template.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { sharedThreads } from '#test/support/threads.ts';

let api: TestApi;
let repoId = 0;
let resource = '';
const count = 1002;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  resource = await largeTree(api, repoId, { code: 'T', count });
});
afterAll(() => api[Symbol.asyncDispose]());

test('a request waits for the job and gets a row for each component; who does not wait finds the same file at the job', async () => {
  const path = `${resource}/templates/top_container_creation.csv`;
  const reply = await api.get(path);
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-length')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    null,
  ]);
  const lines = reply.text.trimEnd().split('\n');
  expect(lines).toHaveLength(4 + count);
  expect([lines[4]?.includes('File 0,'), lines.at(-1)?.includes(`File ${count - 1},`)]).toEqual([true, true]);
  const later = await api.ask(path, { headers: { prefer: 'respond-async' } });
  expect(later.status).toBe(202);
  expect(await endOfJob(api, later.json.uri)).toMatchObject({ status: 'completed', result: { rows: count } });
  const [file] = (await api.get(`${later.json.uri}/output_files`)).json;
  const found = await api.get(`${later.json.uri}/output_files/${file}`);
  expect([found.text, found.headers.get('content-disposition')]).toEqual([
    reply.text,
    reply.headers.get('content-disposition'),
  ]);
  // The job says what it is about, and its file is hidden with that.
  expect((await api.get(later.json.uri)).json.reason).toEqual({ by: 'request', records: [{ ref: resource }] });
  const viewer = await api.userWith(['view_repository'], repoId);
  const suppress = (suppressed: boolean) =>
    api.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET suppressed = ${suppressed} WHERE kind = 'resource' AND id = ${idOf(resource)}`),
    );
  const readBy = async (session: string) => (await api.get(`${later.json.uri}/output_files/${file}`, session)).status;
  expect(await readBy(viewer)).toBe(200);
  await suppress(true);
  expect([await readBy(viewer), await readBy(api.session)]).toEqual([404, 200]);
  await suppress(false);
});

test('what is suppressed is there for those who see it when the job runs; killed it leaves no file, and each run makes the same', async () => {
  const at = await api.repository();
  const root = await largeTree(api, at, { code: 'Q', count: 3 });
  const [id] = (await api.get(`/repositories/${at}/archival_objects?all_ids=true`)).json;
  const node = `/repositories/${at}/archival_objects/${id}`;
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'archival_object' AND id = ${Number(id)}`),
  );
  const admin = await readCaller(api.database.reader, 'admin');
  const viewer = { ...admin, grants: new Map([[at, new Set(['view_repository'])]]) };
  const threads = await sharedThreads();
  const payload = {
    repoId: at,
    actor: 'admin',
    resourceId: idOf(root),
    template: 'digital_object_creation' as const,
    wantsSuppressed: false,
    release: 'R-A' as const,
  };
  const files = () =>
    api.database.reader.any(sql.type(z.strictObject({ id: column.text }))`
        SELECT f.blob_id AS id FROM job_file f JOIN job j ON j.id = f.job_id WHERE j.owner IS NULL AND f.role = 'output' ORDER BY f.id`);
  const around = (caller: typeof admin) => ({ caller, threads });
  await expect(killedOnce(api.database, creationTemplate, handler, payload, around(admin))).rejects.toThrow('killed');
  expect(await files()).toEqual([]);
  for (const _ of [1, 2])
    expect(await runHandler(api.database, creationTemplate, handler, payload, around(admin))).toEqual({
      rows: 3,
    });
  expect(await runHandler(api.database, creationTemplate, handler, payload, around(viewer))).toEqual({
    rows: 2,
  });
  const [one, two, less] = await Promise.all(
    (await files()).map(async ({ id }) => Buffer.concat(await Array.fromAsync(readBlob(api.database, id))).toString()),
  );
  expect(two).toBe(one);
  expect([one?.includes(`${node},`), less?.includes(`${node},`), one?.includes('thumbnail_publish')]).toEqual([
    true,
    false,
    true,
  ]);
  await expect(
    runHandler(api.database, creationTemplate, handler, payload, around({ ...admin, grants: new Map() })),
  ).rejects.toThrow('view_repository');
  await expect(
    runHandler(api.database, creationTemplate, handler, { ...payload, resourceId: 99_999 }, around(admin)),
  ).rejects.toThrow('Resource not found');
});

test('sheets of one person in one repository are made one after another', () => {
  const mailboxes = [
    { repoId: 2, actor: 'one' },
    { repoId: 2, actor: 'other' },
    { repoId: 3, actor: 'one' },
  ].map(sheetMailbox);
  expect(new Set(mailboxes).size).toBe(3);
});
