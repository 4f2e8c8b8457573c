// A worker that is killed in the middle of a load, or of one over it, leaves nothing half stored; the job runs again and completes.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { z } from 'zod';
import type { TestApi } from '../support/api.ts';
import { startTestApi } from '../support/api.ts';
import { holding } from '../support/held-table.ts';
import type { ImportWorker } from '../support/import-worker.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { endOfGlobalJob } from '../support/loads.ts';
import { amount } from '../support/long.ts';

let api: TestApi;
let worker: ImportWorker;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  worker = await spawnImportWorker(api.databaseUrl, amount(1, 2));
});
afterAll(async () => {
  worker.process.kill('SIGKILL');
  await api[Symbol.asyncDispose]();
});

const accessions = amount(1500, 12_000);
const R = '/repositories/7';

const count = async (): Promise<number> =>
  (
    await api.database.reader.one(
      sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE kind IN ('repository', 'accession') AND id > 1`,
    )
  ).n;

/** Asks for a load, and kills the worker once all of it is written and nothing of it for good: the change log, which comes last, is held. */
async function killWhileLoading(path: string, lines: readonly object[]): Promise<string> {
  return holding(api.database, { table: 'change', against: 'writers' }, async (isMet) => {
    const reply = await api.ask(path, { body: lines.map((line) => JSON.stringify(line)).join('\n') });
    expect(reply.status, reply.text).toBe(202);
    await isMet();
    // Told a moment later, since progress is stored now and then.
    await expect.poll(async () => (await api.get(reply.json.uri)).json.progress?.label).toBe('Settling');
    worker.process.kill('SIGKILL');
    await once(worker.process, 'exit');
    return String(reply.json.uri);
  });
}

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
  const job = await killWhileLoading('/system/load', lines);
  expect(await count()).toBe(0);
  worker = await spawnImportWorker(api.databaseUrl, amount(1, 2));
  const ended = await endOfGlobalJob(api, job);
  expect(ended.log).toContain(`Loaded: ${accessions + 1} records`);
  expect(ended.status).toBe('completed');
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
  // The old records have been taken out by then.
  const job = await killWhileLoading('/system/load?update=true', lines);
  expect(await count()).toBe(accessions + 1);
  expect((await api.get(`${R}/accessions/102`)).json).toMatchObject({ title: 'Papers 2', lock_version: 2 });
  expect((await api.get(`${R}/accessions/${accessions + 99}`)).status).toBe(200);
  expect((await api.get(`${R}/accessions/${accessions + 100}`)).status).toBe(404);
  worker = await spawnImportWorker(api.databaseUrl, amount(1, 2));
  const ended = await endOfGlobalJob(api, job);
  expect(ended.status, ended.log).toBe('completed');
  expect(await count()).toBe(accessions + 1);
  expect((await api.get(`${R}/accessions/102`)).json).toMatchObject({ title: 'Papers 2, put right', lock_version: 9 });
  expect((await api.get(`${R}/accessions/${accessions + 99}`)).status).toBe(404);
  expect((await api.get(`${R}/accessions/${accessions + 100}`)).status).toBe(200);
  expect((await checkDatabase(api.database)).filter((flaw) => flaw.count > 0)).toEqual([]);
});
