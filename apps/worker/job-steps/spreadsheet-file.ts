// The spreadsheet of a job and the resource that it is for, and how its faults are told.
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { CodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import type { JobContext } from '../handler.ts';
import { logList } from './log-list.ts';

const mostBytes = 50_000_000;

/** Reads the one file of the job, in a thread, and tells of sheets that are not read. Fails with `import_failed` or `too_large`. */
export async function readSheetFile(contentType: string, context: JobContext): Promise<CodedSheet> {
  const files = (await context.files()).filter(({ role }) => role === 'input');
  const [file] = files;
  if (file === undefined || files.length > 1) throw fail('import_failed', { message: 'The job needs one spreadsheet' });
  if (file.sizeBytes > mostBytes) throw fail('too_large', `The spreadsheet is larger than ${mostBytes} bytes`);
  const bytes = Buffer.concat(await Array.fromAsync(readUpload(context.database, file.blobId)));
  const sheet = await context.threads.run('readCodedSheet', { bytes, contentType }, { signal: context.signal });
  if (sheet.others.length > 0)
    context.log(`Only the first sheet, ${sheet.name ?? ''}, is read; left out: ${sheet.others.join(' | ')}`);
  logList(sheet.nameless, context.log, (column) => `Warning: a column without a heading; it is ignored: ${column}`);
  if (sheet.faults.length === 0 && sheet.rows.length === 0)
    context.log('Warning: the sheet has no rows of data, which have nothing in their first column');
  return sheet;
}

/** Tells of the columns of which nothing is made: a name that was mistyped would take its cells with it unnoticed. */
export function tellUnknownColumns(codes: readonly string[], context: JobContext): void {
  logList(codes, context.log, (code) => `Warning: no column of this sheet; it is ignored: ${code}`);
}

/** The id of the resource: `rid` of `job_params` (contract 6.7), or where it is not there the `resource_id` of the job, an id or a uri. */
export function resourceIdOf(params: JsonObject, job: JsonObject, repoId: number): number {
  const given = String(params['rid'] ?? job['resource_id']);
  const address = parseUri(given);
  const id = /^\d{1,9}$/.test(given)
    ? Number(given)
    : address?.kind === resource.name && address.repoId === repoId
      ? address.id
      : null;
  if (id === null) throw fail('bad_parameter', { rid: ['Must be the id of a resource of the repository of the job'] });
  return id;
}

/** How faults stand in a log: what is said first, a text for each, and what stands before it. */
export type FaultForm = {
  readonly heading: string;
  readonly textOf: (fault: SheetFault) => string;
  readonly before?: string;
};

const asLines = (sheet: string | null): FaultForm => ({
  heading: `Errors encountered during processing${sheet === null ? '' : ` of the sheet ${sheet}`}. Nothing was changed.`,
  textOf: ({ row, column, message }) => `Row ${row ?? 'N/A'}, column ${column ?? 'N/A'}: ${message}`,
});

/** Writes faults into the log, by row, and fails where there are some. `sheet` is the name of the sheet in its workbook. Of very many faults the first are told. */
export function tellSheetFaults(
  faults: readonly SheetFault[],
  sheet: string | null,
  context: JobContext,
  { heading, textOf, before }: FaultForm = asLines(sheet),
): void {
  if (faults.length === 0) return;
  context.tellFailure([heading]);
  const told = logList(
    faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0)),
    context.log,
    textOf,
    before,
  );
  throw fail('import_failed', {
    message: `${faults.length} cells or rows are wrong; nothing was changed`,
    faults: told.map(({ row, column, message }) => ({ sheet, row, column, message })),
  });
}
