// The finding aid as a PDF: a request that stands on a job, since setting pages is work for the worker's threads (contract, exports 1 and 11).
import { Readable } from 'node:stream';
import { fail } from '#domain/errors.ts';
import { printFindingAid } from '#domain/jobs/print-finding-aid.ts';
import { resource } from '#domain/kinds/resource.ts';
import { readBlob } from '#store/files/blobs.ts';
import { readJobFiles } from '#store/queue/files.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { boolean, id, repositoryId } from '../request/parameters.ts';
import { stream } from '../reply/reply.ts';
import { defineRoute } from '../route.ts';
import { runJob } from '../record-routes/jobs.ts';
import { viewerOf } from '../record-routes/viewing.ts';

const unused = boolean({ default: false, doc: 'Changes nothing in a PDF.' });

/** The route. */
export const printedFindingAid = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resource_descriptions/:id.pdf',
  area: 'exports',
  summary: 'Finding aid as a PDF',
  doc: 'Printed by a job: with `Prefer: respond-async`, or where it takes long, 202 and the address of the job, whose output file is the document.',
  access: { all: ['view_repository'] },
  release: 'R-A',
  parameters: {
    repo_id: repositoryId(),
    id: id(),
    include_unpublished: boolean({
      default: false,
      doc: 'Also what is not published, marked as such; what is suppressed never.',
    }),
    include_daos: boolean({ default: true, doc: 'Digital objects with their addresses.' }),
    numbered_cs: unused,
    ead3: unused,
    print_pdf: unused,
  },
  replies: {
    200: { says: 'The document.', contentType: 'application/pdf' },
    202: 'The job that prints it.',
    404: 'Resource not found',
  },
  handler: async (call) => {
    const { params, services, caller } = call;
    const { database } = services;
    const { uri } = await readRecord(database.reader, resource, params.id, params.repo_id, viewerOf(call));
    const job = {
      jsonmodel_type: printFindingAid.wire.name,
      source: uri,
      include_unpublished: params.include_unpublished,
    };
    const payload = printFindingAid.payload.parse({
      repoId: params.repo_id,
      actor: caller.username,
      job: { ...job, include_daos: params.include_daos, of_request: true },
      params: {},
    });
    const end = await runJob(call, printFindingAid, payload, {
      repoId: params.repo_id,
      owner: caller.username,
      body: { jsonmodel_type: 'job', job },
    });
    if (end.early !== null) return end.early;
    const file = (await readJobFiles(database.reader, end.jobId)).find(({ role }) => role === 'output');
    if (file === undefined) throw fail('internal', 'The job made no file');
    return stream(Readable.from(readBlob(database, file.blobId), { objectMode: false }), 'application/pdf', {
      'content-length': String(file.sizeBytes),
    });
  },
});
