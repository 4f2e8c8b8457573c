// Finding aids for people: one HTML page, and a PDF, which a job prints since setting pages is work for the worker's threads (contract,
// exports 1 and 11).
import { printFindingAid } from '../../jobs/print-finding-aid.ts';
import { defineExport, flag } from '../define-export.ts';
import { settingOf, unpublishedOption } from '../writing/finding-aid.ts';
import { findingAidRefs } from '../writing/refs.ts';
import { groupLevels } from './groups.ts';
import { writeHtml } from './html/write.ts';

const unused = flag({ default: false, doc: 'Changes nothing in a PDF.' });

/** The finding aid as HTML, written by the request; the PDF of the same content is a job (print-finding-aid). */
export const findingAidPage = defineExport({
  paths: { resource: '/repositories/:repo_id/resource_descriptions/:id.html' },
  name: 'Html',
  summary: 'Finding aid as an HTML page',
  doc: 'One page for reading and printing, with a table of contents. It needs nothing else but the logo of the repository. Streamed.',
  says: 'The page.',
  mediaType: 'text/html',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: {
    include_unpublished: unpublishedOption,
    include_daos: flag({ default: true, doc: 'Links to digital objects.' }),
  },
  reads: 'tree',
  refs: findingAidRefs,
  groups: groupLevels,
  write: ({ root, blocks, deepest, groups = [] }, context, options) =>
    writeHtml(
      { root, blocks, groups },
      settingOf(context, deepest, {
        includeUnpublished: context.includesUnpublished,
        includeDaos: options.include_daos,
        includeUris: false,
        numberedComponents: false,
      }),
    ),
});

/** The PDF. */
export const printedFindingAid = defineExport({
  paths: { resource: '/repositories/:repo_id/resource_descriptions/:id.pdf' },
  name: 'Pdf',
  summary: 'Finding aid as a PDF',
  doc: 'Printed by a job: with `Prefer: respond-async`, or where it takes long, 202 and the address of the job, whose output file is the document.',
  says: 'The document.',
  mediaType: 'application/pdf',
  access: 'view_repository',
  release: 'R-A',
  unpublished: 'include_unpublished',
  options: {
    include_unpublished: flag({
      default: false,
      doc: 'Also what is not published, marked as such; what is suppressed never.',
    }),
    include_daos: flag({ default: true, doc: 'Digital objects with their addresses.' }),
    numbered_cs: unused,
    ead3: unused,
    print_pdf: unused,
  },
  reads: 'job',
  job: printFindingAid,
  jobOf: (source, options) => ({
    source,
    include_unpublished: options.include_unpublished,
    include_daos: options.include_daos,
    of_request: true,
  }),
});
