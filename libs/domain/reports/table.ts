// Rows of reports as tables: nested lists become further columns and repeated rows (contract trees-and-jobs 7.2).
import type { Json, JsonObject } from '../json.ts';
import { objectsOf } from '../json.ts';

/** A column of a report: a value, or a list of objects with keys of their own. */
export type ReportColumn = { readonly key: string; readonly parts?: readonly string[] };

/** The heading of a report as a table: columns of lists are named `<list>_<key>`; with `asJson` a list is one column of JSON text. */
export function tableHead(columns: readonly ReportColumn[], asJson: boolean): readonly string[] {
  return columns.flatMap(({ key, parts }) =>
    parts === undefined || asJson ? [key] : parts.map((part) => `${key}_${part}`),
  );
}

// As many as a spreadsheet program still opens with ease; a row of more is a few long lists that have nothing to do with each other.
const mostCombinations = 100_000;

/**
 * Yields the lines of a row: one for each combination of the entries of its lists, the last list changing fastest, and at least one. Where
 * there are more than 100,000 combinations the lists stand side by side instead, so that every entry is told once and none is left out.
 */
export function* tableLines(
  row: JsonObject,
  columns: readonly ReportColumn[],
  asJson: boolean,
): Generator<readonly Json[]> {
  const groups = columns.map((column) => choicesOf(row, column, asJson));
  const combinations = groups.reduce((count, { cells }) => count * cells.length, 1);
  if (combinations > mostCombinations) {
    const longest = groups.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    for (let at = 0; at < longest; at++)
      yield groups.flatMap(({ cells, blank }) => (blank === null ? (cells[0] ?? []) : (cells[at] ?? blank)));
    return;
  }
  for (let number = 0; number < combinations; number++) {
    let rest = number;
    const line: (readonly Json[])[] = [];
    for (const { cells } of groups.toReversed()) {
      line.push(cells[rest % cells.length] ?? []);
      rest = Math.floor(rest / cells.length);
    }
    yield line.reverse().flat();
  }
}

/** What a column puts into the lines of a row: cells for each entry of its list, at least once. `blank`: those of no entry; null for a column that is no list. */
function choicesOf(
  row: JsonObject,
  { key, parts }: ReportColumn,
  asJson: boolean,
): { readonly cells: readonly (readonly Json[])[]; readonly blank: readonly Json[] | null } {
  if (parts === undefined || asJson) {
    const value = row[key] ?? null;
    return { cells: [[typeof value === 'object' && value !== null ? JSON.stringify(value) : value]], blank: null };
  }
  const blank = parts.map(() => null);
  const entries = objectsOf(row, key);
  return {
    cells: entries.length === 0 ? [blank] : entries.map((entry) => parts.map((part) => entry[part] ?? null)),
    blank,
  };
}

/** A key as people read it: `record_title` is `Record Title`. */
export const columnTitle = (key: string): string =>
  key
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');
