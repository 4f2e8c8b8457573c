// Sheets in CSV to records: row by row, streaming (behaviour-imports.md section 7).
import type { ImportAbout } from '../define-import.ts';
import { createContext } from '../reading/context.ts';
import type { ImportRecord, ReadingContext } from '../reading/context.ts';
import type { ImportReport } from '../reading/report.ts';
import { reportColumns } from './parts.ts';
import { readRows } from './rows.ts';
import type { CsvRow } from './rows.ts';

/** Emits the records of a row. */
export type EmitRow = (context: ReadingContext, row: CsvRow) => void;

/** Yields the records of each row as it comes; memory holds one row and the keys of shared records. */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
  emit: EmitRow,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let line = 1;
  const context = createContext(
    about,
    (record) => queue.push(record),
    () => ({ line, column: 0, element: '' }),
  );
  const rows = readRows(chunks);
  let step = await rows.next();
  for (; step.done !== true; step = await rows.next()) {
    line = step.value.line;
    emit(context, step.value);
    yield* queue.splice(0);
  }
  reportColumns(context, step.value);
  return context.report.report();
}
