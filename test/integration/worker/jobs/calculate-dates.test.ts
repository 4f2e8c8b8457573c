// The date calculator above a thousand components: a job, whose value is the reply that a smaller record gets at once; refused before it is made,
// killed before its end, and run twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { directComponents } from '#domain/calculators/calculated.ts';
import { calculateDates } from '#domain/jobs/calculate-dates.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/calculate-dates.ts';
import type { Threads } from '../../../../apps/worker/threads/pool.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { sharedThreads } from '#test/support/threads.ts';

let api: TestApi;
let repoId = 0;
let large = '';
let threads: Threads;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  threads = await sharedThreads();
  repoId = await api.repository();
  large = await largeTree(api, repoId, {
    code: 'LARGE',
    count: directComponents,
    bodyOf: (n) => ({
      dates: [
        {
          date_type: 'inclusive',
          label: n % 2 === 0 ? 'creation' : 'issued',
          begin: `${1800 + (n % 100)}`,
          end: '1950-02',
        },
      ],
    }),
  });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const asked = (query: Record<string, string>, headers: Record<string, string> = {}, session = api.session) =>
  api.ask(`/date_calculator?${new URLSearchParams(query)}`, { headers, session });
const jobs = () =>
  api.database.reader.any(sql.type(z.strictObject({ id: column.int, visible: column.bool }))`
    SELECT id, visible FROM job WHERE type = 'calculate-dates' ORDER BY id`);

test('a thousand components are calculated at once, one more by a job, with the same reply', async () => {
  const direct = await asked({ record_uri: large });
  expect([direct.status, await jobs()]).toEqual([200, []]);
  await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'One more',
    level: 'file',
    resource: { ref: large },
  });
  const byJob = await asked({ record_uri: large });
  expect([byJob.status, byJob.headers.get('content-type'), byJob.text]).toEqual([
    200,
    direct.headers.get('content-type'),
    direct.text,
  ]);
  expect(direct.json).toMatchObject({ label: null, min_begin: '1800', max_end: '1950-02', max_end_date: '1950-02-28' });
  expect(await asked({ record_uri: large, label: 'issued' })).toMatchObject({
    json: { label: 'issued', min_begin: '1801' },
  });
  expect(await jobs()).toMatchObject([{ visible: false }, { visible: false }]);
});

test('whoever does not wait finds the reply at the job', async () => {
  const reply = await asked({ record_uri: large }, { prefer: 'respond-async' });
  expect(reply.status).toBe(202);
  const ended = await endOfJob(api, reply.json.uri);
  expect(ended).toMatchObject({ status: 'completed', result: ok(await asked({ record_uri: large })) });
  // A small record is answered all the same.
  const small = await largeTree(api, repoId, { code: 'SMALL', count: 1 });
  expect((await asked({ record_uri: small }, { prefer: 'respond-async' })).status).toBe(200);
});

test('refusals come before the job', async () => {
  const before = await jobs();
  expect((await asked({ record_uri: large }, {}, await api.userWith(['create_job'], repoId))).status).toBe(403);
  expect((await asked({ record_uri: `${large}999` })).status).toBe(404);
  expect((await asked({ record_uri: `/repositories/${repoId}/accessions/1` })).status).toBe(400);
  expect(await jobs()).toEqual(before);
});

test('killed before its end it tells nothing, and each further run tells the same; a record that is gone is told', async () => {
  const at = await api.repository();
  const dates = [{ date_type: 'single', label: 'creation', begin: '1800' }];
  const root = await largeTree(api, at, { code: 'Q', count: 2, bodyOf: () => ({ dates }) });
  const around = { caller: await readCaller(api.database.reader, 'admin'), threads };
  const payload = {
    repoId: at,
    kind: 'resource',
    id: idOf(root),
    actor: 'admin',
    label: null,
    withOwn: false,
    wantsSuppressed: false,
  };
  await expect(killedOnce(api.database, calculateDates, handler, payload, around)).rejects.toThrow('killed');
  const first = await runHandler(api.database, calculateDates, handler, payload, around);
  expect(first).toMatchObject({ object: { uri: root }, min_begin: '1800' });
  expect(await runHandler(api.database, calculateDates, handler, payload, around)).toEqual(first);
  await expect(runHandler(api.database, calculateDates, handler, { ...payload, id: 99_999 }, around)).rejects.toThrow(
    'Resource not found',
  );
  const stranger = { ...around, caller: { ...around.caller, grants: new Map() } };
  await expect(runHandler(api.database, calculateDates, handler, payload, stranger)).rejects.toThrow('view_repository');
});
