// The rows of a spreadsheet that came back: which record, which version, and the texts of the columns that are still there.
import type { SheetRows } from '../formats/xlsx/read.ts';
import { readXlsx } from '../formats/xlsx/read.ts';
import { sheetLimits } from '../formats/xlsx/limits.ts';
import { fail } from '../errors.ts';
import { listOfPath, parsePath } from './columns.ts';
import { updatesSheet } from './updater-workbook.ts';

/** A row: its number in the sheet, and the texts of all columns by path; null where the cell is blank. */
export type UpdateRow = { readonly row: number; readonly cells: ReadonlyMap<string, string | null> };

/** Something that is wrong, and where; `column` is a path, or null for the row as a whole. */
export type SheetFault = { readonly row: number | null; readonly column: string | null; readonly message: string };

/** The rows of a workbook of which the record is clear, and what is wrong with all of them. */
export type ReadUpdates = { readonly rows: readonly UpdateRow[]; readonly faults: readonly SheetFault[] };

const mostRows = 10_000;
const mostInflatedBytes = 300_000_000;

/** Reads the sheet of updates. Fails with `import_failed` where the bytes are no workbook or have no such sheet. */
export function readUpdateSheet(bytes: Uint8Array): ReadUpdates {
  const sheet = readXlsx(bytes, mostInflatedBytes).sheet(updatesSheet);
  if (sheet === undefined) throw fail('import_failed', { message: `The workbook has no sheet ${updatesSheet}` });
  return toUpdates(sheet);
}

function toUpdates(sheet: SheetRows): ReadUpdates {
  const paths = [...(sheet.find(({ number }) => number === 2)?.cells ?? [])];
  const faults: SheetFault[] = paths
    .filter(([, path]) => parsePath(path) === null)
    .map(([, path]) => ({ row: 2, column: path, message: 'Is no column of this spreadsheet' }));
  const names = new Set<string>();
  for (const [, path] of paths) {
    if (names.has(path)) faults.push({ row: 2, column: path, message: 'Is there twice' });
    names.add(path);
  }
  for (const needed of ['id', 'lock_version'])
    if (!names.has(needed)) faults.push({ row: 2, column: needed, message: 'The column is missing' });
  const data = sheet.filter(({ number }) => number > 2);
  if (data.length > mostRows) faults.push({ row: null, column: null, message: `Has more than ${mostRows} rows` });
  if (data.length * paths.length > sheetLimits.cells)
    faults.push({
      row: null,
      column: null,
      message: `Has more than ${sheetLimits.cells} cells: ${data.length} rows in ${paths.length} columns`,
    });
  if (faults.length > 0) return { rows: [], faults };
  const rows = data.map(({ number, cells }): UpdateRow => ({
    row: number,
    cells: new Map(paths.map(([column, path]) => [path, cellText(path, cells.get(column))])),
  }));
  const nameless = [...rows.flatMap(badIds), ...twice(rows)];
  const isNameless = new Set(nameless.map(({ row }) => row));
  return { rows: rows.filter(({ row }) => !isNameless.has(row)), faults: [...nameless, ...unclearCells(data, paths)] };
}

/** The cells of rows of data that may not be taken for what they seem to say, in columns that have a name. */
export function unclearCells(data: SheetRows, names: readonly (readonly [number, string])[]): readonly SheetFault[] {
  return data
    .filter(({ unclear }) => unclear !== undefined)
    .flatMap(({ number, unclear }) =>
      names.flatMap(([column, name]) => {
        const message = unclear?.get(column);
        return message === undefined ? [] : [{ row: number, column: name, message }];
      }),
    );
}

const badIds = ({ row, cells }: UpdateRow): readonly SheetFault[] =>
  /^\d{1,9}$/.test(cells.get('id') ?? '')
    ? []
    : [{ row, column: 'id', message: 'Must be the id of an archival object' }];

function twice(rows: readonly UpdateRow[]): readonly SheetFault[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ row, cells }) => {
    const id = cells.get('id') ?? '';
    if (badIds({ row, cells }).length > 0) return [];
    const other = first.get(id);
    if (other === undefined) first.set(id, row);
    return other === undefined ? [] : [{ row, column: 'id', message: `The same record is in row ${other}` }];
  });
}

/** What stands in the last brackets of a text, in which values may have pairs of their own (`reels [ca.]`); null where none end it. */
function lastBrackets(text: string): string | null {
  let open = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ']') open += 1;
    else if (text[at] === '[') open -= 1;
    if (open === 0) return at === text.length - 1 ? null : text.slice(at + 1, -1);
  }
  return null;
}

/** The value of a cell: of a controlled list what stands in the last brackets, or the text where there are none; of a flag true or false. */
function cellText(path: string, text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const list = listOfPath(path);
  if (list === undefined) return text;
  if (list === 'boolean') return text.toLowerCase() === 'true' ? 'true' : 'false';
  return lastBrackets(text) ?? text;
}
