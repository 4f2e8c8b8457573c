// What happens where the disk of the database has little diskSpace: imports are refused before they write, their indexing waits, all else goes on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { Database } from '#store/connection/database.ts';
import { openDiskSpace, spaceOfImport, spaceOfUpload } from '#store/files/disk-space.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { endOfJob, postJob } from '#test/support/api-jobs.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';
import { resourceBody } from '#test/support/records.ts';

// A million gigabytes, which no disk of these tests has.
const tooMuch = { MUNIMENT_DISK_RESERVE_MB: '1000000000' };
let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ environment: tooMuch });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const stored = async (): Promise<unknown> =>
  api.database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT count(*)::int FROM blob) AS blobs, (SELECT count(*)::int FROM record WHERE kind = 'accession') AS accessions`);
const little = /^The disk of the database has \d+ MB left\. .*1000000000 MB are kept for other work\.$/;

test('a batch import is refused before its upload is stored, and says what room there is', async () => {
  const before = await stored();
  const reply = await api.ask(`/repositories/${repoId}/batch_imports`, {
    method: 'POST',
    body: JSON.stringify([{ jsonmodel_type: 'accession', uri: '/a/1', id_0: 'A', accession_date: '2020-01-01' }]),
  });
  expect(reply.status).toBe(507);
  expect(reply.json).toEqual({ error: expect.stringMatching(little) });
  expect(await stored()).toEqual(before);
});

test('so is a job with files', async () => {
  const before = await stored();
  const content = marcRecord(
    `${marcField('245', '1', '0', { a: 'Papers', f: '1900' })}${marcField('099', ' ', ' ', { a: 'M1' })}${marcField('300', ' ', ' ', { a: '3 volumes' })}`,
  );
  const reply = await postJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', filenames: ['a.xml'], import_type: 'marcxml' },
    { file: { name: 'a.xml', content } },
  );
  expect([reply.status, reply.json]).toEqual([507, { error: expect.stringMatching(little) }]);
  expect(await stored()).toEqual(before);
});

test('a job that would import ends at once, and its log says why', async () => {
  const source = await api.create(`/repositories/${repoId}/resources`, resourceBody('COPY'));
  const { uri } = ok(await postJob(api, repoId, { jsonmodel_type: 'resource_duplicate_job', source }));
  expect(await endOfJob(api, uri)).toMatchObject({ status: 'failed' });
  expect((await api.get(`${uri}/log`)).text).toMatch(/The disk of the database has \d+ MB left/);
  expect(
    await api.database.reader.one(sql.type(AnyRow)`
      SELECT attempts FROM job WHERE id = ${Number(String(uri).split('/').at(-1))}`),
  ).toEqual({ attempts: 1 });
});

test('records are written and found all the same; what was imported is indexed when there is room', async () => {
  const uri = await api.create(`/repositories/${repoId}/resources`, resourceBody('ROOM', { title: 'Quoll papers' }));
  await expect
    .poll(async () => (await api.get(`/repositories/${repoId}/search?page=1&q=quoll`)).json.total_hits)
    .toBe(1);
  const before = await api.database.reader.any(sql.type(AnyRow)`SELECT xmin::text FROM search_doc`);
  const { json } = await api.post('/system/reindex?rewrite=true');
  await expect.poll(async () => (await api.get(json.uri)).json.progress?.label).toBe('Indexing');
  // What else was saved before may be found only now; what was there is as it was.
  expect(await api.database.reader.any(sql.type(AnyRow)`SELECT xmin::text FROM search_doc`)).toEqual(
    expect.arrayContaining([...before]),
  );
  ok(await api.post(`${json.uri}/cancel`));
  expect((await api.get(uri)).status).toBe(200);
});

test('room is looked for where the disk is ours to look at', async () => {
  const require = async (database: Database, reserveBytes: number, bytes?: number): Promise<unknown> =>
    (await openDiskSpace(database.reader, reserveBytes)).require(bytes).then(
      () => 'enough',
      (error: unknown) => (error instanceof Failure ? [error.code, error.status] : error),
    );
  expect(await require(api.database, 1)).toBe('enough');
  expect(await require(api.database, 1, 1e15)).toEqual(['disk_full', 507]);
  expect(await require(api.database, 1e15)).toEqual(['disk_full', 507]);
  expect(await require(api.database, 0, 1e15)).toBe('enough');
  // Who may not know where the data lies cannot look: as where the server is another machine's.
  await api.database.transaction((tx) => tx.run(sql`CREATE ROLE plain_reader LOGIN`));
  const url = new URL(api.databaseUrl);
  url.username = 'plain_reader';
  {
    await using plain = new Database({ url: url.href, poolSize: 1 });
    expect(await require(plain, 1e15)).toBe('enough');
  }
  await api.database.transaction((tx) => tx.run(sql`DROP ROLE plain_reader`));
  expect([spaceOfImport(1000), spaceOfUpload(1000)]).toEqual([3250, 4250]);
});
