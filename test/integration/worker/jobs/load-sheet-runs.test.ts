// Runs of loading a sheet that are cut off, come too late for their owner, meet others, or are long. The handler runs as a worker runs it, with real threads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSheet } from '#domain/jobs/load-sheet.ts';
import type { JsonObject } from '#domain/json.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { Transaction } from '#store/connection/database.ts';
import { readCaller } from '#store/access/grants.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';
import { handler } from '../../../../apps/worker/jobs/load-sheet.ts';
import type { Threads } from '../../../../apps/worker/threads/pool.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { endOfJob, postJob } from '#test/support/api-jobs.ts';
import { counting } from '#test/support/count-statements.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { Table } from '#test/support/sheet-job.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';
import { loadJob } from '#test/support/sheet-loads.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { sharedThreads } from '#test/support/threads.ts';

let api: TestApi;
let threads: Threads;
let repoId: number;
let R: string;
let count = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  threads = await sharedThreads();
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const rows = async (table: string): Promise<number> =>
  (await api.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM ${sql.identifier([table])}`)).n;
async function collection(): Promise<{ readonly id: number; readonly uri: string }> {
  count += 1;
  return (await api.post(`${R}/resources`, resourceBody(`M${count}`, { ead_id: `m-${count}` }))).json;
}
const objects = (uri: string, number: number) =>
  Array.from({ length: number }, (_, n) => ({
    res_uri: uri,
    title: `File ${n}`,
    hierarchy: n % 50 === 0 ? '1' : '2',
    level: 'file',
    begin: '1900',
    n_scopecontent: `What file ${n} is about`,
    people_agent_header_1: `Person ${uri} ${n % 40}`,
    subject_1_term: `Term ${uri} ${n % 30}`,
    cont_instance_type: 'text',
    type_1: 'box',
    indicator_1: String(Math.floor(n / 20)),
    type_2: 'folder',
    indicator_2: String(n),
  }));
type Given = {
  readonly payload: {
    readonly repoId: number;
    readonly actor: string;
    readonly job: Record<string, string>;
    readonly params: Record<string, number>;
  };
  readonly around: Partial<JobContext>;
};
async function given(table: Table, id: number, more: Record<string, string> = {}): Promise<Given> {
  const blob = await writeBlob(api.database, [csv(table)]);
  const around = {
    caller: await readCaller(api.database.reader, 'admin'),
    threads,
    files: async () => [
      { id: 1, blobId: blob.id, role: 'input', fileName: 'x.csv', mediaType: null, sizeBytes: blob.sizeBytes },
    ],
  };
  return {
    around,
    payload: { repoId, actor: 'admin', job: { content_type: 'csv', load_type: 'ao', ...more }, params: { rid: id } },
  };
}

test('leaves nothing where it is killed before its commit, and may then run again', async () => {
  const { id, uri } = await collection();
  const { payload, around } = await given(sheetOf(objects(uri, 60)), id);
  const before = [
    await rows('record'),
    await rows('link'),
    await rows('change'),
    await rows('tree_node'),
    await rows('job_record'),
  ];
  await expect(killedOnce(api.database, loadSheet, handler, payload, around)).rejects.toThrow('killed');
  expect([
    await rows('record'),
    await rows('link'),
    await rows('change'),
    await rows('tree_node'),
    await rows('job_record'),
  ]).toEqual(before);
  expect(await runHandler(api.database, loadSheet, handler, payload, around)).toEqual({
    rows: 60,
    created: { archival_object: 60, agent_person: 40, subject: 30, top_container: 3 },
  });
  const [node] = (await api.get(`${R}/resources/${id}/tree/waypoint?offset=0`)).json;
  const digital = await given(sheetOf([{ res_uri: uri, ao_uri: node.uri, digital_object_title: 'Scan' }]), id, {
    load_type: 'digital',
  });
  await expect(killedOnce(api.database, loadSheet, handler, digital.payload, digital.around)).rejects.toThrow('killed');
  expect((await api.get(node.uri)).json).toMatchObject({ lock_version: 0 });
  expect(await runHandler(api.database, loadSheet, handler, digital.payload, digital.around)).toEqual({
    rows: 1,
    created: { digital_object: 1 },
  });
  expect((await api.get(node.uri)).json.instances).toHaveLength(2);
});

test('keeps one report of a sheet that is refused, however often it runs', async () => {
  const { id, uri } = await collection();
  const { payload, around } = await given(sheetOf([{ res_uri: uri, title: 'x', hierarchy: '2', level: 'file' }]), id);
  const blobs = await rows('job_file');
  await expect(runHandler(api.database, loadSheet, handler, payload, around)).rejects.toThrow(
    '1 cells or rows are wrong',
  );
  expect(await rows('job_file')).toBe(blobs + 1);
  const output = {
    id: 2,
    blobId: '00000000-0000-4000-8000-000000000000',
    role: 'output',
    fileName: 'report.csv',
    mediaType: 'text/csv',
    sizeBytes: 1,
  };
  const files = async () => [...((await around.files?.()) ?? []), output];
  await expect(runHandler(api.database, loadSheet, handler, payload, { ...around, files })).rejects.toThrow(
    '1 cells or rows are wrong',
  );
  expect(await rows('job_file')).toBe(blobs + 1);
});

test('tells the row of an identifier that came into use after the sheet was checked', async () => {
  const { id, uri } = await collection();
  const { payload, around } = await given(
    sheetOf(
      ['One', 'Two'].map((title) => ({
        res_uri: uri,
        title,
        hierarchy: '1',
        level: 'file',
        cont_instance_type: 'text',
        indicator_1: title,
        barcode: `late-${title}`,
      })),
    ),
    id,
  );
  // Called as what it stands for, so it has that type.
  const run = (async (name: 'planSheetLoad', task: never) => {
    const value = await threads.run(name, task);
    if (name === 'planSheetLoad')
      expect((await api.post(`${R}/top_containers`, { indicator: '1', barcode: 'late-Two' })).status).toBe(200);
    return value;
  }) as Threads['run'];
  const ending: JsonObject = await runHandler(api.database, loadSheet, handler, payload, {
    ...around,
    threads: { ...threads, run },
  }).then(
    () => ({}),
    (error) => error.error,
  );
  expect(ending).toMatchObject({ faults: [{ sheet: null, row: 5, column: 'barcode' }] });
});

test('does not run for an owner who has lost the right since', async () => {
  const { id, uri } = await collection();
  const group = (
    await api.post(`${R}/groups`, {
      group_code: 'loaders',
      description: 'd',
      grants_permissions: ['create_job', 'view_repository', 'import_records'],
    })
  ).json.uri;
  expect((await api.post('/users?password=secret', { username: 'loader', name: 'Loader' })).status).toBe(200);
  const { json } = await api.get(group);
  await api.post(group, { ...json, member_usernames: ['loader'] });
  const table = csv(sheetOf(objects(uri, 2)));
  const posted = await postJob(api, repoId, loadJob(id), {
    params: { rid: id },
    file: { name: 'sheet', content: table },
    session: await api.login('loader', 'secret'),
  });
  expect(posted.status, posted.text).toBe(200);
  const now = (await api.get(group)).json;
  expect((await api.post(group, { ...now, grants_permissions: ['create_job', 'view_repository'] })).status).toBe(200);
  const connected = connect(api.databaseUrl);
  const worker = await startTestWorker(connected, { handlers: [handler], threads, readCaller });
  try {
    expect(await endOfJob(api, posted.json.uri)).toMatchObject({
      status: 'failed',
      records: [],
      log: expect.stringContaining('import_records'),
    });
  } finally {
    await worker.stop();
    await connected[Symbol.asyncDispose]();
  }
});

test('takes as many statements for five thousand rows as for fifty, but for those of a megabyte of records more', async () => {
  const statements = async (number: number): Promise<number> => {
    const { id, uri } = await collection();
    const { payload, around } = await given(sheetOf(objects(uri, number)), id);
    // A reader is what a transaction reads with.
    const reading = counting(api.database.reader as Transaction);
    const database = new Proxy(api.database, {
      get: (target, name) => {
        const value: unknown = name === 'reader' ? reading.tx : Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const counts = [reading.count];
    const counted = (context: JobContext): JobContext => ({
      ...context,
      database,
      transaction: (work, options) =>
        context.transaction((tx) => {
          const through = counting(tx);
          counts.push(through.count);
          return work(through.tx);
        }, options),
    });
    expect(
      await runHandler(
        api.database,
        loadSheet,
        { ...handler, run: (given, context) => handler.run(given, counted(context)) },
        payload,
        around,
      ),
    ).toMatchObject({ rows: number });
    return counts.reduce((sum, each) => sum + each(), 0);
  };
  const few = await statements(50);
  const many = await statements(5000);
  expect(few).toBeLessThan(70);
  // Half a megabyte of records is a block, with a few statements of its own; and the file is read in pieces.
  expect(many - few).toBeLessThan(25);
});
