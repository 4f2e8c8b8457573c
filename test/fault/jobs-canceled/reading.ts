// Jobs that change no records, and how a test cancels each: calculators, documents, sheets, reports.
import type { CanceledJob } from '#test/support/canceled-jobs.ts';
import { boxes, components } from '#test/support/canceled-jobs.ts';

/** A case for each of these jobs. */
export const readingJobs: readonly CanceledJob[] = [
  {
    name: 'bulk-update-sheet',
    hold: boxes,
    prepare: async ({ R, tree, later }) => {
      const { resource, nodes } = await tree();
      const uris = nodes.map((uri) => `uri[]=${uri}`).join('&');
      return later(`/bulk_archival_object_updater${R}/generate_spreadsheet?${uris}&resource_uri=${resource}`);
    },
  },
  {
    name: 'calculate-dates',
    hold: components,
    prepare: async ({ large, later }) => later(`/date_calculator?record_uri=${await large()}`, { method: 'GET' }),
  },
  {
    name: 'calculate-extent',
    hold: { table: 'record_container_profile', against: 'all' },
    prepare: async ({ large, later }) => later(`/extent_calculator?record_uri=${await large()}`, { method: 'GET' }),
  },
  {
    name: 'container-labels',
    hold: boxes,
    prepare: async ({ tree, job }) => job('container_labels_job', { source: (await tree()).resource }),
  },
  {
    name: 'creation-template',
    hold: components,
    prepare: async ({ tree, later }) => {
      const { resource } = await tree();
      return later(`${resource}/templates/top_container_creation.csv`, { method: 'GET' });
    },
  },
  {
    name: 'print-finding-aid',
    hold: boxes,
    prepare: async ({ tree, job }) =>
      job('print_to_pdf_job', { source: (await tree()).resource, include_unpublished: true }),
  },
  {
    name: 'report',
    hold: { table: 'record_accession', against: 'all' },
    prepare: async ({ job }) => job('report_job', { report_type: 'accession_report', format: 'csv' }),
  },
];
