// Cells of an import sheet as values: texts, booleans, days, controlled values; and the properties made of them by prefix.
import { readDate } from '../../dates/lenient-date.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { ReadingContext } from '../reading/context.ts';
import type { CsvRow } from './rows.ts';
import { isIsoDate } from '../reading/structured-dates.ts';

/**
 * What a column holds: a list's name means a value of that controlled list. Where there may be none, what is no number is left out. A `date`
 * may be a year or month; a `day` is a property that is one, in any notation that those are taken in.
 */
export type CellType =
  | 'text'
  | 'boolean'
  | 'date'
  | 'day'
  | 'integer'
  | 'integer_or_none'
  | 'decimal'
  | 'decimal_or_none'
  | 'amount_or_none'
  | { readonly list: string };

/** Properties of the columns `<prefix><property>` that have a value. A wrong cell is a fault of the row. */
export function properties(
  context: ReadingContext,
  row: CsvRow,
  prefix: string,
  types: Readonly<Record<string, CellType>>,
): Readonly<Record<string, Json>> {
  const found: Record<string, Json> = {};
  for (const [property, type] of Object.entries(types)) {
    const value = cellValue(context, row, `${prefix}${property}`, type);
    if (value !== undefined) found[property] = value;
  }
  return found;
}

/** What a word says where yes or no is wanted; undefined where it is neither, which counts as no and is told. */
export function flagOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (['1', 't', 'y', 'yes', 'true'].includes(word)) return true;
  return ['0', 'f', 'n', 'no', 'false'].includes(word) ? false : undefined;
}

/** How such a word is told. */
export const unclearFlag = 'neither yes nor no; no is stored';

const groupedThousands = /^[-+]?\d{1,3}(?:,\d{3})*(?:\.\d*)?$/;

/** The value of one cell; undefined where it is empty. */
function cellValue(context: ReadingContext, row: CsvRow, column: string, type: CellType): Json | undefined {
  const text = row.cell(column);
  if (text === undefined || type === 'text') return text;
  if (typeof type === 'object') return context.controlled(type.list, text);
  if (type === 'boolean') {
    const flag = flagOf(text);
    if (flag === undefined) context.report.dropText(row.line, column, text, unclearFlag);
    return flag === true;
  }
  if (type === 'date' || type === 'day') return toDate(row, column, text, type);
  // The form that collection management wants, which stays as it is written.
  if (type === 'amount_or_none' && /^\d{1,9}(\.\d{1,5})?$/.test(text)) return text;
  const number = type === 'amount_or_none' ? NaN : Number(text.replaceAll(',', ''));
  if (Number.isNaN(number)) {
    if (type === 'integer' || type === 'decimal') row.fault(column, `Not a number: ${text}`);
    else context.report.dropText(row.line, column, text, 'not a number');
    return undefined;
  }
  const isInteger = type === 'integer' || type === 'integer_or_none';
  const stored = isInteger ? String(Math.trunc(number)) : number.toFixed(2);
  if (text.includes(',') && !groupedThousands.test(text))
    context.report.dropText(row.line, column, text, `a comma that parts no thousands; ${stored} is stored`);
  else if (Number(stored) !== number)
    context.report.dropText(
      row.line,
      column,
      text,
      `${isInteger ? 'a whole number is' : 'two decimals are'} stored, ${stored}`,
    );
  return stored;
}

/** `m/d/yyyy` in the order of the United States, or what the check of records takes (contract, imports 7). */
function toDate(row: CsvRow, column: string, text: string, type: 'date' | 'day'): string | undefined {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (isIsoDate(iso)) return iso;
  const lenient = type === 'day' && year === undefined ? readDate(text) : null;
  if (lenient !== null) return lenient;
  row.fault(column, `Not a date: ${text}; it must be YYYY, YYYY-MM, YYYY-MM-DD or m/d/yyyy.`);
  return undefined;
}

/** Notes what a row lacks. */
export function missingCell(row: CsvRow, column: string): void {
  row.fault(column, `The row has no ${column}.`);
}

/** An object as a sub-record where it holds anything. */
export function subRecord(kind: string, fields: JsonObject, defaults: JsonObject = {}): JsonObject | undefined {
  return Object.keys(fields).length === 0 ? undefined : { jsonmodel_type: kind, ...defaults, ...fields };
}

/** A property with a list where the list holds anything. */
export function listed(property: string, list: readonly (JsonObject | undefined)[]): JsonObject {
  const given = list.filter((entry) => entry !== undefined);
  return given.length === 0 ? {} : { [property]: given };
}
