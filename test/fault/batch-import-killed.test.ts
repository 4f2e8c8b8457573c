// A worker that is killed in the middle of a batch import, or told to end it, leaves nothing half stored; the job runs again.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { batchImport } from '#domain/jobs/batch-import.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { cancelJob } from '#store/queue/mailbox.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { ImportJobs } from '../support/import-job.ts';
import { openImportJobs } from '../support/import-job.ts';
import { amount } from '../support/long.ts';
import { findingAidBytes } from '../support/make/finding-aid.ts';

// Some thousands are stored in several groups: a job that has stored the first of them is in the middle.
const components = amount(3600, 12_000);
let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs({ worker: false });
});
afterAll(() => imports[Symbol.asyncDispose]());

async function enqueue(name: string, count = components): Promise<number> {
  const blob = await writeBlob(imports.connected.database, findingAidBytes(imports.repoId, name, count));
  const payload = { blobId: blob.id, repoId: imports.repoId, actor: 'importer', migration: false, skipResults: false };
  return (
    await imports.connected.database.transaction((tx) =>
      enqueueJob(tx, batchImport, payload, { files: [{ blobId: blob.id, role: 'payload' }] }),
    )
  ).jobId;
}

/** Resolves when rows of the job are being written. */
async function whenSaving(jobId: number): Promise<void> {
  const watching = new AbortController();
  const reached = new Promise<void>((resolve) => {
    waitForJob(imports.connected.database, imports.connected.listener, jobId, {
      signal: watching.signal,
      pollMs: 20,
      onProgress: ({ label, done }) => {
        if (label.startsWith('Saving') && done > 0) resolve();
      },
    }).then(
      () => resolve(),
      () => undefined,
    );
  });
  await reached;
  watching.abort();
}

const contents = async (): Promise<unknown> => {
  const { feed: _feed, ...rest } = await imports.contents();
  return rest;
};

test('a kill -9 in the middle leaves nothing half stored, and the job runs again and completes', async () => {
  const before = await contents();
  const worker = await imports.spawnWorker();
  const jobId = await enqueue('killed');
  await whenSaving(jobId);
  worker.process.kill('SIGKILL');
  await once(worker.process, 'exit');
  // PostgreSQL may need a moment to see that its client is gone.
  await expect.poll(contents).toEqual(before);
  expect(
    (
      await imports.connected.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
      SELECT status FROM job WHERE id = ${jobId}`)
    ).status,
  ).toBe('running');

  await imports.spawnWorker();
  const value = await waitForJob(imports.connected.database, imports.connected.listener, jobId);
  expect(value).toMatchObject({
    created: {
      resource: 1,
      archival_object: components,
      top_container: components / 10,
      subject: 1000,
      agent_person: 500,
    },
  });
  expect(
    (
      await imports.connected.database.reader.one(sql.type(z.strictObject({ attempts: column.int }))`
        SELECT attempts FROM job WHERE id = ${jobId}`)
    ).attempts,
  ).toBe(2);
  const places = await imports.connected.database.reader.one(sql.type(
    z.strictObject({ nodes: column.int, links: column.int }),
  )`
    SELECT (SELECT count(*)::int FROM tree_node WHERE repo_id = ${imports.repoId}) AS nodes, (SELECT count(*)::int FROM link WHERE source_kind = 'archival_object') AS links`);
  expect(places).toEqual({ nodes: components, links: components * 4 });
});

test('a cancel in the middle leaves nothing', async () => {
  // By the worker that did the job again.
  const before = await contents();
  const jobId = await enqueue('canceled');
  await whenSaving(jobId);
  await imports.connected.database.transaction((tx) => cancelJob(tx, jobId));
  await expect(waitForJob(imports.connected.database, imports.connected.listener, jobId)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await contents()).toEqual(before);
  // The worker is fit for the next import.
  const next = await enqueue('next', 100);
  expect(await waitForJob(imports.connected.database, imports.connected.listener, next)).toMatchObject({
    created: { archival_object: 100 },
  });
});
