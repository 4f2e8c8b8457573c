// Reads workbooks (ECMA-376) from bytes that are in memory: sheets as rows of texts. What a workbook may inflate to is limited.
import { strFromU8, unzipSync } from 'fflate';
import { fail } from '../../errors.ts';
import { columnIndex, dayOf } from './cells.ts';
import type { NumberFormat } from './number-formats.ts';
import { readNumberFormats, shownNumber } from './number-formats.ts';
import { attribute, parsePart } from './parts.ts';

/**
 * A row: its number as the spreadsheet shows it, from 1, and the texts of its cells by column from 0; blank cells are absent. `unclear`
 * tells by column why a cell may not be taken for what it seems to say: it shows an error, or is blank for being merged with another.
 */
export type SheetRow = { readonly number: number; readonly cells: ReadonlyMap<number, string>; readonly unclear?: ReadonlyMap<number, string> };

/** The rows of a sheet that have any text, in order. Numbers come as they look, days as YYYY-MM-DD, booleans as true and false. */
export type SheetRows = readonly SheetRow[];

/** A workbook that was opened. `sheet` gives undefined where there is none of that name. */
export type Workbook = { readonly names: readonly string[]; sheet(name: string): SheetRows | undefined };

const wrong = (message: string) => fail('import_failed', { message });

/** Opens a workbook. Fails with `import_failed` where the bytes are none, or would inflate to more than `maxInflatedBytes`. */
export function readXlsx(bytes: Uint8Array, maxInflatedBytes: number): Workbook {
  let inflated = 0;
  let parts: { readonly [name: string]: Uint8Array };
  try {
    // fflate writes into buffers of the sizes that the directory states, so what it states is what it costs.
    parts = unzipSync(bytes, { filter: ({ name, originalSize }) => {
      if (!name.startsWith('xl/') || !/\.(xml|rels)$/.test(name)) return false;
      inflated += originalSize;
      if (inflated > maxInflatedBytes) throw wrong(`The workbook inflates to more than ${maxInflatedBytes} bytes`);
      return true;
    } });
  } catch (error) {
    throw inflated > maxInflatedBytes ? error : wrong('The file is no workbook (.xlsx)');
  }
  const textOf = (name: string): string | undefined => (parts[name] === undefined ? undefined : strFromU8(parts[name]));
  const workbook = textOf('xl/workbook.xml');
  if (workbook === undefined) throw wrong('The file is no workbook (.xlsx)');
  const { sheets, counts1904 } = readDirectory(workbook, textOf('xl/_rels/workbook.xml.rels') ?? '');
  const strings = readStrings(textOf('xl/sharedStrings.xml'));
  const formatOf = readNumberFormats(textOf('xl/styles.xml'));
  return {
    names: [...sheets.keys()],
    sheet: (name) => {
      const text = textOf(sheets.get(name) ?? '');
      return text === undefined ? undefined : readRows(text, { strings, formatOf, counts1904 });
    },
  };
}

function readDirectory(workbook: string, relations: string): { readonly sheets: ReadonlyMap<string, string>; readonly counts1904: boolean } {
  const targets = new Map<string, string>();
  parsePart(relations, { open: (tag) => {
    const target = attribute(tag, 'Target') ?? '';
    targets.set(attribute(tag, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  } });
  const sheets = new Map<string, string>();
  let counts1904 = false;
  parsePart(workbook, { open: (tag) => {
    if (tag.name === 'sheet') sheets.set(attribute(tag, 'name') ?? '', targets.get(tag.attributes.find((each) => each.local === 'id')?.value ?? '') ?? '');
    if (tag.name === 'workbookPr') counts1904 = ['1', 'true'].includes(attribute(tag, 'date1904') ?? '');
  } });
  return { sheets, counts1904 };
}

/** Shared strings; runs of rich text are joined, phonetic hints are left out. */
function readStrings(text: string | undefined): readonly string[] {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isHint = false;
  parsePart(text, {
    open: ({ name }) => {
      if (name === 'si') current = '';
      if (name === 'rPh') isHint = true;
      isText = name === 't' && !isHint;
    },
    text: (piece) => { if (isText) current += piece; },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'rPh') isHint = false;
      if (name === 'si') strings.push(current);
    },
  });
  return strings;
}

type Around = { readonly strings: readonly string[]; readonly formatOf: (style: number) => NumberFormat; readonly counts1904: boolean };
type Row = { readonly number: number; readonly cells: Map<number, string>; unclear?: Map<number, string> };

function readRows(text: string, around: Around): SheetRows {
  const rows: Row[] = [];
  let row: Row = { number: 0, cells: new Map() };
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  const merged: string[] = [];
  parsePart(text, {
    open: (tag) => {
      if (tag.name === 'row') {
        row = { number: Number(attribute(tag, 'r') ?? row.number + 1), cells: new Map() };
        column = -1;
      }
      if (tag.name === 'c') {
        const address = attribute(tag, 'r');
        column = address === undefined ? column + 1 : columnIndex(address);
        type = attribute(tag, 't') ?? 'n';
        style = Number(attribute(tag, 's') ?? 0);
        value = '';
      }
      if (tag.name === 'v' || tag.name === 't') isValue = true;
      if (tag.name === 'mergeCell') merged.push(attribute(tag, 'ref') ?? '');
    },
    text: (piece) => { if (isValue) value += piece; },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      if (name === 'c') {
        const shown = shownText(value, { ...around, type, style }).trim();
        if (shown !== '') row.cells.set(column, shown);
        if (type === 'e') (row.unclear ??= new Map()).set(column, `The cell shows an error: ${shown}`);
      }
      if (name === 'row' && row.cells.size > 0) rows.push(row);
    },
  });
  markMerged(rows, merged);
  return rows;
}

/** Notes the cells that are blank since they are merged with another: what stands there may be meant for them as well. */
function markMerged(rows: readonly Row[], merged: readonly string[]): void {
  if (merged.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const lastRow = rows.at(-1)?.number ?? 0;
  const lastColumn = rows.reduce((last, { cells }) => Math.max(last, ...cells.keys()), 0);
  for (const area of merged) {
    const [first = '', end = first] = area.split(':');
    const [top, bottom] = [first, end].map((address) => Number(/\d+$/.exec(address)?.[0] ?? 0));
    for (let number = top ?? 0; number <= Math.min(bottom ?? 0, lastRow); number++) {
      const row = byNumber.get(number);
      for (let column = columnIndex(first); row !== undefined && column <= Math.min(columnIndex(end), lastColumn); column++) {
        if (number !== top || column !== columnIndex(first)) (row.unclear ??= new Map()).set(column, `The cell is merged with ${first}`);
      }
    }
  }
}

function shownText(value: string, { type, style, strings, formatOf, counts1904 }: Around & { readonly type: string; readonly style: number }): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'd') return value.slice(0, 'YYYY-MM-DD'.length);
  if (type !== 'n' || value === '') return value;
  const format = formatOf(style);
  return format.isDay ? dayOf(Number(value), counts1904) ?? value : shownNumber(value, format);
}
