// Spreadsheets for changing many archival objects at once (contract trees-and-jobs 6.1): a job makes them, and they come back as a job with a file.
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { xlsxMediaType } from '#domain/formats/xlsx/write.ts';
import { bulkUpdateSheet } from '#domain/jobs/bulk-update-sheet.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { anything, listOf, nonNegative, repositoryId, text } from '../request/parameters.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { asAttachment, fileByJob } from '../record-routes/job-file.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const mostRows = 10_000;
const mostRepeats = 100;

/** Uris as a list, or as the JSON text of one. */
function urisIn(given: string): readonly string[] {
  if (!given.startsWith('[')) return given.split(',');
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed.filter((uri) => typeof uri === 'string');
  } catch {
    // Told below, as any other text.
  }
  throw fail('bad_parameter', { uri: ['Must be a list of uris'] });
}

const generate = defineRoute({
  method: 'POST',
  path: '/bulk_archival_object_updater/repositories/:repo_id/generate_spreadsheet',
  operation: 'generateBulkUpdateSpreadsheet',
  area: 'bulk updates',
  summary: 'A spreadsheet for changing archival objects',
  doc: 'A workbook with a row for each record, columns for its fields and parts, and drop-downs of controlled values. Sent back with a job of the type bulk_archival_object_updater_job, it changes the records. A job makes it; `Prefer: respond-async` gives the job, whose output file it is. Parameters come in the query, as a form or as one JSON object.',
  release: 'R-B',
  jsonForm: true,
  access: { all: ['view_repository'] },
  parameters: {
    repo_id: repositoryId(),
    uri: anything({
      doc: 'Uris of archival objects in the order of the rows, as uri[] or as one JSON array; others are left out.',
    }),
    resource_uri: text({ doc: 'Uri of their resource, for the name of the file.' }),
    min_subrecords: nonNegative({ default: 0, doc: 'Dates, extents and instances that have columns at least.' }),
    extra_subrecords: nonNegative({
      default: 3,
      doc: 'Columns for dates, extents and instances beyond those that are there.',
    }),
    min_notes: nonNegative({ default: 2, doc: 'Notes of each type that have columns at least.' }),
    selected_columns: listOf(text())({
      optional: true,
      doc: 'Groups of columns, such as date, extent, note_scopecontent; default: all.',
    }),
  },
  replies: {
    200: { says: 'The workbook, as an attachment.', contentType: xlsxMediaType },
    ...acceptedReply,
    400: 'There are too many rows or columns.',
  },
  handler: async (call) => {
    const { params, caller } = call;
    const ids = [
      ...new Set(
        urisIn(params.uri).flatMap((uri) => {
          const address = parseUri(uri.trim());
          return address?.kind === archivalObject.name && address.repoId === params.repo_id ? [address.id] : [];
        }),
      ),
    ];
    if (ids.length > mostRows) throw fail('bad_parameter', { uri: [`Must name no more than ${mostRows} records`] });
    const { min_subrecords: minSubrecords, extra_subrecords: extraSubrecords, min_notes: minNotes } = params;
    const tooMany = Object.entries({
      min_subrecords: minSubrecords,
      extra_subrecords: extraSubrecords,
      min_notes: minNotes,
    }).filter(([, count]) => count > mostRepeats);
    if (tooMany.length > 0)
      throw fail(
        'bad_parameter',
        Object.fromEntries(tooMany.map(([name]) => [name, [`Must be no more than ${mostRepeats}`]])),
      );
    const address = parseUri(params.resource_uri);
    return fileByJob(
      call,
      bulkUpdateSheet,
      {
        repoId: params.repo_id,
        actor: caller.username,
        ids,
        resourceId: address?.kind === resource.name ? address.id : 0,
        selectedColumns: [...(params.selected_columns ?? [])],
        minSubrecords,
        extraSubrecords,
        minNotes,
        wantsSuppressed: call.wantsSuppressed,
        release: call.release,
      },
      { repoId: params.repo_id, owner: caller.username },
      { contentType: xlsxMediaType, headers: asAttachment },
    );
  },
});

/** The routes of this file. */
export const bulkUpdateRoutes: readonly Route[] = [generate];
