// Spreadsheets for changing many archival objects at once (contract trees-and-jobs 6.1). They come back as a job with a file.
import { Readable } from 'node:stream';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { writeXlsx, xlsxMediaType } from '#domain/formats/xlsx/write.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { columnsFor, repeatsFor } from '#domain/spreadsheets/columns.ts';
import { factsOf, highestRepeats } from '#domain/spreadsheets/facts.ts';
import type { Choice } from '#domain/spreadsheets/updater-workbook.ts';
import { updaterSheets } from '#domain/spreadsheets/updater-workbook.ts';
import { readEnumerationLabels } from '#store/enumerations/labels.ts';
import { readSheetRecords } from '#store/spreadsheets/sheet-records.ts';
import { attachment } from '../reply/attachment.ts';
import { anything, listOf, nonNegative, repositoryId, text } from '../request/parameters.ts';
import { stream } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { viewerOf } from '../record-routes/viewing.ts';

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

/** The values of a list by label, those that are suppressed left out. */
function choicesWith({ enumerations }: Services): (list: string) => readonly Choice[] {
  const labels = readEnumerationLabels();
  const known = new Map<string, readonly Choice[]>();
  return (list) => {
    const values =
      known.get(list) ??
      (enumerations.get(list)?.values ?? [])
        .filter((value) => list !== 'instance_instance_type' || value !== 'digital_object')
        .map((value) => ({ value, label: labels[list]?.[value] ?? value }))
        .toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1));
    known.set(list, values);
    return values;
  };
}

const generate = defineRoute({
  method: 'POST',
  path: '/bulk_archival_object_updater/repositories/:repo_id/generate_spreadsheet',
  area: 'bulk update',
  summary: 'A spreadsheet for changing archival objects',
  doc: 'A workbook with a row for each record, columns for its fields and parts, and drop-downs of controlled values. Sent back with a job of the type bulk_archival_object_updater_job, it changes the records.',
  release: 'R-B',
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
    400: 'There are too many rows or columns.',
  },
  handler: async (call) => {
    const { params, services } = call;
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
    const records = (await readSheetRecords(services.database.reader, params.repo_id, ids, viewerOf(call))).map(
      factsOf,
    );
    const columns = columnsFor(
      params.selected_columns ?? [],
      repeatsFor(highestRepeats(records), { minSubrecords, extraSubrecords, minNotes }),
    );
    const address = parseUri(params.resource_uri);
    const name = `bulk_update.resource_${address?.kind === resource.name ? address.id : 0}.${new Date().toISOString().slice(0, 10)}.xlsx`;
    const bytes = writeXlsx(updaterSheets(columns, records, choicesWith(services)));
    return stream(Readable.from(bytes, { objectMode: false }), xlsxMediaType, {
      'content-disposition': attachment(name),
    });
  },
});

/** The routes of this file. */
export const bulkUpdateRoutes: readonly Route[] = [generate];
