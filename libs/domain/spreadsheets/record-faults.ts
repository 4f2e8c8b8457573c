// What is wrong with a record that a row of a spreadsheet made, told by the columns of the row instead of the properties of the record.
import type { Failure } from '../errors.ts';
import { isObject } from '../json.ts';
import type { SheetFault } from './rows.ts';

/** The faults of a failed check; `columnOf` names the column behind the slash path of a property. */
export function recordFaults(failure: Failure, row: number, columnOf: (path: string) => string): readonly SheetFault[] {
  if (!isObject(failure.error)) return [{ row, column: null, message: String(failure.error) }];
  return Object.entries(failure.error).map(([path, messages]) => ({
    row,
    column: columnOf(path),
    message: Array.isArray(messages) ? messages.join('; ') : String(messages),
  }));
}
