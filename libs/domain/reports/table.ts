// Rows of reports as tables: nested lists become further columns and repeated rows (contract trees-and-jobs 7.2).
import type { Json, JsonObject } from '../json.ts';
import { objectsOf } from '../json.ts';

/** A column of a report: a value, or a list of objects with keys of their own. */
export type ReportColumn = { readonly key: string; readonly parts?: readonly string[] };

/** The heading of a report as a table: columns of lists are named `<list>_<key>`; with `asJson` a list is one column of JSON text. */
export function tableHead(columns: readonly ReportColumn[], asJson: boolean): readonly string[] {
  return columns.flatMap(({ key, parts }) => (parts === undefined || asJson ? [key] : parts.map((part) => `${key}_${part}`)));
}

/** The lines of a row: one for each combination of the entries of its lists, at least one. At most 1000, so that no row grows without bound. */
export function tableLines(row: JsonObject, columns: readonly ReportColumn[], asJson: boolean): readonly (readonly Json[])[] {
  let lines: readonly (readonly Json[])[] = [[]];
  for (const { key, parts } of columns) {
    if (parts === undefined || asJson) {
      const value = row[key] ?? null;
      const cell = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      lines = lines.map((line) => [...line, cell]);
      continue;
    }
    const entries = objectsOf(row, key);
    const cells = entries.length === 0 ? [parts.map(() => null)] : entries.map((entry) => parts.map((part) => entry[part] ?? null));
    lines = lines.flatMap((line) => cells.map((some) => [...line, ...some])).slice(0, 1000);
  }
  return lines;
}

/** A key as people read it: `record_title` is `Record Title`. */
export const columnTitle = (key: string): string => key.split('_').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ');
