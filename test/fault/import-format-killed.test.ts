// A worker that is killed in the middle of the import of a file leaves nothing half stored; the job runs again and completes.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NumberRow, column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { openImportJobs } from '../support/import-job.ts';
import type { ImportJobs } from '../support/import-job.ts';
import { amount } from '../support/long.ts';
import { marcField as field, marcRecord } from '../support/marc-document.ts';

let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs({ worker: false });
});
afterAll(() => imports[Symbol.asyncDispose]());

const resources = amount(600, 1500);

test('a kill -9 while MARCXML is imported leaves nothing half stored, and the job runs again', async () => {
  const records = Array.from({ length: resources }, (_, n) =>
    marcRecord(
      `${field('245', '1', '0', { a: `Papers ${n}`, f: '1900' })}${field('099', ' ', ' ', { a: `K${n}` })}${field('300', ' ', ' ', { a: '3 volumes' })}`,
    ).replace(/^<\?xml[^>]*>/, ''),
  );
  const first = await imports.spawnWorker();
  const ending = imports.runJob([`<collection>${records.join('')}</collection>`], { import_type: 'marcxml' });
  await expect
    .poll(
      async () =>
        (
          await imports.connected.database.reader.one(sql.type(NumberRow)`
            SELECT count(*)::int AS n FROM job WHERE status = 'running'`)
        ).n,
    )
    .toBe(1);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  expect(
    (
      await imports.connected.database.reader.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM record WHERE kind = 'resource'`)
    ).n,
  ).toBe(0);
  await imports.spawnWorker();
  const ended = await ending;
  expect(ended.value, ended.log.slice(-1000)).toMatchObject({ created: { resource: resources } });
  expect(ended.records).toHaveLength(resources);
  expect(
    (
      await imports.connected.database.reader.one(sql.type(z.strictObject({ attempts: column.int }))`
        SELECT attempts FROM job WHERE id = ${ended.jobId}`)
    ).attempts,
  ).toBe(2);
});
