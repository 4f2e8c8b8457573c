// Every job that a client can cancel, canceled over HTTP while a real worker is in the middle of it: held by somebody's lock, so that it is
// in a statement that would not end by itself. It ends at once, nothing of it stays, and the next job of its mailbox runs.
import { afterAll, expect, test } from 'vitest';
import { jobs } from '#domain/jobs/index.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { changes, finished, isCanceled, jobPlace } from '#test/support/canceled-jobs.ts';
import { holding } from '#test/support/held-table.ts';
import { startS3 } from '#test/support/s3-server.ts';
import { readingJobs } from './jobs-canceled/reading.ts';
import { jobsOfRecords } from './jobs-canceled/records.ts';
import { jobsOfTrees } from './jobs-canceled/trees.ts';

// Those that only read come first: what they read is deleted by others.
const cases = [...readingJobs, ...jobsOfTrees, ...jobsOfRecords];

const s3 = await startS3();
afterAll(async () => s3[Symbol.asyncDispose]());
// Files are in the database, so that there are some to move.
const files = { ...s3.environment(), MUNIMENT_FILES_NEW: 'database' };
const api = await startTestApi({
  worker: 'jobs',
  environment: { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true', ...files },
});
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});
const place = jobPlace(api, await api.repository());

test.each(cases)('$name', async (each) => isCanceled(place, each));

test('a job that waits for another of its mailbox ends at once, and its log says so', async () => {
  const { resource } = await place.tree();
  const sort = place.job('sort_children_job', { parent: resource, sort_by: ['title'] });
  await holding(api.database, changes, async (isMet) => {
    const first = ok(await sort());
    await isMet();
    const second = ok(await sort());
    expect(ok(await api.get(second.uri))).toMatchObject({ status: 'queued', queue_position: 0 });
    ok(await api.post(`${second.uri}/cancel`));
    expect(ok(await api.get(second.uri))).toMatchObject({
      status: 'canceled',
      time_finished: expect.stringMatching(finished),
    });
    expect((await api.get(`${second.uri}/log`)).text).toBe('The job was canceled\n');
    ok(await api.post(`${first.uri}/cancel`));
    expect(await endOfJob(api, first.uri)).toMatchObject({ status: 'canceled' });
  });
});

test('every job that clients can ask for has such a test', () => {
  // Expiry goes by the clock: nobody owns it, and no address leads to it. A migration waits for its source and for no table
  // (test/integration/worker/jobs/migrate-from.test.ts). Indexing anew wants the indexer (indexing-canceled.test.ts).
  const others = ['expire', 'lead-back', 'rename-back', 'migrate-from', 'reindex', ...cases.map(({ name }) => name)];
  expect(Object.keys(jobs).filter((name) => !others.includes(name))).toEqual([]);
});
