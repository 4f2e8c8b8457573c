// The sheet of a job as its file: there when the job has ended, with the rows that were counted, and not at all where writing it breaks off.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { creationTemplate } from '#domain/jobs/creation-template.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';
import { keepSheet } from '../../../../apps/worker/job-steps/keep-sheet.ts';
import { startTestApi } from '#test/support/api.ts';
import { runHandler } from '#test/support/run-handler.ts';

test('keeps what was written to its end, and nothing else', async () => {
  await using api = await startTestApi({ worker: false });
  const payload = {
    repoId: 2,
    actor: null,
    resourceId: 1,
    template: 'top_container_creation',
    wantsSuppressed: false,
    release: 'R-B',
  } as const;
  const file = { fileName: 'sheet.csv', mediaType: 'text/csv' };
  const blobs = () =>
    api.database.reader.any(sql.type(z.strictObject({ name: column.maybeText, size: column.int }))`
      SELECT file_name AS name, size_bytes AS size FROM blob JOIN job_file ON blob_id = blob.id WHERE complete`);
  const run = (end: () => void) =>
    runHandler(
      api.database,
      creationTemplate,
      defineHandler(creationTemplate, (_payload, context) => {
        let rows = 0;
        async function* bytes(): AsyncGenerator<Uint8Array> {
          yield Buffer.from('one,\n');
          rows = 1;
          end();
        }
        return keepSheet(bytes(), file, () => rows, { seesSuppressed: true }, context);
      }),
      payload,
    );
  await expect(
    run(() => {
      throw new Error('broken off');
    }),
  ).rejects.toThrow('broken off');
  expect(await api.database.reader.any(sql.type(z.strictObject({ id: column.text }))`SELECT id FROM blob`)).toEqual([]);
  expect(await run(() => undefined)).toEqual({ rows: 1 });
  expect(await blobs()).toEqual([{ name: 'sheet.csv', size: 5 }]);
});
