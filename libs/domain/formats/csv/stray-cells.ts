// What of a sheet no record holds: columns of no meaning, text below no heading, and cells that mean nothing without another one.
import type { ReadingContext } from '../reading/context.ts';
import type { CsvColumns, CsvRow } from './rows.ts';

/** Notes the cells of some columns, which no record has a place for where the row has no `wanted`. */
export function reportStrays(context: ReadingContext, row: CsvRow, columns: readonly string[], wanted: string): void {
  for (const column of columns)
    context.report.dropText(row.line, column, row.cell(column) ?? '', `the row has no ${wanted}`);
}

/** Notes the columns that nobody asked for, and those without a heading that say something, once each. */
export function reportColumns(context: ReadingContext, { names, asked, unnamed }: CsvColumns): void {
  for (const { line, column, text } of unnamed)
    context.report.dropText(line, column, text, 'a column without a heading; it is ignored');
  for (const name of names)
    if (asked.size > 0 && !asked.has(name))
      context.report.dropText(1, name, name, 'no column of this import; it is ignored');
}
