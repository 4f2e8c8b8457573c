// Sheets in CSV to records: row by row, streaming (behaviour-imports.md section 7).
import type { ImportAbout } from '../define-import.ts';
import { createContext } from '../reading/context.ts';
import type { ImportRecord, ReadingContext } from '../reading/context.ts';
import type { ImportReport } from '../reading/report.ts';
import { createSheetFaults } from './faults.ts';
import { readRows } from './rows.ts';
import type { CsvRow } from './rows.ts';
import { reportColumns } from './stray-cells.ts';

/** Emits the records of a row. */
export type EmitRow = (context: ReadingContext, row: CsvRow) => void;

/** Yields the records of each row as it comes, but of rows with faults; memory holds one row and the keys of shared records. */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
  emit: EmitRow,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  const lines: number[] = [];
  let line = 1;
  const context = createContext(
    about,
    (record) => queue.push(record),
    () => ({ line, column: 0, element: '' }),
  );
  const faults = createSheetFaults();
  const rows = readRows(chunks, faults);
  let before = 0;
  let step = await rows.next();
  for (; step.done !== true && !faults.isFull; step = await rows.next()) {
    line = step.value.line;
    emit(context, step.value);
    const records = queue.splice(0);
    if (faults.count === before) {
      for (let n = 0; n < records.length; n++) lines.push(line);
      yield* records;
    }
    before = faults.count;
  }
  if (step.done === true) reportColumns(context, step.value);
  else await rows.return({ names: [], asked: new Set(), unnamed: [] });
  return { ...context.report.report(), lines, ...(faults.count === 0 ? {} : { faults: faults.list() }) };
}
