// POST /system/load: the records of another service, one a line, as its GETs answer them; a job loads them with their addresses (decision 0027).
import { shape } from '../openapi/shape.ts';
import { accepted } from '../openapi/shapes/envelopes.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { openDiskSpace, spaceOfUpload } from '#store/files/disk-space.ts';
import { jobUri } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { rawBody } from '../request/body.ts';
import { boolean } from '../request/parameters.ts';
import { json } from '../reply/reply.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

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
    202: {
      says: 'The job has been made; at its address it is followed and canceled.',
      shape: accepted,
      headers: { Location: 'The address of the job.' },
      example: { status: 'Accepted', id: 12, uri: '/jobs/12' },
    },
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
    const { jobId } = await database.transaction((tx) =>
      enqueueJob(
        tx,
        loadRecords,
        {
          blobId: blob.id,
          intoFilled: call.params.into_filled,
          update: call.params.update,
          overwrite: call.params.overwrite,
        },
        { visible: true, owner: call.caller.username, files: [{ blobId: blob.id, role: 'payload' }] },
      ),
    );
    const uri = jobUri(null, jobId);
    return json({ status: 'Accepted', id: jobId, uri }, 202, { location: uri });
  },
});

/** The routes of this file. */
export const loadRoutes: readonly Route[] = [load];
