// One row of a sheet to load (contract trees-and-jobs 6.7), read cell by cell: what is wrong with a cell is told to the reader's row and
// column, and reading goes on, so that all faults of a sheet are found at once.
import type { Json, JsonObject } from '../../json.ts';
import type { CodedRow } from '../coded-sheet.ts';
import type { Controlled } from '../controlled.ts';
import type { SheetFault } from '../rows.ts';

/** The controlled lists as cells are read against them; `isOpen` lists take values that are not in them. */
export type LoadLists = { readonly value: Controlled; readonly isOpen: (list: string) => boolean };

/** The cells of a row by code. A blank cell is undefined, and so is a wrong one, whose fault is noted. */
export type RowReader = {
  readonly row: number;
  has(code: string): boolean;
  text(code: string): string | undefined;
  /** `1`, `t` and `true` in any case are true, other texts false; a word that does not say so is told once. */
  flag(code: string): boolean | undefined;
  value(code: string, list: string): string | undefined;
  /** As `value`, but a text that is in no list is a new value of it where the list is open. */
  openValue(code: string, list: string): string | undefined;
  wrong(code: string, message: string): void;
  /** Tells who reads the report something that is no fault. */
  note(message: string): void;
};

/** A reader of the row; faults and notes are appended to the lists given. */
export function readRow({ row, cells }: CodedRow, lists: LoadLists, faults: SheetFault[], notes: string[]): RowReader {
  const wrong = (column: string, message: string): void => void faults.push({ row, column, message });
  const value = (code: string, list: string, takesNew: boolean): string | undefined => {
    const text = cells.get(code);
    if (text === undefined) return undefined;
    const found = lists.value(list, text);
    if (found === undefined && takesNew && lists.isOpen(list)) return text;
    if (found === undefined) wrong(code, `${text} is no value of the list ${list}`);
    return found;
  };
  return {
    row,
    has: (code) => cells.has(code),
    text: (code) => cells.get(code),
    flag: (code) => {
      const text = cells.get(code);
      if (text === undefined) return undefined;
      const word = text.toLowerCase();
      if (['1', 't', 'true'].includes(word)) return true;
      const told = `${code}: ${text} is not 1, t or true, and counts as false`;
      if (!['0', 'f', 'false', 'n', 'no'].includes(word) && !notes.includes(told)) notes.push(told);
      return false;
    },
    value: (code, list) => value(code, list, false),
    openValue: (code, list) => value(code, list, true),
    wrong,
    note: (message) => void notes.push(message),
  };
}

/** What a column holds; a list's name means a value of that controlled list. */
type CellType = 'text' | 'flag' | 'whole' | { readonly list: string };

/** The columns of a part of a record: property, code, type. */
export type PartColumns = readonly (readonly [property: string, code: string, type: CellType])[];

/** A sub-record with the code behind each of its properties, those of blank cells included. */
export type Part = { readonly body: JsonObject; readonly codes: { readonly [property: string]: string } };

/** The properties of the columns that have a value; `suffix` (`_2`) belongs to every code. */
export function readPart(reader: RowReader, columns: PartColumns, suffix = ''): Part {
  const body: { [property: string]: Json } = {};
  const codes: { [property: string]: string } = {};
  for (const [property, name, type] of columns) {
    const code = `${name}${suffix}`;
    codes[property] = code;
    const value =
      typeof type === 'object'
        ? reader.value(code, type.list)
        : type === 'flag'
          ? reader.flag(code)
          : type === 'whole'
            ? wholeNumber(reader, code)
            : reader.text(code);
    if (value !== undefined) body[property] = value;
  }
  return { body, codes };
}

function wholeNumber(reader: RowReader, code: string): number | undefined {
  const text = reader.text(code);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  reader.wrong(code, `${text} is no whole number`);
  return undefined;
}

/** Whether any of the columns with this suffix is filled. */
export const isFilled = (reader: RowReader, codes: readonly string[], suffix = ''): boolean =>
  codes.some((code) => reader.has(`${code}${suffix}`));

/** The suffixes of repeated groups that the sheet has columns for: '', '_2', '_3'… */
export function suffixesOf(codes: readonly string[]): readonly string[] {
  const last = codes.reduce((most, code) => Math.max(most, Number(/_(\d{1,2})$/.exec(code)?.[1] ?? 1)), 1);
  return Array.from({ length: last }, (_, index) => (index === 0 ? '' : `_${index + 1}`));
}
