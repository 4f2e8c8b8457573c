// The faults of a sheet: cells that cannot be read. All are told at once, so reading goes on after the first; nothing of such a sheet is stored.
import { fail } from '../../errors.ts';
import type { Json } from '../../json.ts';
import type { SheetFault } from '../reading/report.ts';

/** Collects the faults of one sheet; what comes after the first thousand is not read. */
export type SheetFaults = {
  add(line: number, column: string, message: string): void;
  readonly count: number;
  readonly isFull: boolean;
  list(): readonly SheetFault[];
};

const mostFaults = 1000;

/** Makes an empty list. */
export function createSheetFaults(): SheetFaults {
  const faults: SheetFault[] = [];
  return {
    add(line, column, message) {
      if (faults.length < mostFaults) faults.push({ line, column, message });
    },
    get count() {
      return faults.length;
    },
    get isFull() {
      return faults.length >= mostFaults;
    },
    list: () => [...faults],
  };
}

/**
 * The failure of sheets with faults: message, line and column (`element`) of the first and, where there are more, `faults` with all of them.
 * `report` is what else is wrong with the rows that could be read.
 */
export function sheetFailure(
  faults: readonly (SheetFault & { readonly file?: string })[],
  report?: { readonly [name: string]: Json },
): Error {
  const [first] = faults;
  return fail(
    'import_failed',
    {
      message: first?.message ?? '',
      line: first?.line ?? 0,
      column: 0,
      element: first?.column ?? '',
      ...(faults.length > 1 ? { faults: faults.map((fault) => ({ ...fault })) } : {}),
    },
    report === undefined ? {} : { report },
  );
}
