// A worker that is killed in the middle of a load, or of one over it, leaves nothing half stored; the job runs again and completes.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { z } from 'zod';
import type { TestApi } from '../support/api.ts';
import { startTestApi } from '../support/api.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { endOfGlobalJob } from '../support/loads.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const accessions = 12_000;
const R = '/repositories/7';

const count = async (): Promise<number> =>
  (
    await api.database.reader.one(
      sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE kind IN ('repository', 'accession') AND id > 1`,
    )
  ).n;

test('a kill -9 while records are loaded leaves nothing half stored, and the job runs again', async () => {
  const lines = [
    ...Array.from({ length: accessions }, (_, n) => ({
      jsonmodel_type: 'accession',
      uri: `${R}/accessions/${n + 100}`,
      id_0: `A${n}`,
      title: `Papers ${n}`,
      accession_date: '2001-01-01',
      lock_version: n % 3,
      create_time: '2001-02-03T04:05:06Z',
    })),
    { jsonmodel_type: 'repository', uri: R, repo_code: 'OLD', name: 'Old', lock_version: 5 },
  ];
  const first = await spawnImportWorker(api.databaseUrl);
  const reply = await api.ask('/system/load', { body: lines.map((line) => JSON.stringify(line)).join('\n') });
  expect(reply.status, reply.text).toBe(202);
  // In the middle: the job tells how far it is.
  await expect
    .poll(async () => (await api.get(reply.json.uri)).json.progress?.label, { interval: 20 })
    .toMatch(/addresses|Storing|Settling/);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  expect(await count()).toBe(0);
  const second = await spawnImportWorker(api.databaseUrl);
  try {
    const ended = await endOfGlobalJob(api, reply.json.uri);
    expect(ended.log).toContain(`Loaded: ${accessions + 1} records`);
    expect(ended.status).toBe('completed');
  } finally {
    second.process.kill('SIGKILL');
  }
  expect(await count()).toBe(accessions + 1);
  expect((await api.get(`${R}/accessions/102`)).json).toMatchObject({
    title: 'Papers 2',
    lock_version: 2,
    create_time: '2001-02-03T04:05:06Z',
  });
  const { attempts } = await api.database.reader.one(sql.type(z.strictObject({ attempts: column.int }))`
    SELECT attempts FROM job WHERE type = 'load-records'`);
  expect(attempts).toBe(2);
  expect((await checkDatabase(api.database)).filter((flaw) => flaw.count > 0)).toEqual([]);
});

test('a kill -9 while an update is loaded leaves what was there, and the job runs again', async () => {
  const changed = (n: number): object => ({
    jsonmodel_type: 'accession',
    uri: `${R}/accessions/${n + 100}`,
    id_0: `A${n}`,
    title: `Papers ${n}, put right`,
    accession_date: '2001-01-01',
    lock_version: 9,
  });
  const lines = [
    ...Array.from({ length: accessions - 1 }, (_, n) => changed(n)),
    changed(accessions),
    { uri: `${R}/accessions/${accessions + 99}`, at: null },
  ];
  const first = await spawnImportWorker(api.databaseUrl);
  const reply = await api.ask('/system/load?update=true', {
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(reply.status, reply.text).toBe(202);
  // Later than the first pass: the old records have been taken out by then.
  await expect
    .poll(async () => (await api.get(reply.json.uri)).json.progress?.label, { interval: 20 })
    .toMatch(/Storing|Settling/);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  expect(await count()).toBe(accessions + 1);
  expect((await api.get(`${R}/accessions/102`)).json).toMatchObject({ title: 'Papers 2', lock_version: 2 });
  expect((await api.get(`${R}/accessions/${accessions + 99}`)).status).toBe(200);
  expect((await api.get(`${R}/accessions/${accessions + 100}`)).status).toBe(404);
  const second = await spawnImportWorker(api.databaseUrl);
  try {
    const ended = await endOfGlobalJob(api, reply.json.uri);
    expect(ended.status, ended.log).toBe('completed');
  } finally {
    second.process.kill('SIGKILL');
  }
  expect(await count()).toBe(accessions + 1);
  expect((await api.get(`${R}/accessions/102`)).json).toMatchObject({ title: 'Papers 2, put right', lock_version: 9 });
  expect((await api.get(`${R}/accessions/${accessions + 99}`)).status).toBe(404);
  expect((await api.get(`${R}/accessions/${accessions + 100}`)).status).toBe(200);
  expect((await checkDatabase(api.database)).filter((flaw) => flaw.count > 0)).toEqual([]);
});
