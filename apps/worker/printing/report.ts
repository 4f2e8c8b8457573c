// Reports as PDF: the lines of each row, set as those of finding aids are. Bytes leave as pages fill up.
import { noRows, reportHead, reportRow } from '#domain/reports/printed-lines.ts';
import type { ReportOutput } from '#domain/reports/write.ts';
import type { MissingScript } from './missing.ts';
import { createPrinter } from './printer.ts';

const pieceBytes = 64 * 1024;

/** The bytes of the report; returns the scripts that no font had. The headings of reports are English. */
export async function* printReport({
  title,
  info,
  columns,
  rows,
}: ReportOutput): AsyncGenerator<Uint8Array, readonly MissingScript[], void> {
  const printer = createPrinter({ title, language: 'en' });
  for (const line of reportHead({ title, info })) printer.line(line);
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    for (const line of reportRow(JSON.parse(row), columns)) printer.line(line);
    if (printer.waiting >= pieceBytes) yield printer.take();
  }
  if (isEmpty) printer.line(noRows);
  const { missing } = await printer.end();
  yield printer.take();
  return missing;
}
