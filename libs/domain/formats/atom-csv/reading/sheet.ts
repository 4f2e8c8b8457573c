// The rows of a sheet of AtoM: cells by the names of their columns, several values of one cell parted by `|`, and an account of the columns.
import type { SheetFaults } from '../../csv/faults.ts';
import { createSheetFaults } from '../../csv/faults.ts';
import { otherSeparator } from '../../csv/other-files.ts';
import { faultSurplus, readTable, valueOf } from '../../csv/rows.ts';
import type { ImportAbout } from '../../define-import.ts';
import type { ImportRecord, ReadingContext } from '../../reading/context.ts';
import { createContext, importFailure } from '../../reading/context.ts';
import type { ImportReport } from '../../reading/report.ts';

/** A row, with its line in the file, counted from 1. */
export type AtomRow = {
  readonly line: number;
  /** The text of a cell; undefined where it is empty or `NULL`. */
  cell(column: string): string | undefined;
  /** The values of a cell, blank ones left out. */
  list(column: string): readonly string[];
  /** The same with '' for blank ones: the n-th belongs with the n-th of other columns. */
  places(column: string): readonly string[];
  /** What belongs together of several columns: their n-th values, up to the last of the longest. */
  together(...columns: readonly string[]): readonly (readonly string[])[];
  /** Notes what is wrong with a cell; the row is then not imported. */
  fault(column: string, message: string): void;
};

/** Limits: a sheet is held whole where a row may name one that comes after it. */
const mostRows = 200_000;
const mostBytes = 100_000_000;

/** The reading of one sheet. */
export type AtomSheet = {
  readonly context: ReadingContext<ImportAbout>;
  readonly faults: SheetFaults;
  /** The rows in their order. Fails with `import_failed` where a column of `needed` is missing, or one is there twice. */
  rows(needed: readonly string[]): AsyncGenerator<AtomRow, void, void>;
  /** All rows; fails beyond the limits of a sheet. */
  allRows(needed: readonly string[]): Promise<readonly AtomRow[]>;
  /** Records emitted since it was asked last. */
  emitted(): readonly ImportRecord[];
  /** Tells once of each value of a column that has no place. */
  leaveOut(row: AtomRow, columns: { readonly [column: string]: string }): void;
  /** The account, with the columns that nobody asked for. */
  report(): ImportReport;
};

/** Opens a sheet. `limits`: how much of one is held whole. */
export function openAtomSheet(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
  limits: { readonly rows: number; readonly bytes: number } = { rows: mostRows, bytes: mostBytes },
): AtomSheet {
  const queue: ImportRecord[] = [];
  const asked = new Set<string>();
  const faults = createSheetFaults();
  let names: readonly string[] = [];
  let line = 1;
  const context = createContext(
    about,
    (record) => queue.push(record),
    () => ({ line, column: 0, element: '' }),
  );
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  async function* rows(needed: readonly string[]): AsyncGenerator<AtomRow, void, void> {
    for await (const { cells, line: at } of readTable(counted())) {
      line = at;
      if (names.length === 0) {
        names = cells;
        checkHeader(names, needed, at);
        continue;
      }
      faultSurplus(faults, at, cells, names.length);
      yield rowOf(cells, at);
      if (faults.isFull) return;
    }
  }
  function rowOf(cells: readonly string[], at: number): AtomRow {
    const cell = (column: string): string | undefined => {
      asked.add(column);
      return valueOf(cells[names.indexOf(column)]);
    };
    const places = (column: string): readonly string[] =>
      (cell(column) ?? '').split('|').map((value) => valueOf(value.trim()) ?? '');
    return {
      line: at,
      cell,
      places,
      together: (...columns) => {
        const all = columns.map(places);
        const count = Math.max(...all.map((values) => values.length));
        return Array.from({ length: count }, (_, index) => all.map((values) => values[index] ?? ''));
      },
      list: (column) => places(column).filter((value) => value !== ''),
      fault: (column, message) => faults.add(at, column, message),
    };
  }
  return {
    context,
    faults,
    rows,
    allRows: async (needed) => {
      const all: AtomRow[] = [];
      for await (const row of rows(needed)) {
        all.push(row);
        if (all.length > limits.rows || bytes > limits.bytes)
          throw importFailure(`A sheet has at most ${limits.rows} rows and ${limits.bytes} bytes.`, {
            line: row.line,
            column: 0,
            element: '',
          });
      }
      return all;
    },
    emitted: () => queue.splice(0),
    leaveOut: (row, columns) => {
      for (const [column, reason] of Object.entries(columns)) {
        const text = row.cell(column);
        if (text !== undefined) context.report.dropTextOnce(row.line, column, text, reason);
      }
    },
    report: () => {
      for (const name of names)
        if (name !== '' && asked.size > 0 && !asked.has(name))
          context.report.dropText(1, name, name, 'no column of this import; it is ignored');
      return { ...context.report.report(), ...(faults.count === 0 ? {} : { faults: faults.list() }) };
    },
  };
}

function checkHeader(names: readonly string[], needed: readonly string[], line: number): void {
  const fail = (message: string, element: string): Error => importFailure(message, { line, column: 0, element });
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw fail(`The column ${twice.slice(0, 100)} is there twice.`, twice.slice(0, 100));
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw fail(`The sheet has no column ${missing}. ${otherSeparator(names) ?? ''}`.trim(), missing);
}
