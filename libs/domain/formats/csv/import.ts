// Import sheets in CSV as formats of import jobs.
import { createContext, type ReadingContext, type ImportRecord } from '../reading/context.ts';
import type { ImportReport } from '../reading/report.ts';
import type { ImportAbout, ImportFormat } from '../import-types.ts';
import { reportColumns } from './parts.ts';
import { digitalObjectEmitter, emitAccession, emitLocation, emitSubject } from './records.ts';
import { readRows, type CsvRow } from './rows.ts';

type Emit = (context: ReadingContext, row: CsvRow) => void;

/** Import type `accession_csv`. */
export const accessionCsv: ImportFormat = {
  importType: 'accession_csv',
  read: (chunks, about) => readCsv(chunks, about, emitAccession),
};

/** Import type `digital_object_csv`: objects, and components below the object of a row before them. */
export const digitalObjectCsv: ImportFormat = {
  importType: 'digital_object_csv',
  read: (chunks, about) => readCsv(chunks, about, digitalObjectEmitter()),
};

/** Import type `location_csv`; with `import_repository` the repository owns the locations. */
export const locationCsv: ImportFormat = {
  importType: 'location_csv',
  read: (chunks, about) =>
    readCsv(chunks, about, (context, row) =>
      emitLocation(context, row, about.switches.repository ? about.repositoryUri : undefined),
    ),
};

/** Import type `subject_csv`. */
export const subjectCsv: ImportFormat = {
  importType: 'subject_csv',
  read: (chunks, about) => readCsv(chunks, about, emitSubject),
};

/** Yields the records of each row as it comes; memory holds one row and the keys of shared records. */
async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
  emit: Emit,
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
