// Handler of reports: one statement, read with a cursor, written into the output file as it comes.
import { fail } from '#domain/errors.ts';
import { report } from '#domain/jobs/report.ts';
import { textOf } from '#domain/json.ts';
import { formatOf, reports } from '#domain/reports/reports.ts';
import type { ReportOutput } from '#domain/reports/write.ts';
import { reportFiles, writeReport } from '#domain/reports/write.ts';
import { readDate } from '#domain/rules/lenient-date.ts';
import { can } from '#domain/rules/caller.ts';
import { writeBlob } from '#store/blobs.ts';
import { reportColumns } from '#store/reports/statements.ts';
import { readRepositoryName, withReportRows } from '#store/reports/stream.ts';
import { defineHandler } from '../context.ts';
import { demandOfOwner } from '../owner.ts';
import { writeReportPdf } from '../reports-pdf.ts';

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1';

/** Makes the report; the value tells how many rows it has. */
export const handler = defineHandler(report, async ({ repoId, job, params }, context) => {
  const { database, signal } = context;
  const code = textOf(job, 'report_type') ?? '';
  const declared = reports.get(code);
  const columns = reportColumns(code);
  if (declared === undefined || columns === undefined) throw fail('bad_parameter', { report_type: [`There is no report ${code}`] });
  demandOfOwner(context, 'report_job', repoId, ['view_repository', ...(declared.needs === undefined ? [] : [declared.needs])]);
  const dayOf = (name: string): string | null => {
    const given = textOf(params, name) ?? '';
    if (given === '') return null;
    const day = readDate(given);
    if (day === null) throw fail('bad_parameter', { [name]: ['Is no date'] });
    return day;
  };
  const names = declared.params.map(([name]) => name);
  const isScoped = names.includes('from') && (!names.includes('scope_by_date') || isTrue(params['scope_by_date']));
  const range = { repoId, seesSuppressed: can(context.caller, 'view_suppressed', repoId), from: isScoped ? dayOf('from') : null, to: isScoped ? dayOf('to') : null };
  const format = formatOf(textOf(job, 'format') ?? 'pdf');
  const info = { repository: await readRepositoryName(database, repoId), ...(range.from === null && range.to === null ? {} : { scoped_by_date_range: `${range.from ?? ''} - ${range.to ?? ''}` }) };
  let count = 0;
  const blob = await withReportRows(database, code, range, async (found) => {
    async function* rows(): AsyncGenerator<string> {
      for await (const row of found) {
        signal.throwIfAborted();
        count += 1;
        if (count % 1000 === 0) context.progress({ label: 'Writing', done: count, total: null });
        yield row;
      }
    }
    const output: ReportOutput = { title: declared.title, info, columns, rows: rows(), showsJson: isTrue(params['csv_show_json']) };
    const bytes = format === 'pdf' ? writeReportPdf(output) : writeReport(format, output);
    return writeBlob(database, bytes, { fileName: `${code}.${format}`, mediaType: reportFiles[format].mediaType });
  });
  context.log(`${code}: ${count} rows as ${format}`);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id);
    await context.complete(tx, { rows: count, format });
    return { rows: count, format };
  });
});
