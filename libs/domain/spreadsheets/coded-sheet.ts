// Spreadsheets whose columns are named by a row of codes (contract trees-and-jobs 6.7, 6.8): rows of headings have text in their first
// column, rows of data have none; the heading whose first cell speaks of field codes names the columns. CSV, or the first sheet of a workbook.
import { parse } from 'csv-parse/sync';
import { fail } from '../errors.ts';
import type { SheetRows } from '../formats/xlsx/read.ts';
import { readXlsx } from '../formats/xlsx/read.ts';
import type { SheetFault } from './rows.ts';
import { unclearCells } from './rows.ts';

/** A row of data: its number in the sheet, from 1, and its texts by code, trimmed; blank cells are absent. */
export type CodedRow = { readonly row: number; readonly cells: ReadonlyMap<string, string> };

/** What a sheet holds, or what is wrong with it as a whole. `name` is that of the sheet in its workbook; null where the file is CSV. */
export type CodedSheet = { readonly name: string | null; readonly codes: readonly string[]; readonly rows: readonly CodedRow[]; readonly faults: readonly SheetFault[] };

/** A file as a job has it. `contentType` is `csv` or `xlsx`, or the media type of either. */
export type SheetFile = { readonly bytes: Uint8Array; readonly contentType: string };

const mostRows = 100_000;
const mostInflatedBytes = 300_000_000;
const codesRow = /field codes?\b/i;

/** Reads a sheet. Fails with `import_failed` where it is of no such type, cannot be read, or has no row of codes. */
export function readCodedSheet({ bytes, contentType }: SheetFile): CodedSheet {
  const found = /csv/i.test(contentType) ? { name: null, table: readCsv(bytes) } : /xlsx|spreadsheetml/i.test(contentType) ? readWorkbook(bytes) : null;
  if (found === null) throw fail('import_failed', { message: `Files of the type ${contentType} cannot be read; it must be csv or xlsx` });
  const { name, table } = found;
  const head = table.findIndex(({ cells }) => codesRow.test(cells.get(0) ?? ''));
  const names = [...(table[head]?.cells ?? [])].filter(([column]) => column > 0);
  if (names.length === 0) throw fail('import_failed', { message: 'The sheet has no row of field codes' });
  const codes = names.map(([, code]) => code);
  const faults: SheetFault[] = [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))].map((code) => ({ row: table[head]?.number ?? null, column: code, message: 'The column is there twice' }));
  const data = table.slice(head + 1).filter(({ cells }) => cells.size > 0 && !cells.has(0));
  if (data.length > mostRows) faults.push({ row: null, column: null, message: `Has more than ${mostRows} rows` });
  faults.push(...unclearCells(data, names));
  if (faults.length > 0) return { name, codes, rows: [], faults };
  const rows = data.map(({ number, cells }) => ({ row: number, cells: new Map(names.flatMap(([column, code]) => (cells.has(column) ? [[code, cells.get(column) ?? ''] as const] : []))) }));
  return { name, codes, rows: rows.filter(({ cells }) => cells.size > 0), faults };
}

type Table = SheetRows;

function readCsv(bytes: Uint8Array): Table {
  let records: readonly (readonly string[])[];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Rows are counted as a spreadsheet program shows them, blank ones included.
    records = parse(text, { bom: true, relax_column_count: true, relax_quotes: true });
  } catch (cause) {
    throw fail('import_failed', { message: `The file is not CSV in UTF-8: ${cause instanceof Error ? cause.message : String(cause)}` }, {}, cause);
  }
  return records.map((record, index) => ({ number: index + 1, cells: new Map(record.map((cell, column) => [column, cell.trim()] as const).filter(([, cell]) => cell !== '')) }));
}

function readWorkbook(bytes: Uint8Array): { readonly name: string; readonly table: Table } {
  const workbook = readXlsx(bytes, mostInflatedBytes);
  const name = workbook.names[0] ?? '';
  return { name, table: workbook.sheet(name) ?? [] };
}
