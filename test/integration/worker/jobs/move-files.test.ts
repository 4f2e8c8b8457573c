// Moving files into an S3-compatible storage and back, through HTTP and by a real worker: whole, resumable, while they are read; and what fails.
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { moveFiles } from '#domain/jobs/move-files.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { checkFiles } from '#store/check/files.ts';
import { Database } from '#store/connection/database.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import { sweepObjects } from '#store/files/objects.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { amount } from '#test/support/long.ts';
import { openNetwork } from '#test/support/network.ts';
import type { Network } from '#test/support/network.ts';
import { runHandler } from '#test/support/run-handler.ts';
import type { S3Server } from '#test/support/s3-server.ts';
import { startS3, storageOf } from '#test/support/s3-server.ts';
import { handler } from '../../../../apps/worker/jobs/move-files.ts';

let s3: S3Server;
let network: Network;
let api: TestApi;
/** The same database, whose new files are its rows. */
let rows: Database;
beforeAll(async () => {
  s3 = await startS3();
  network = await openNetwork({ host: '127.0.0.1', port: s3.port });
  const environment = { ...s3.environment(network.port), MUNIMENT_FILES_KEEP_DAYS: '0' };
  api = await startTestApi({ worker: 'jobs', environment });
  const files = storageOf({ ...environment, MUNIMENT_FILES_NEW: 'database' });
  rows = new Database({ url: api.databaseUrl, poolSize: 4, files });
});
afterAll(async () => {
  await rows[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});
afterEach(async () => {
  network.heal();
  await api.database.transaction((tx) => tx.run(sql`DELETE FROM job_file`));
  await api.database.transaction((tx) => tx.run(sql`DELETE FROM blob`));
  // Swept until nothing is left: what was given up may come to its end in the storage a moment later, which the next sweep removes.
  await expect
    .poll(async () => {
      await sweepObjects(api.database);
      return s3.objects();
    })
    .toEqual([]);
});

/** Files of several sizes in the database: of nothing, of a few bytes, of a chunk and a bit; uploads of several parts are those of other tests. */
async function filesInRows(sizes = [0, 10, 300_000, amount(600_000, 9_000_000)]): Promise<ReadonlyMap<string, Buffer>> {
  const made = new Map<string, Buffer>();
  for (const size of sizes) {
    const bytes = randomBytes(size);
    made.set((await writeBlob(rows, [bytes])).id, bytes);
  }
  return made;
}
async function areWhole(files: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [id, bytes] of files)
    expect(Buffer.concat(await Array.fromAsync(readBlob(api.database, id))).equals(bytes)).toBe(true);
}
/** Where the bytes of an object are on the disk. */
const pathOf = async (key: string): Promise<string> =>
  (await s3.objects()).find((object) => object.key.endsWith(key))?.path ?? '';
const Places = z.strictObject({ inside: column.int, outside: column.int, chunks: column.int });
const places = () =>
  api.database.reader.one(sql.type(Places)`
    SELECT count(*) FILTER (WHERE object_key IS NULL) AS inside, count(object_key) AS outside,
      (SELECT count(*) FROM blob_chunk c JOIN blob b ON b.id = c.blob_id WHERE b.object_key IS NOT NULL) AS chunks FROM blob`);
const asked = (to: string): Promise<Reply> => api.post(`/system/files/move?to=${to}`);
const move = async (to: string) => {
  const reply = await asked(to);
  expect(reply.status, reply.text).toBe(202);
  return endOfMove(reply);
};
/** Waits for the end of a job of the service, which is at /jobs. */
async function endOfMove({ json: { uri } }: Reply): Promise<{ readonly status: string; readonly log: string }> {
  for (;;) {
    const { status } = ok(await api.get(uri));
    if (status !== 'queued' && status !== 'running') return { status, log: (await api.get(`${uri}/log`)).text };
    await sleep(25);
  }
}
const inTransaction = { transaction: rowsTransaction };
function rowsTransaction<T>(work: Parameters<Database['transaction']>[0]): Promise<T> {
  return api.database.transaction(work) as Promise<T>;
}

test('moves every file to the storage and back, and tells how many are where', async () => {
  const files = await filesInRows();
  const bytes = 300_010 + amount(600_000, 9_000_000);
  const there = await move('s3');
  expect(there).toMatchObject({ status: 'completed' });
  expect(there.log).toBe(
    `4 files, ${bytes} bytes, to s3://archive/muniment\nmoved: 4 files, ${bytes} bytes; elsewhere still: 0\n`,
  );
  expect(await places()).toEqual({ inside: 0, outside: 4, chunks: 0 });
  await areWhole(files);
  expect(await s3.objects()).toHaveLength(4);
  expect(ok(await api.get('/system/files'))).toEqual({
    storage: 's3://archive/muniment',
    new_files: 'storage',
    places: [{ storage: 's3://archive/muniment', files: 4, bytes }],
    waiting_removals: 0,
  });
  // Again: there is nothing to do.
  expect((await move('s3')).log).toBe(
    '0 files, 0 bytes, to s3://archive/muniment\nmoved: 0 files, 0 bytes; elsewhere still: 0\n',
  );
  expect(await move('database')).toMatchObject({ status: 'completed' });
  expect(await places()).toEqual({ inside: 4, outside: 0, chunks: 0 });
  await areWhole(files);
  expect(ok(await api.get('/system/files')).waiting_removals).toBe(4);
  expect(await sweepObjects(api.database)).toBe(4);
  expect(await checkDatabase(api.database)).toEqual([]);
});

test('files of jobs are fetched from the storage over HTTP; without it the reply is 503, and 500 for one that is damaged', async () => {
  const repo = await api.repository();
  const ended = await runJob(
    api,
    repo,
    { jsonmodel_type: 'import_job', import_type: 'marcxml', filenames: ['a.xml'] },
    { file: { name: 'a.xml', content: '<collection/>' } },
  );
  const [file] = ok(await api.get(`${ended.uri}/output_files`));
  const path = `${ended.uri}/output_files/${file}`;
  expect((await api.get(path)).text).toBe('<collection/>');
  expect(await places()).toMatchObject({ inside: 0 });
  // The bucket may also hold what the import made for itself, until it is swept.
  const { key } = await api.database.reader.one(sql.type(z.strictObject({ key: column.text }))`
    SELECT b.object_key AS key FROM job_file f JOIN blob b ON b.id = f.blob_id WHERE f.id = ${Number(file)}`);
  const place = await pathOf(key);
  await writeFile(place, '<COLLECTION/>');
  const damaged = await api.get(path);
  expect([damaged.status, damaged.json.error]).toEqual([500, 'The file is damaged']);
  await writeFile(place, '<collection/>');
  network.away();
  const away = await api.get(path);
  expect([away.status, away.json.error]).toEqual([503, 'The storage of files cannot be reached']);
  network.heal();
  expect((await api.get(path)).text).toBe('<collection/>');
  network.away();
  const form = new FormData();
  form.set(
    'job',
    JSON.stringify({
      jsonmodel_type: 'job',
      job: { jsonmodel_type: 'import_job', import_type: 'marcxml', filenames: ['a.xml'] },
    }),
  );
  form.append('files[]', new Blob(['<collection/>']), 'a.xml');
  const refused = await api.ask(`/repositories/${repo}/jobs_with_files`, { form });
  expect([refused.status, refused.json.error]).toEqual([503, 'The storage of files cannot be reached']);
});

test.each(['s3', 'database'] as const)(
  'a run that is killed before a commit loses nothing, and the next goes on: to %s',
  async (to) => {
    const files = await filesInRows([10, 300_000, 700_000]);
    if (to === 'database') await move('s3');
    // One transaction before the files, one for each chunk that goes into the database, and one at the end of each file: the second file never gets there.
    let commits = 0;
    const last = to === 's3' ? 3 : 6;
    const dying = async <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
      commits += 1;
      if (commits >= last) throw new Error('killed');
      return api.database.transaction(work) as Promise<T>;
    };
    await expect(runHandler(api.database, moveFiles, handler, { to }, { transaction: dying as never })).rejects.toThrow(
      'killed',
    );
    await areWhole(files);
    const { inside, outside } = await places();
    expect([inside, outside].toSorted()).toEqual([1, 2]);
    expect(await runHandler(api.database, moveFiles, handler, { to }, inTransaction as never)).toMatchObject({
      left: 0,
    });
    expect(await places()).toEqual({ inside: to === 's3' ? 0 : 3, outside: to === 's3' ? 3 : 0, chunks: 0 });
    await areWhole(files);
  },
);

test('a storage that goes away in the middle is waited for', async () => {
  const files = await filesInRows([10, 300_000, 9_000_000]);
  network.slow(20);
  const reply = await asked('s3');
  await expect.poll(async () => (await places()).outside).toBeGreaterThan(0);
  await s3.kill();
  await areInPlace(files);
  await s3.start();
  network.heal();
  expect((await endOfMove(reply)).status).toBe('completed');
  expect(await places()).toEqual({ inside: 0, outside: 3, chunks: 0 });
  await areWhole(files);
});

/** Those that are still in the database are read from there. */
async function areInPlace(files: ReadonlyMap<string, Buffer>): Promise<void> {
  const inside = await api.database.reader.any(
    sql.type(z.strictObject({ id: column.text }))`SELECT id FROM blob WHERE object_key IS NULL`,
  );
  await areWhole(new Map(inside.map(({ id }) => [id, files.get(id) ?? Buffer.alloc(0)])));
}

test('a file is read to its end while it is moved there and back, and one that is removed meanwhile leaves nothing', async () => {
  const bytes = randomBytes(3_000_000);
  const { id } = await writeBlob(rows, [bytes]);
  const reading = readBlob(api.database, id);
  const got = [(await reading.next()).value ?? Buffer.alloc(0)];
  await move('s3');
  got.push((await reading.next()).value ?? Buffer.alloc(0));
  await move('database');
  await sweepObjects(api.database);
  for await (const piece of reading) got.push(piece);
  expect(Buffer.concat(got).equals(bytes)).toBe(true);
  const removing = async <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
    await api.database.transaction((tx) => tx.run(sql`DELETE FROM blob WHERE id = ${id}`));
    return api.database.transaction(work) as Promise<T>;
  };
  expect(
    await runHandler(api.database, moveFiles, handler, { to: 's3' }, { transaction: removing as never }),
  ).toMatchObject({ moved: 0 });
});

test.each(['s3', 'database'] as const)(
  'what else is not found does not pass for a file that is gone: to %s',
  async (to) => {
    const files = await filesInRows([10]);
    if (to === 'database') await move('s3');
    const refusing = () => Promise.reject(fail('not_found', 'Something else'));
    await expect(runHandler(api.database, moveFiles, handler, { to }, { transaction: refusing })).rejects.toThrow(
      'Something else',
    );
    await areWhole(files);
  },
);

test('nothing is moved into a database whose disk has no room for it, and into the storage all is', async () => {
  const files = await filesInRows([10, 300_000]);
  const options = { importFaults: 1, eadAgents: 'external', customReports: false, diskReserveBytes: 1e15 } as const;
  expect(await runHandler(api.database, moveFiles, handler, { to: 's3' }, { options })).toMatchObject({ moved: 2 });
  await expect(runHandler(api.database, moveFiles, handler, { to: 'database' }, { options })).rejects.toMatchObject({
    code: 'disk_full',
  });
  expect(await places()).toEqual({ inside: 0, outside: 2, chunks: 0 });
  await areWhole(files);
});

test('an object that was altered is not moved back, and others are: the job fails, the object stays, and the check names it', async () => {
  const files = await filesInRows([10, 20, 30, 300_000, 40]);
  const [altered = ''] = [...files].find(([, { length }]) => length === 300_000) ?? [];
  const others = new Map([...files].filter(([id]) => id !== altered));
  await move('s3');
  const { key } = await api.database.reader.one(
    sql.type(z.strictObject({ key: column.text }))`SELECT object_key AS key FROM blob WHERE id = ${altered}`,
  );
  const path = await pathOf(key);
  const bytes = await readFile(path);
  await writeFile(path, Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)]));
  const { status, log } = await move('database');
  expect(status).toBe('failed');
  expect(log).toContain(`damaged, not moved: ${altered}`);
  expect(await places()).toMatchObject({ inside: 4, outside: 1 });
  await areWhole(others);
  const storage = api.database.settings.files ?? null;
  expect((await checkFiles(api.database, storage, false)).violations).toEqual([]);
  expect((await checkFiles(api.database, storage, true)).violations).toMatchObject([
    { says: 'files whose object is not what was stored', count: 1 },
  ]);
  await rm(path);
  expect(await checkFiles(api.database, storage, false)).toMatchObject({
    violations: [
      {
        says: 'files whose object is not in the storage',
        count: 1,
        examples: [expect.stringContaining(altered)],
      },
    ],
    unknownObjects: 0,
  });
  expect((await checkFiles(api.database, null, false)).violations).toMatchObject([{ count: 1 }]);
});
