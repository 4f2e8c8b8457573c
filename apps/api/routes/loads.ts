// POST /system/load: the records of another service, one a line, as its GETs answer them; a job loads them with their addresses (decision 0027).
import { shape } from '../openapi/shape.ts';
import { madeJobReply } from '../openapi/shapes/envelopes.ts';
import { fail } from '#domain/errors.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import type { Transaction } from '#store/connection/database.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { openDiskSpace, spaceOfUpload } from '#store/files/disk-space.ts';
import { findMarkedLoad, loadOfMark } from '#store/loading/marks.ts';
import { jobUri } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { rawBody } from '../request/body.ts';
import { boolean, text } from '../request/parameters.ts';
import { madeJob } from '../record-routes/jobs.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const checkMark = (mark: string): string | null => (isUuid.test(mark) ? null : 'Must be a UUID in lower case');

const load = defineRoute({
  method: 'POST',
  path: '/system/load',
  operation: 'loadRecords',
  area: 'system',
  summary: 'Load the records of another service',
  doc: 'Starts a job that stores records as another service has them: addresses, versions, times and names, places in trees, suppression and publication. The body has one JSON record a line, as a GET of it answers, in any order; it may be gzipped. All are stored, or none, and only in a service where nobody has made records yet. Lines `{"uri", "at"}` are addresses that were deleted (`at` null: nobody knows when). Users come without passwords; the log of the job lists them.',
  access: { all: ['administer_system'] },
  parameters: {
    into_filled: boolean({
      default: false,
      doc: 'Whether the service may have records already; an address that is taken still refuses all.',
    }),
    update: boolean({
      default: false,
      doc: 'Whether the lines are what the source has changed since an earlier load: its records are replaced, deleted ones go. Records that were changed here, too, refuse all, and are listed.',
    }),
    mark: text({
      optional: true,
      check: checkMark,
      example: '7d9c5a52-4b3c-4a8e-9c1f-2f8f0c1f6a11',
      doc: 'What the client calls this load, as a UUID: `GET /system/loads/MARK` tells what became of it. A load whose mark is known already, and that has not failed, is not done again.',
    }),
    overwrite: boolean({
      default: false,
      doc: 'With `update`: records that were changed here, too, become those of the source. What they were stays in their history.',
    }),
  },
  body: rawBody({
    doc: 'One JSON record a line.',
    mediaType: 'application/x-ndjson',
    shape: shape.text,
    exampleFile: 'test/fixtures/openapi/load.ndjson',
  }),
  replies: {
    ...madeJobReply(),
    409: 'What has this mark was loaded, and its job is gone.',
  },
  handler: async (call) => {
    const { database, config } = call.services;
    const diskSpace = await openDiskSpace(database.reader, config.MUNIMENT_DISK_RESERVE_MB * 1e6);
    await diskSpace.require(spaceOfUpload(Number(call.headers['content-length'] ?? 0)));
    const blob = await writeBlob(database, call.body, {
      fileName: 'records.ndjson',
      mediaType: 'application/x-ndjson',
      maxBytes: config.MUNIMENT_MAX_UPLOAD_BYTES,
      diskSpace,
    });
    const { mark } = call.params;
    const make = async (tx: Transaction): Promise<number> =>
      (
        await enqueueJob(
          tx,
          loadRecords,
          {
            blobId: blob.id,
            intoFilled: call.params.into_filled,
            update: call.params.update,
            overwrite: call.params.overwrite,
            ...(mark === null ? {} : { mark }),
          },
          { visible: true, owner: call.caller.username, files: [{ blobId: blob.id, role: 'payload' }] },
        )
      ).jobId;
    const jobId = await database.transaction((tx) => (mark === null ? make(tx) : loadOfMark(tx, mark, () => make(tx))));
    if (jobId === null) throw fail('conflict', { mark: ['This was loaded before, and its job is gone'] });
    return madeJob(jobId);
  },
});

const find = defineRoute({
  method: 'GET',
  path: '/system/loads/:mark',
  operation: 'findLoad',
  area: 'system',
  summary: 'What became of a load',
  doc: 'By the mark that its client gave it: for whoever did not hear the answer. What was loaded is known for ever, what failed as long as its job.',
  access: { all: ['administer_system'] },
  parameters: { mark: text({ doc: 'The mark.', example: '7d9c5a52-4b3c-4a8e-9c1f-2f8f0c1f6a11' }) },
  replies: {
    200: {
      says: 'The load, and its job; null where that is gone.',
      shape: shape.object({ mark: shape.text, status: shape.text, job: shape.nullable(shape.uri) }),
      example: { mark: '7d9c5a52-4b3c-4a8e-9c1f-2f8f0c1f6a11', status: 'completed', job: '/jobs/12' },
    },
    404: 'Nothing of this mark has come.',
  },
  handler: async ({ services, params: { mark } }) => {
    const found = await findMarkedLoad(services.database.reader, mark);
    if (found === null) throw fail('not_found', 'Load not found');
    return { mark, status: found.status, job: found.jobId === null ? null : jobUri(null, found.jobId) };
  },
});

/** The routes of this file. */
export const loadRoutes: readonly Route[] = [load, find];
