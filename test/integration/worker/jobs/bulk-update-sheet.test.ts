// The spreadsheet for changing archival objects as the file of a job: for those who wait, who do not, who ask again; killed, run twice, and dropped.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bulkUpdateSheet } from '#domain/jobs/bulk-update-sheet.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { pruneBlobs, readBlob } from '#store/files/blobs.ts';
import { pruneJobs } from '#store/maintenance/expire.ts';
import { handler } from '../../../../apps/worker/jobs/bulk-update-sheet.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { sharedThreads } from '#test/support/threads.ts';

let api: TestApi;
let repoId = 0;
let resource = '';
let uris: readonly string[] = [];
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  // More than are read at a time.
  resource = await largeTree(api, repoId, { code: 'S', count: 501 });
  const ids = (await api.get(`/repositories/${repoId}/archival_objects?all_ids=true`)).json;
  uris = ids.map((id: number) => `/repositories/${repoId}/archival_objects/${id}`);
});
afterAll(() => api[Symbol.asyncDispose]());

const path = () => `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`;
const form = () =>
  new URLSearchParams({ uri: JSON.stringify(uris), resource_uri: resource, 'selected_columns[]': 'x' });
const send = async (headers: Record<string, string> = {}, session = api.session): Promise<Response> =>
  fetch(`${api.url}${path()}`, { method: 'POST', headers: { 'x-service-session': session, ...headers }, body: form() });
const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());
const rowsOf = (bytes: Buffer): readonly string[][] =>
  utils.sheet_to_json<string[]>(readWorkbook(bytes).Sheets['Updates'] ?? {}, { header: 1 }).slice(2);
const JobRow = z.strictObject({ id: column.int, visible: column.bool, files: column.int });
const jobs = () =>
  api.database.reader.any(sql.type(JobRow)`
    SELECT id, visible, (SELECT count(*)::int FROM job_file WHERE job_id = job.id) AS files FROM job WHERE type = 'bulk-update-sheet' ORDER BY id`);

test('a request waits for the job, which nobody sees listed, and gets all rows in their order', async () => {
  const reply = await send();
  expect([reply.status, reply.headers.get('content-length')]).toEqual([200, null]);
  const rows = rowsOf(await bytesOf(reply));
  expect(rows.map(([id]) => Number(id))).toEqual(uris.map(idOf));
  expect(await jobs()).toMatchObject([{ visible: false, files: 1 }]);
  expect((await api.get(`/repositories/${repoId}/jobs?page=1`)).json.results).toEqual([]);
});

test('a request so long that a thread of the API reads it is answered in the same way, each record once', async () => {
  const body = new URLSearchParams({
    uri: JSON.stringify([...uris, ...uris, ...uris, ...uris]),
    resource_uri: resource,
  });
  expect(body.toString().length).toBeGreaterThan(65_536);
  const reply = await fetch(`${api.url}${path()}`, {
    method: 'POST',
    headers: { 'x-service-session': api.session },
    body,
  });
  expect(reply.status).toBe(200);
  expect(rowsOf(await bytesOf(reply))).toHaveLength(501);
});

test('whoever does not wait finds the file at the job, by its name', async () => {
  const reply = await api.ask(path(), { form: form(), headers: { prefer: 'respond-async' } });
  expect(reply.status).toBe(202);
  const ended = await endOfJob(api, reply.json.uri);
  expect(ended).toMatchObject({ status: 'completed', result: { rows: 501 }, log: expect.stringContaining('501 rows') });
  const files = (await api.get(`${reply.json.uri}/output_files`)).json;
  const file = await fetch(`${api.url}${reply.json.uri}/output_files/${files[0]}`, {
    headers: { 'x-service-session': api.session },
  });
  expect(file.headers.get('content-disposition')).toMatch(
    /filename="bulk_update\.resource_\d+\.\d{4}-\d\d-\d\d\.xlsx"/,
  );
  expect(rowsOf(await bytesOf(file))).toHaveLength(501);
});

test('a request that is sent again under its key gets the file of the first', async () => {
  const before = (await jobs()).length;
  const [first, second] = [await send({ 'idempotency-key': 'k1' }), await send({ 'idempotency-key': 'k1' })];
  expect((await bytesOf(second)).equals(await bytesOf(first))).toBe(true);
  expect(await jobs()).toHaveLength(before + 1);
});

test('files that were fetched are dropped after a day, those of jobs that somebody was sent to stay', async () => {
  const shown = (await jobs()).filter(({ visible }) => visible);
  const files = async () =>
    (await api.database.reader.one(sql.type(z.strictObject({ n: column.int }))`SELECT count(*)::int AS n FROM blob`)).n;
  await pruneJobs(api.database, 0);
  expect((await jobs()).length).toBeGreaterThan(shown.length);
  await api.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE job SET time_finished = now() - interval '25 hours' WHERE time_finished IS NOT NULL`);
    await tx.run(sql`UPDATE blob SET create_time = now() - interval '25 hours'`);
  });
  await pruneJobs(api.database, 0);
  expect(await jobs()).toEqual(shown);
  await pruneBlobs(api.database);
  expect([shown.length, await files()]).toEqual([1, 1]);
});

test('killed before its end it leaves no file of a job; each further run makes the same; its owner must be allowed to look', async () => {
  const at = await api.repository();
  await largeTree(api, at, { code: 'Q', count: 2 });
  const ids = (await api.get(`/repositories/${at}/archival_objects?all_ids=true`)).json;
  const caller = await readCaller(api.database.reader, 'admin');
  const threads = await sharedThreads();
  const payload = {
    repoId: at,
    actor: 'admin',
    ids,
    resourceId: 0,
    selectedColumns: [],
    minSubrecords: 0,
    extraSubrecords: 0,
    minNotes: 0,
    wantsSuppressed: false,
    release: 'R-B' as const,
  };
  const blobs = () =>
    api.database.reader.any(sql.type(z.strictObject({ id: column.text }))`
        SELECT f.blob_id AS id FROM job_file f JOIN job j ON j.id = f.job_id WHERE j.owner IS NULL AND f.role = 'output' ORDER BY f.id`);
  const around = { caller, threads };
  await expect(killedOnce(api.database, bulkUpdateSheet, handler, payload, around)).rejects.toThrow('killed');
  expect(await blobs()).toEqual([]);
  for (const _ of [1, 2])
    expect(await runHandler(api.database, bulkUpdateSheet, handler, payload, around)).toEqual({ rows: 2 });
  const [one, two] = await Promise.all(
    (await blobs()).map(async ({ id }) => rowsOf(Buffer.concat(await Array.fromAsync(readBlob(api.database, id))))),
  );
  expect([one?.length, two]).toEqual([2, one]);
  const stranger = { ...around, caller: { ...caller, grants: new Map() } };
  await expect(runHandler(api.database, bulkUpdateSheet, handler, payload, stranger)).rejects.toThrow(
    'view_repository',
  );
});
