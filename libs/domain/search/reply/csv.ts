// Search documents as CSV (contract: behaviour-search.md section 7): a header of field names, a line for each document.
import { csvLine } from '../../formats/csv/write.ts';
import type { Json, JsonObject } from '../../json.ts';

/** The header line of some columns. */
export function toCsvHeader(columns: readonly string[]): string {
  return csvLine(columns);
}

/** The line of a document: the columns' values in order, absent ones empty, several values joined by commas. */
export function toCsvLine(document: JsonObject, columns: readonly string[]): string {
  return csvLine(columns.map((column) => toCell(document[column])));
}

function toCell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  // Commas within one of several values carry a backslash, so that the values can be told apart again.
  if (Array.isArray(value)) return value.map((item: Json) => toCell(item).replace(/[\\,]/g, '\\$&')).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
