// A request whose reply is the file of a job: what becomes of the job where its client goes away.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { asAttachment } from '../../../../apps/api/record-routes/job-file.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

const JobRow = z.strictObject({ type: column.text, status: column.text });

test('a job of which nobody gets the file is canceled; one whose client may come back with its key is not', async () => {
  await using api = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: 'R-A' } });
  const repoId = await api.repository();
  const resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('A'));
  const last = async () =>
    (await api.database.reader.any(sql.type(JobRow)`SELECT type, status FROM job ORDER BY id DESC LIMIT 1`))[0];
  const pdf = resource.replace('/resources/', '/resource_descriptions/');
  const sheet = `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet?uri=${resource}&resource_uri=${resource}`;
  for (const [type, path, method, headers, status] of [
    ['creation-template', `${resource}/templates/top_container_creation.csv`, 'GET', {}, 'canceled'],
    ['print-finding-aid', `${pdf}.pdf`, 'GET', {}, 'canceled'],
    ['bulk-update-sheet', sheet, 'POST', {}, 'canceled'],
    ['bulk-update-sheet', sheet, 'POST', { 'idempotency-key': 'k' }, 'queued'],
  ] as const) {
    const gone = new AbortController();
    const waiting = fetch(`${api.url}${path}`, {
      method,
      headers: { 'x-service-session': api.session, ...headers },
      signal: gone.signal,
    });
    await expect.poll(last).toEqual({ type, status: 'queued' });
    gone.abort();
    await expect(waiting).rejects.toThrow();
    // Long enough for a cancel that should not be.
    if (status === 'queued') await sleep(500);
    await expect.poll(last).toEqual({ type, status });
  }
  // The client has opened a connection anew, which the server would wait for.
  expect((await api.get('/version')).status).toBe(200);
});

test('a file without a name is no attachment', () => {
  const file = { id: 1, blobId: 'x', role: 'output', mediaType: null, sizeBytes: 1 };
  expect(asAttachment({ ...file, fileName: null })).toEqual({});
  expect(asAttachment({ ...file, fileName: 'a.csv' })).toEqual({
    'content-disposition': 'attachment; filename="a.csv"',
  });
});
