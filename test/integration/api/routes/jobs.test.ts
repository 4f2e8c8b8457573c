// The job routes over HTTP with a real worker behind them (contract trees-and-jobs 3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Caller } from '#domain/access/caller.ts';
import type { WireJob } from '#domain/job.ts';
import { defineJob } from '#domain/job.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import { writeBlob, readBlob } from '#store/files/blobs.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { jobFileRoutes } from '../../../../apps/api/routes/job-files.ts';
import { jobTypeRoutes, makeJobTypesRoute } from '../../../../apps/api/routes/job-types.ts';
import { jobRoutes } from '../../../../apps/api/routes/jobs.ts';
import { makeNewJobRoutes } from '../../../../apps/api/routes/new-jobs.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';
import type { Worker } from '../../../../apps/worker/running/worker.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer } from '#test/support/http-server.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';

/** A job of our own under a name and with the facts that clients know. */
const standIn = (wireName: string, mailbox: WireJob['mailbox']): WireJob => {
  const known = wireJobs.get(wireName);
  if (known === undefined) throw new Error(`no job ${wireName}`);
  return defineJob({
    name: `test-${wireName}`,
    doc: '',
    wire: known.wire,
    mailbox,
    attempts: 1,
    timeoutSeconds: 60,
    progressUnit: 'records',
  });
};
const labels = standIn('container_labels_job', () => 'labels');
const imported = standIn('import_job', ({ repoId }) => `import/${repoId}`);
const endless = standIn('trim_whitespace_job', () => 'endless');
const declarations = new Map([labels, imported, endless].map((declaration) => [declaration.wire.name, declaration]));

const handlers = [
  defineHandler(labels, async ({ job, params }, context) => {
    context.log('Grüße');
    context.log(JSON.stringify({ job, params, user: context.caller.username }));
    const blob = await writeBlob(context.database, [Buffer.from('a\tb\n')], { fileName: 'labels.tsv' });
    await context.transaction(async (tx) => {
      await context.addOutputFile(tx, blob.id);
      await context.createdRecords(tx, [
        '/repositories/2/accessions/1',
        '/repositories/2/collection_management/1',
        '/repositories/2/accessions/2',
      ]);
      await context.complete(tx, null);
    });
  }),
  defineHandler(imported, async (_payload, context) => {
    for (const file of await context.files())
      context.log(`${file.fileName}: ${Buffer.concat(await Array.fromAsync(readBlob(context.database, file.blobId)))}`);
  }),
  defineHandler(endless, async (_payload, context) => {
    context.log('begun');
    for (const done of [10, 20]) context.progress({ label: 'Trimming', done, total: 100 });
    await new Promise((_resolve, reject) => {
      context.signal.throwIfAborted();
      context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
  }),
];

let testDatabase: TestDatabase;
let connected: Connected;
let server: TestServer;
let worker: Worker;

beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
  await connected.database.transaction((tx) =>
    tx.run(sql`INSERT INTO record (kind, id, label, body)
      SELECT 'repository', id, 'R', '{"jsonmodel_type":"repository"}' FROM unnest(ARRAY[2, 3]) AS u (id)`),
  );
  const grants: Record<string, readonly string[]> = {
    all: ['view_repository', 'create_job', 'cancel_job', 'import_records'],
    plain: ['view_repository', 'create_job', 'cancel_job'],
    viewer: ['view_repository'],
  };
  const callerNamed = (username: string): Caller => ({
    userId: 1,
    username,
    agentUri: null,
    grants: new Map([2, 3].map((repoId) => [repoId, new Set(grants[username])])),
  });
  worker = await startTestWorker(connected, {
    handlers,
    readCaller: async (_reader, owner) => callerNamed(owner ?? ''),
  });
  const importTypes = jobTypeRoutes.filter(({ path }) => path.endsWith('/import_types'));
  const routes = [...makeNewJobRoutes(declarations), makeJobTypesRoute(declarations), ...importTypes];
  server = await startServer([...routes, ...jobRoutes, ...jobFileRoutes], {
    services: {
      database: connected.database,
      listener: connected.listener,
      sessions: {
        hold: () => () => undefined,
        read: async (token) => ({
          kind: 'ok',
          digest: '',
          session: { token, expirable: true },
          caller: callerNamed(token),
        }),
      },
    },
  });
});
afterAll(async () => {
  await worker.stop();
  await server.close();
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

type Reply = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
};
async function ask(method: string, path: string, body?: unknown, token = 'all'): Promise<Reply> {
  const payload = body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };
  const response = await server.fetch(path, { method, headers: { 'X-Service-Session': token }, ...payload });
  const text = await response.text();
  const parsed: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {};
  // Replies of these routes are JSON objects and arrays; tests say which.
  return { status: response.status, body: parsed as Record<string, unknown>, text, headers: response.headers };
}
const job = (type: string, given: object = {}, more: object = {}) => ({
  jsonmodel_type: 'job',
  job: { jsonmodel_type: type, ...given },
  ...more,
});
const R = '/repositories/2';
async function start(body: object, path = `${R}/jobs`): Promise<{ id: number; uri: string }> {
  const { status, body: reply } = await ask('POST', path, body);
  expect({ status, reply }).toMatchObject({ status: 200, reply: { status: 'Created' } });
  return { id: Number(reply['id']), uri: String(reply['uri']) };
}
const until = async (uri: string, status: string): Promise<Reply> => {
  await expect.poll(async () => (await ask('GET', uri)).body['status']).toBe(status);
  return ask('GET', uri);
};
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('starting a job', () => {
  it('answers with the envelope, runs it, and shows it as on the wire', async () => {
    const params = JSON.stringify({ from: '1900' });
    const reply = await ask(
      'POST',
      `${R}/jobs`,
      job('container_labels_job', { source: '/repositories/2/resources/1', more: 1 }, { job_params: params }),
    );
    const id = Number(reply.body['id']);
    expect(reply.body).toEqual({
      status: 'Created',
      id,
      lock_version: 0,
      stale: null,
      uri: `${R}/jobs/${id}`,
      warnings: [],
    });
    const { body } = await until(`${R}/jobs/${id}`, 'completed');
    expect(body).toEqual({
      lock_version: expect.any(Number),
      job_type: 'container_labels_job',
      status: 'completed',
      owner: 'all',
      jsonmodel_type: 'job',
      uri: `${R}/jobs/${id}`,
      time_submitted: time,
      time_started: time,
      time_finished: time,
      job_params: JSON.stringify(params),
      inactive_record: false,
      has_modified_records: true,
      job: { jsonmodel_type: 'container_labels_job', source: '/repositories/2/resources/1', format: 'tsv' },
      repository: { ref: R },
      created_by: 'all',
      last_modified_by: 'all',
      create_time: iso,
      system_mtime: iso,
      user_mtime: iso,
    });
    const log = await ask('GET', `${R}/jobs/${id}/log`);
    expect(log.text).toContain('"params":{"from":"1900"},"user":"all"');
    expect(log.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    // The offset is in bytes: "ü" and "ß" are two each.
    expect((await ask('GET', `${R}/jobs/${id}/log?offset=7`)).text.startsWith('\n{')).toBe(true);
    expect((await ask('GET', `${R}/jobs/${id}/log?offset=99999`)).text).toBe('');
    const files = (await ask('GET', `${R}/jobs/${id}/output_files`)).body;
    expect(files).toEqual([expect.any(Number)]);
    const file = await ask('GET', `${R}/jobs/${id}/output_files/${String(Object.values(files)[0])}`);
    expect([file.text, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'a\tb\n',
      'application/octect-stream',
      'attachment; filename="labels.tsv"',
    ]);
    expect((await ask('GET', `${R}/jobs/${id}/output_files/999`)).status).toBe(404);
    // Canceling what has ended changes nothing.
    expect((await ask('POST', `${R}/jobs/${id}/cancel`)).body).toEqual({
      status: 'Updated',
      id,
      lock_version: body['lock_version'],
      stale: null,
    });
    expect((await ask('GET', `${R}/jobs/${id}`)).body).toEqual(body);
    expect((await ask('GET', `${R}/jobs/${id}/records?page=1`)).body).toEqual({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 2,
      results: [
        { record: { ref: '/repositories/2/accessions/2' } },
        { record: { ref: '/repositories/2/accessions/1' } },
      ],
    });
    // Records of a job have no ids of their own: in the other forms of a listing they are the first page, as large as it may be.
    for (const form of ['all_ids=true', 'id_set=1'])
      expect((await ask('GET', `${R}/jobs/${id}/records?${form}`)).body).toMatchObject({ this_page: 1, total: 2 });
    expect((await ask('GET', `${R}/jobs/${id}/records?page=2&page_size=1`)).body).toMatchObject({
      last_page: 2,
      results: [{ record: { ref: '/repositories/2/accessions/1' } }],
    });
  });

  it('takes files of a form, in the order given, and lists them', async () => {
    const form = new FormData();
    form.set('job', JSON.stringify(job('import_job', { filenames: ['one.xml', 'two.xml'], import_type: 'ead_xml' })));
    form.append('files[]', new Blob(['<one/>']), 'one.xml');
    form.append('files[]', new Blob(['<two/>']), 'zweite Größe.xml');
    const reply = await ask('POST', `${R}/jobs_with_files`, form);
    expect(reply).toMatchObject({ status: 200, body: { status: 'Created' } });
    const uri = String(reply.body['uri']);
    const { body } = await until(uri, 'completed');
    expect(body['has_modified_records']).toBeUndefined();
    expect((await ask('GET', `${uri}/log`)).text).toBe('one.xml: <one/>\nzweite Größe.xml: <two/>\n');
    const names = await Promise.all(
      Object.values((await ask('GET', `${uri}/output_files`)).body).map(async (file) =>
        (await ask('GET', `${uri}/output_files/${String(file)}`)).headers.get('content-disposition'),
      ),
    );
    expect(names).toEqual([
      'attachment; filename="one.xml"',
      `attachment; filename="zweite Gr__e.xml"; filename*=UTF-8''zweite%20Gr%C3%B6%C3%9Fe.xml`,
    ]);
  });

  it.each([
    ['a type that nobody knows', job('no_such_job'), 404, 'No runner found for no_such_job'],
    [
      'a type that nothing runs',
      job('container_conversion_job', { format: 'x' }),
      404,
      'No runner found for container_conversion_job',
    ],
    ['a missing parameter', job('container_labels_job'), 400, { source: ['Property is required but was missing'] }],
    [
      'parameters that are no text',
      job('container_labels_job', { source: 'a' }, { job_params: { from: '1900' } }),
      400,
      { job_params: ['Must be a string (you provided a Hash)'] },
    ],
    [
      'a parameter of another type',
      job('container_labels_job', { source: 5 }),
      400,
      { source: ['Must be a string (you provided a Integer)'] },
    ],
    ['no job at all', { jsonmodel_type: 'job' }, 400, { job: ['Property is required but was missing'] }],
  ])('refuses %s', async (_what, body, status, error) => {
    expect(await ask('POST', `${R}/jobs`, body)).toMatchObject({ status, body: { error } });
  });

  it('asks for create_job and for the permissions of the type', async () => {
    expect((await ask('POST', `${R}/jobs`, job('trim_whitespace_job'), 'viewer')).status).toBe(403);
    expect(
      (await ask('POST', `${R}/jobs`, job('import_job', { filenames: ['a'], import_type: 'ead_xml' }), 'plain')).status,
    ).toBe(403);
  });
});

describe('a running job', () => {
  it('is listed as active before the queued ones, is canceled on demand, and lets the next one run', async () => {
    const first = await start(job('trim_whitespace_job'));
    await until(first.uri, 'running');
    const second = await start(job('trim_whitespace_job'));
    const third = await start(job('trim_whitespace_job'));
    const active = Object.values((await ask('GET', `${R}/jobs/active`)).body);
    expect(active).toMatchObject([
      { uri: first.uri, status: 'running' },
      { uri: second.uri, status: 'queued', queue_position: 0 },
      { uri: third.uri, queue_position: 1 },
    ]);
    expect(active[0]).not.toHaveProperty('queue_position');
    // The phase it is in: how far, and once that can be told how fast and how long yet.
    await expect
      .poll(async () => (await ask('GET', first.uri)).body['progress'])
      .toEqual({ label: 'Trimming', done: 20, total: 100, per_second: null, seconds_left: null });
    expect((await ask('POST', `${first.uri}/cancel`, undefined, 'viewer')).status).toBe(403);
    expect((await ask('POST', `${first.uri}/cancel`)).body).toEqual({
      status: 'Updated',
      id: first.id,
      lock_version: expect.any(Number),
      stale: null,
    });
    // At once, although the handler may still be rolling back.
    expect((await ask('GET', first.uri)).body['status']).toBe('canceled');
    await until(second.uri, 'running');
    await ask('POST', `${third.uri}/cancel`);
    expect((await ask('GET', third.uri)).body).toMatchObject({ status: 'canceled', time_finished: time });
    expect((await ask('DELETE', second.uri)).body).toEqual({ status: 'Deleted', id: second.id });
    expect((await ask('GET', second.uri)).status).toBe(404);
    await expect
      .poll(
        async () =>
          (
            await connected.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
            SELECT status FROM job WHERE id = ${second.id}`)
          ).status,
      )
      .toBe('canceled');
    expect((await ask('DELETE', third.uri)).status).toBe(200);
    expect((await ask('POST', `${third.uri}/cancel`)).status).toBe(404);
  });
});

describe('lists', () => {
  it('gives jobs of the repository alone, by status and id, in pages, by ids and as ids', async () => {
    const there = '/repositories/3/jobs';
    const made = [
      await start(job('container_labels_job', { source: 'a' }), there),
      await start(job('container_labels_job', { source: 'b' }), there),
      await start(job('container_labels_job', { source: 'c' }), there),
    ];
    for (const { uri } of made) await until(uri, 'completed');
    const ids = made.map(({ id }) => id);
    expect((await ask('GET', `${there}?all_ids=true`)).body).toEqual(ids);
    const page = (await ask('GET', `${there}?page=2&page_size=2`)).body;
    expect(page).toMatchObject({
      first_page: 1,
      last_page: 2,
      this_page: 2,
      total: 3,
      results: [{ uri: made[2]?.uri }],
    });
    expect(
      Object.values((await ask('GET', `${there}?id_set=${ids[1]},${ids[0]}`)).body).map(
        (item) => (item as { uri: string }).uri,
      ),
    ).toEqual([made[0]?.uri, made[1]?.uri]);
    const archived = (await ask('GET', `${there}/archived?page=1`)).body['results'] as readonly { uri: string }[];
    expect(archived.map(({ uri }) => uri)).toEqual([...made].reverse().map(({ uri }) => uri));
    expect((await ask('GET', `${there}/active`)).body).toEqual([]);
    expect((await ask('GET', `${there}?page=1&modified_since=4000000000`)).body['total']).toBe(0);
    expect((await ask('GET', `${R}/jobs/${ids[0]}`)).status).toBe(404);
  });

  it('tells which job types and import formats there are', async () => {
    expect((await ask('GET', '/job_types')).body).toEqual({
      container_labels_job: { create_permissions: [], cancel_permissions: [] },
      import_job: { create_permissions: ['import_records'], cancel_permissions: ['cancel_importer_job'] },
      trim_whitespace_job: { create_permissions: [], cancel_permissions: [] },
    });
    const formats = Object.values((await ask('GET', `${R}/jobs/import_types`)).body);
    expect(formats).toHaveLength(14);
    expect(formats).toContainEqual({ name: 'ead_xml', description: 'Import EAD records from an XML file' });
  });
});
