// Writes workbooks as streams of bytes (ECMA-376, strings inline): a sheet is compressed while its rows come, and nothing is held but a
// chunk. Sheets may be protected, with cells that stay editable, frozen panes, hidden columns and drop-downs.
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { fail } from '../../errors.ts';
import { escapeAttribute, escapeText } from '../xml/escape.ts';
import { columnLetters, dayNumber, escapeCodes, longestCell } from './cells.ts';
import { sheetLimits } from './limits.ts';
import type { CellStyle } from './styles.ts';
import { cellStyles, stylesXml } from './styles.ts';

/** A cell: nothing, text, a number, or a day (`YYYY-MM-DD`; one that spreadsheets cannot count stays text). */
export type Cell = { readonly value: string | number | null; readonly style?: CellStyle; readonly isDay?: true };

/** A column; width in characters. Its blank cells have its style without being written, which saves most of a wide and sparse sheet. */
type SheetColumn = { readonly width?: number; readonly hidden?: true; readonly style?: CellStyle };

/** A drop-down for cells of a column: rows count from 1; `values` is a range such as `Enums!$B$2:$B$9`. */
export type DropDown = {
  readonly column: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly values: string;
};

/** A sheet. `freeze`: rows and columns that stay in sight. */
export type Sheet = {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
  readonly isProtected?: true;
  readonly freeze?: { readonly rows: number; readonly columns: number };
  readonly dropDowns?: readonly DropDown[];
};

/** The media type of workbooks. */
export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The bytes of the workbook. Rows are taken once, sheet after sheet. Fails with `too_large` where a sheet has more rows than any program opens. */
export async function* writeXlsx(
  sheets: readonly Sheet[],
  mostRows: number = sheetLimits.lastRow,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    if (error !== null) failure = error;
    else ready.push(bytes);
  });
  const taken = (): readonly Uint8Array[] => {
    if (failure !== null) throw failure;
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for (const [name, text] of Object.entries(smallParts(sheets))) {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    part.push(strToU8(text), true);
  }
  yield* taken();
  for (const [index, sheet] of sheets.entries()) {
    const part = new ZipDeflate(`xl/worksheets/sheet${index + 1}.xml`, { level: 6 });
    zip.add(part);
    for await (const text of sheetTexts(sheet, mostRows)) {
      part.push(strToU8(text));
      yield* taken();
    }
    part.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

function smallParts(sheets: readonly Sheet[]): { readonly [name: string]: string } {
  const each = (text: (number: number, sheet: Sheet) => string): string =>
    sheets.map((sheet, index) => text(index + 1, sheet)).join('');
  return {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each((n, { name }) => `<sheet name="${escapeAttribute(name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageRelations}">${each((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesXml,
  };
}

const chunkCharacters = 65_536;

async function* sheetTexts(
  { name, columns, rows, isProtected, freeze, dropDowns = [] }: Sheet,
  mostRows: number,
): AsyncGenerator<string> {
  let text = `${head}<worksheet xmlns="${main}">${pane(freeze)}${columnsXml(columns)}<sheetData>`;
  const letters: string[] = [];
  let row = 0;
  for await (const cells of rows) {
    row += 1;
    if (row > mostRows)
      throw fail(
        'too_large',
        `The sheet ${name} would have more than ${mostRows} rows, which no spreadsheet program opens; CSV and JSON have no such end`,
      );
    text += `<row r="${row}">`;
    for (const [column, cell] of cells.entries()) {
      const isBlank = cell.value === null || cell.value === '';
      if (!isBlank || (cell.style ?? 'plain') !== (columns[column]?.style ?? 'plain'))
        text += cellXml(cell, `${(letters[column] ??= columnLetters(column))}${row}`);
    }
    text += '</row>';
    if (text.length < chunkCharacters) continue;
    yield text;
    text = '';
  }
  // The order of what follows the rows is fixed.
  yield `${text}</sheetData>${isProtected === true ? '<sheetProtection sheet="1" objects="1" scenarios="1" formatColumns="0" formatRows="0" sort="0"/>' : ''}${validations(dropDowns)}</worksheet>`;
}

function pane(freeze: Sheet['freeze']): string {
  if (freeze === undefined) return '';
  const { rows, columns } = freeze;
  return `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${columns}" ySplit="${rows}" topLeftCell="${columnLetters(columns)}${rows + 1}" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>`;
}

function columnsXml(columns: readonly SheetColumn[]): string {
  if (columns.length === 0) return '';
  const each = columns.map(
    ({ width = 18, hidden, style }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${style === undefined ? '' : ` style="${cellStyles.indexOf(style)}"`}${hidden === true ? ' hidden="1"' : ''}/>`,
  );
  return `<cols>${each.join('')}</cols>`;
}

function cellXml({ value, style = 'plain', isDay }: Cell, address: string): string {
  const day = isDay === true && typeof value === 'string' ? dayNumber(value) : null;
  const number = cellStyles.indexOf(day === null ? style : 'date');
  const styled = number === 0 ? '' : ` s="${number}"`;
  if (day !== null) return `<c r="${address}"${styled}><v>${day}</v></c>`;
  if (value === null || value === '') return `<c r="${address}"${styled}/>`;
  if (typeof value === 'number') return `<c r="${address}"${styled}><v>${value}</v></c>`;
  return `<c r="${address}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeText(escapeCodes(value.slice(0, longestCell)))}</t></is></c>`;
}

function validations(dropDowns: readonly DropDown[]): string {
  if (dropDowns.length === 0) return '';
  const each = dropDowns.map(({ column, firstRow, lastRow, values }) => {
    const letters = columnLetters(column);
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters}${firstRow}:${letters}${lastRow}"><formula1>${escapeText(values)}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${each.length}">${each.join('')}</dataValidations>`;
}
