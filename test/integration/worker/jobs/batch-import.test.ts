// The job of a batch import: what it keeps of the result, and how it fails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { batchImport } from '#domain/jobs/batch-import.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import type { Importer } from '#test/support/batch.ts';
import { openImporter } from '#test/support/batch.ts';
import { batchRecords } from '#test/support/make/batch-records.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { handler } from '../../../../apps/worker/jobs/batch-import.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => importer[Symbol.asyncDispose]());
const { fresh, temporary, resource, component, subject } = batchRecords(() => importer);

describe('the job', () => {
  const runJob = async (records: readonly JsonObject[], skipResults: boolean): Promise<JsonObject> => {
    await using connected = connect(importer.database.settings.url);
    const worker = await startTestWorker(connected, { handlers: [handler], threads: importer.threads });
    try {
      const blob = await writeBlob(connected.database, [Buffer.from(JSON.stringify(records))]);
      const payload = { blobId: blob.id, repoId: importer.repoId, actor: 'importer', migration: false, skipResults };
      const { jobId } = await connected.database.transaction((tx) =>
        enqueueJob(tx, batchImport, payload, { files: [{ blobId: blob.id, role: 'payload' }] }),
      );
      const value = await waitForJob(connected.database, connected.listener, jobId);
      return isObject(value) ? value : {};
    } finally {
      await worker.stop();
    }
  };

  test('keeps what `saved` answers as a blob, reused records included', async () => {
    const k = fresh();
    await importer.run([subject(k, [`T${k}`])]);
    const value = await runJob([resource(k), component(`${k}-1`, k), subject(k, [`T${k}`])], false);
    expect(value).toMatchObject({ total: 3, reused: 1, created: { resource: 1, archival_object: 1 } });
    let text = '';
    for await (const chunk of readBlob(importer.database, String(value['saved_blob'])))
      text += Buffer.from(chunk).toString('utf8');
    const saved = JSON.parse(`{${text}}`) as { readonly [temporary: string]: readonly [string, number] };
    expect(Object.keys(saved).toSorted()).toEqual(
      [temporary('resources', k), temporary('archival_objects', `${k}-1`), `/subjects/import_${k}`].toSorted(),
    );
    for (const [uri, id] of Object.values(saved))
      expect(await importer.read(uri)).toMatchObject({ uri: expect.stringMatching(new RegExp(`/${id}$`)) });
  });

  test('keeps nothing where the client skips the results', async () => {
    const k = fresh();
    expect(await runJob([resource(k)], true)).toMatchObject({ total: 1, saved_blob: null });
  });

  test('fails with the failure of the record, once', async () => {
    await expect(runJob([{ ...resource(fresh()), title: undefined }], true)).rejects.toMatchObject({
      code: 'import_failed',
      error: { record_number: 1, errors: { title: expect.anything() } },
    });
  });
});
