// The rows of one sheet of a workbook (ECMA-376, sheetData): texts by row and column, within the limits of a sheet.
import { badWorkbook } from './archive.ts';
import type { Part } from './archive.ts';
import { columnIndex, columnLetters, dayOf, withoutCodes } from './cells.ts';
import { sheetLimits } from './limits.ts';
import { shownNumber, shownTime } from './number-formats.ts';
import type { NumberFormat } from './number-formats.ts';
import { attribute, parsePart } from './parts.ts';

/**
 * A row: its number as the spreadsheet shows it, from 1, and the texts of its cells by column from 0; blank cells are absent. `unclear`
 * tells by column why a cell may not be taken for what it seems to say: it shows an error, has a formula without its value, or is blank for
 * being merged with another.
 */
export type SheetRow = {
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
  readonly unclear?: ReadonlyMap<number, string>;
};

/** The rows of a sheet that have any text, in order. Numbers and times come as they look, days as YYYY-MM-DD, booleans as true and false. */
export type SheetRows = readonly SheetRow[];

/** What cells refer to in the rest of the workbook. */
export type Around = {
  readonly strings: readonly string[];
  readonly formatOf: (style: number) => NumberFormat;
  readonly counts1904: boolean;
};

type Row = { readonly number: number; readonly cells: Map<number, string>; unclear?: Map<number, string> };

const shownCharacters = 100;
const noValue = 'The cell has a formula without its value; open the file in a spreadsheet program and save it there';

/** Reads a sheet. Of a formula its last value counts, and nothing is computed. Fails with `import_failed` {message, sheet, row, column} beyond the limits. */
export function readSheetRows(part: Part, sheet: string, around: Around): SheetRows {
  const rows: Row[] = [];
  let row: Row = { number: 0, cells: new Map() };
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  let isHint = false;
  let hasFormula = false;
  let cells = 0;
  let characters = 0;
  const merged: string[] = [];
  const refuse = (message: string): Error =>
    badWorkbook(message, {
      sheet: sheet.slice(0, shownCharacters),
      row: row.number,
      column: column >= 0 && column < sheetLimits.columns ? columnLetters(column) : '',
    });
  parsePart(part, {
    open: (tag) => {
      if (tag.name === 'row') {
        const number = Number(attribute(tag, 'r') ?? row.number + 1);
        if (!(Number.isInteger(number) && number > 0 && number <= sheetLimits.lastRow))
          throw refuse(
            `The sheet has a row with the number ${String(number).slice(0, shownCharacters)}, which no spreadsheet has`,
          );
        row = { number, cells: new Map() };
        column = -1;
      }
      if (tag.name === 'c') {
        const address = attribute(tag, 'r');
        column = address === undefined ? column + 1 : columnIndex(address);
        if (!(column >= 0 && column < sheetLimits.columns))
          throw refuse(
            `The sheet has a cell at ${(address ?? 'the end of a row').slice(0, shownCharacters)}, beyond the last column of any spreadsheet (XFD)`,
          );
        type = attribute(tag, 't') ?? 'n';
        style = Number(attribute(tag, 's') ?? 0);
        value = '';
        hasFormula = false;
      }
      if (tag.name === 'f') hasFormula = true;
      if (tag.name === 'rPh') isHint = true;
      if (tag.name === 'v' || tag.name === 't') isValue = !isHint;
      if (tag.name === 'mergeCell') merged.push(attribute(tag, 'ref') ?? '');
    },
    text: (piece) => {
      if (!isValue) return;
      value += piece;
      if (value.length > sheetLimits.cellCharacters)
        throw refuse(`The cell holds more than ${sheetLimits.cellCharacters} characters`);
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      if (name === 'rPh') isHint = false;
      if (name === 'c') {
        const shown = shownText(value, { ...around, type, style }).trim();
        if (shown !== '') {
          row.cells.set(column, shown);
          cells += 1;
          characters += shown.length;
          if (cells > sheetLimits.cells) throw refuse(`The sheet has more than ${sheetLimits.cells} cells`);
          if (characters > sheetLimits.characters)
            throw refuse(`The sheet holds more than ${sheetLimits.characters} characters`);
        }
        const unclear = whyUnclear(value, shown, { type, hasFormula, strings: around.strings });
        if (unclear !== null) (row.unclear ??= new Map()).set(column, unclear);
      }
      if (name !== 'row' || (row.cells.size === 0 && row.unclear === undefined)) return;
      rows.push(row);
      if (rows.length > sheetLimits.rows) throw refuse(`The sheet has more than ${sheetLimits.rows} rows`);
    },
  });
  markMerged(rows, merged, sheet);
  return rows;
}

/** Notes the cells that are blank since they are merged with another: what stands there may be meant for them as well. */
function markMerged(rows: readonly Row[], merged: readonly string[], sheet: string): void {
  if (merged.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const lastRow = rows.at(-1)?.number ?? 0;
  const lastColumn = rows.reduce((last, { cells }) => Math.max(last, ...cells.keys()), 0);
  let looked = 0;
  const look = (area: string): void => {
    looked += 1;
    if (looked > sheetLimits.merged)
      throw badWorkbook(`The sheet has more than ${sheetLimits.merged} merged cells`, {
        sheet: sheet.slice(0, shownCharacters),
        area: area.slice(0, shownCharacters),
      });
  };
  for (const area of merged) {
    const [first = '', end = first] = area.split(':');
    const [top, bottom] = [first, end].map((address) => Number(/\d{1,7}$/.exec(address)?.[0] ?? 0));
    for (let number = top ?? 0; number <= Math.min(bottom ?? 0, lastRow); number++) {
      look(area);
      const row = byNumber.get(number);
      for (
        let column = columnIndex(first);
        row !== undefined && column <= Math.min(columnIndex(end), lastColumn);
        column++
      ) {
        look(area);
        if (number !== top || column !== columnIndex(first))
          (row.unclear ??= new Map()).set(column, `The cell is merged with ${first.slice(0, shownCharacters)}`);
      }
    }
  }
}

/** Why a cell may not be taken for what it seems to say; null where it may. */
function whyUnclear(
  value: string,
  shown: string,
  {
    type,
    hasFormula,
    strings,
  }: { readonly type: string; readonly hasFormula: boolean; readonly strings: readonly string[] },
): string | null {
  if (type === 'e') return `The cell shows an error: ${shown.slice(0, shownCharacters)}`;
  if (type === 's' && value !== '' && strings[Number(value)] === undefined)
    return 'The cell names a text that the workbook does not have';
  // Programs that do not compute write no value; a formula whose value is a blank text says so (`str`).
  return hasFormula && value === '' && type !== 'str' ? noValue : null;
}

function shownText(
  value: string,
  { type, style, strings, formatOf, counts1904 }: Around & { readonly type: string; readonly style: number },
): string {
  if (value === '') return value;
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'd') return value.slice(0, 'YYYY-MM-DD'.length);
  if (type !== 'n') return withoutCodes(value);
  const format = formatOf(style);
  const day = (): string => dayOf(Number(value), counts1904) ?? value;
  if (format.time !== null) return shownTime(value, format.time) ?? day();
  return format.isDay ? day() : shownNumber(value, format);
}
