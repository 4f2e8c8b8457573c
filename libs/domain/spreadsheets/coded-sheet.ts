// Spreadsheets whose columns are named by a row of codes (contract trees-and-jobs 6.7, 6.8): rows of headings have text in their first
// column, rows of data have none; the heading whose first cell speaks of field codes names the columns. CSV, or the first sheet of a workbook.
import { parse } from 'csv-parse/sync';
import { Failure, fail } from '../errors.ts';
import { otherSeparator } from '../formats/csv/other-files.ts';
import { demandCsv, demandStorable, maxRowBytes, notUtf8, wantsQuotes, withoutHeading } from '../formats/csv/rows.ts';
import { withoutMark } from '../formats/csv/write.ts';
import { columnLetters } from '../formats/xlsx/cells.ts';
import { sheetLimits } from '../formats/xlsx/limits.ts';
import type { SheetRow, SheetRows } from '../formats/xlsx/read.ts';
import { readXlsx } from '../formats/xlsx/read.ts';
import { prefilledCodes } from '../templates/creation-templates.ts';
import { codesRow } from './codes-row.ts';
import type { SheetFault } from './rows.ts';
import { unclearCells } from './rows.ts';

/** A row of data: its number in the sheet, from 1, and its texts by code, trimmed; blank cells are absent. */
export type CodedRow = { readonly row: number; readonly cells: ReadonlyMap<string, string> };

/** What a sheet holds, or what is wrong with it as a whole. `name` is that of the sheet in its workbook, which `others` are behind; null where the file is CSV. `nameless`: the letters of columns that have texts and no heading of any kind. */
export type CodedSheet = {
  readonly name: string | null;
  readonly others: readonly string[];
  readonly codes: readonly string[];
  readonly nameless: readonly string[];
  readonly rows: readonly CodedRow[];
  readonly faults: readonly SheetFault[];
};

/** A file as a job has it. `contentType` is `csv` or `xlsx`, or the media type of either. */
export type SheetFile = { readonly bytes: Uint8Array; readonly contentType: string };

const mostRows = 100_000;
const mostInflatedBytes = 300_000_000;

/** Reads a sheet. Fails with `import_failed` where it is of no such type, cannot be read, or has no row of codes. */
export function readCodedSheet({ bytes, contentType }: SheetFile): CodedSheet {
  const found: Found | null = /csv/i.test(contentType)
    ? { name: null, others: [], table: readCsv(bytes) }
    : /xlsx|spreadsheetml/i.test(contentType)
      ? readWorkbook(bytes)
      : null;
  if (found === null)
    throw fail('import_failed', { message: `Files of the type ${contentType} cannot be read; it must be csv or xlsx` });
  const { name, others, table } = found;
  const head = table.findIndex(({ cells }) => codesRow.test(cells.get(0) ?? ''));
  const names = [...(table[head]?.cells ?? [])].filter(([column]) => column > 0);
  if (names.length === 0) throw noCodes(found);
  const codes = names.map(([, code]) => code);
  const codeOf = new Map(names);
  const last = new Map(codes.map((code, index) => [code, index]));
  const faults: SheetFault[] = [...new Set(codes.filter((code, index) => last.get(code) !== index))].map((code) => ({
    row: table[head]?.number ?? null,
    column: code,
    message: 'The column is there twice',
  }));
  const headings = table.slice(0, head + 1);
  const data = table.slice(head + 1).filter(({ cells }) => !cells.has(0));
  if (data.length > mostRows) faults.push({ row: null, column: null, message: `Has more than ${mostRows} rows` });
  faults.push(...unclearCells(data, names), ...surplusCells(data, headings, name === null));
  const nameless = [...new Set(data.flatMap(({ cells }) => [...cells.keys()]))]
    .filter((column) => !headings.some(({ cells }) => cells.has(column)))
    .sort((a, b) => a - b)
    .map(columnLetters);
  if (faults.length > 0) return { name, others, codes, nameless, rows: [], faults };
  const rows = data.map(({ number, cells }) => ({
    row: number,
    cells: new Map([...cells].flatMap(([column, cell]) => textOfCode(codeOf.get(column), cell))),
  }));
  return { name, others, codes, nameless, rows: rows.filter(({ cells }) => cells.size > 0), faults };
}

/** The failure of a sheet without codes: what was found in their place, as far as somebody sees from it what was sent. */
function noCodes({ name, others, table }: Found): Error {
  const first = [...(table[0]?.cells.values() ?? [])];
  const found =
    first.length === 0
      ? 'it is empty'
      : (otherSeparator(first) ??
        `its first row with text is: ${first
          .slice(0, 10)
          .map((cell) => cell.slice(0, 100))
          .join(' | ')}`);
  const beside = others.length === 0 ? '' : `; the first sheet is read, and behind it are: ${others.join(' | ')}`;
  return fail('import_failed', {
    message: `The sheet ${name === null ? '' : `${name} `}has no row of field codes: ${found}${beside}`,
  });
}

/** The first cell of each row that stands to the right of all headings, of whichever row of headings. */
function surplusCells(data: Table, headings: Table, isCsv: boolean): readonly SheetFault[] {
  const last = headings.reduce((most, { cells }) => Math.max(most, ...cells.keys()), 0);
  return data.flatMap(({ number, cells }) => {
    const [place] = [...cells.keys()].filter((column) => column > last).toSorted((a, b) => a - b);
    if (place === undefined) return [];
    const message = withoutHeading(cells.get(place) ?? '');
    return [{ row: number, column: columnLetters(place), message: isCsv ? `${message}; ${wantsQuotes}` : message }];
  });
}

/** Marks are taken off what the service itself wrote into a template; in other cells an apostrophe is what somebody typed (`'@home'`). */
const textOfCode = (code: string | undefined, text: string): readonly (readonly [string, string])[] =>
  code === undefined ? [] : [[code, prefilledCodes.has(code) ? withoutMark(text) : text]];

type Table = SheetRows;
/** The sheet of a file, and the names of those behind it. */
type Found = { readonly name: string | null; readonly others: readonly string[]; readonly table: Table };

/** The rows with text; they are counted as a spreadsheet program shows them, blank ones included. */
function readCsv(bytes: Uint8Array): Table {
  const rows: SheetRow[] = [];
  let cellCount = 0;
  let lastRow = 0;
  const take = (record: readonly string[], told: { readonly records: number; readonly empty_lines: number }): null => {
    const number = told.records + told.empty_lines;
    lastRow = number;
    const cells = new Map(
      record.map((cell, column) => [column, cell.trim()] as const).filter(([, cell]) => cell !== ''),
    );
    demandStorable(record, number);
    cellCount += cells.size;
    if (record.length > sheetLimits.columns)
      throw badSheet(`Row ${number} has more than ${sheetLimits.columns} columns`, number);
    if (cellCount > sheetLimits.cells) throw badSheet(`The sheet has more than ${sheetLimits.cells} cells`, number);
    if (rows.length >= sheetLimits.rows || number > sheetLimits.lastRow)
      throw badSheet(
        `The sheet has more than ${rows.length >= sheetLimits.rows ? sheetLimits.rows : sheetLimits.lastRow} rows`,
        number,
      );
    if (cells.size > 0) rows.push({ number, cells });
    // Nothing is kept by the parser.
    return null;
  };
  demandCsv(bytes);
  const text = decode(bytes);
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxRowBytes,
      on_record: take,
    });
  } catch (cause) {
    throw cause instanceof Failure
      ? cause
      : fail(
          'import_failed',
          {
            message: `The file is not CSV in UTF-8: ${cause instanceof Error ? cause.message : String(cause)}`,
            row: lastRow + 1,
          },
          {},
          cause,
        );
  }
  return rows;
}

const badSheet = (message: string, row: number): Error => fail('import_failed', { message, row });

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notUtf8(bytes, 1, cause);
  }
}

function readWorkbook(bytes: Uint8Array): Found {
  const workbook = readXlsx(bytes, mostInflatedBytes);
  const [name = '', ...others] = workbook.names;
  return { name, others, table: workbook.sheet(name) ?? [] };
}
