// Reads workbooks (ECMA-376) from bytes that are in memory: sheets as rows of texts. What a workbook may inflate to is limited.
import { strFromU8, unzipSync } from 'fflate';
import { fail } from '../../errors.ts';
import { createXmlReader } from '../xml/reader.ts';
import type { XmlHandlers, XmlTag } from '../xml/reader.ts';
import { columnIndex, dayOf } from './cells.ts';

/** A row: its number as the spreadsheet shows it, from 1, and the texts of its cells by column from 0; blank cells are absent. */
export type SheetRow = { readonly number: number; readonly cells: ReadonlyMap<number, string> };

/** The rows of a sheet that have any text, in order. Numbers come as they are written, days as YYYY-MM-DD, booleans as true and false. */
export type SheetRows = readonly SheetRow[];

/** A workbook that was opened. `sheet` gives undefined where there is none of that name. */
export type Workbook = { readonly names: readonly string[]; sheet(name: string): SheetRows | undefined };

const wrong = (message: string) => fail('import_failed', { message });
const attribute = (tag: XmlTag, name: string): string | undefined => tag.attributes.find((each) => each.local === name)?.value;

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
  const isDay = readDayStyles(textOf('xl/styles.xml'));
  return {
    names: [...sheets.keys()],
    sheet: (name) => {
      const text = textOf(sheets.get(name) ?? '');
      return text === undefined ? undefined : readRows(text, { strings, isDay, counts1904 });
    },
  };
}

function parse(text: string | undefined, handlers: Partial<XmlHandlers>): void {
  if (text === undefined || text === '') return;
  const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined, ...handlers });
  reader.feed(text);
  reader.end();
}

function readDirectory(workbook: string, relations: string): { readonly sheets: ReadonlyMap<string, string>; readonly counts1904: boolean } {
  const targets = new Map<string, string>();
  parse(relations, { open: (tag) => {
    const target = attribute(tag, 'Target') ?? '';
    targets.set(attribute(tag, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  } });
  const sheets = new Map<string, string>();
  let counts1904 = false;
  parse(workbook, { open: (tag) => {
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
  parse(text, {
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

/** Which styles show numbers as days: built-in formats 14 to 22 and 45 to 47, and own ones with a year, month or day in them. */
function readDayStyles(text: string | undefined): (style: number) => boolean {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isCell = false;
  parse(text, {
    open: (tag) => {
      if (tag.name === 'numFmt') own.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '');
      if (tag.name === 'cellXfs') isCell = true;
      if (tag.name === 'xf' && isCell) styles.push(Number(attribute(tag, 'numFmtId') ?? 0));
    },
    close: (name) => { if (name === 'cellXfs') isCell = false; },
  });
  return (style) => {
    const format = styles[style] ?? 0;
    if ((format >= 14 && format <= 22) || (format >= 45 && format <= 47)) return true;
    return /[ymd]/i.test((own.get(format) ?? '').replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));
  };
}

type Around = { readonly strings: readonly string[]; readonly isDay: (style: number) => boolean; readonly counts1904: boolean };

function readRows(text: string, around: Around): SheetRows {
  const rows: SheetRow[] = [];
  let cells = new Map<number, string>();
  let number = 0;
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  parse(text, {
    open: (tag) => {
      if (tag.name === 'row') {
        cells = new Map();
        number = Number(attribute(tag, 'r') ?? number + 1);
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
    },
    text: (piece) => { if (isValue) value += piece; },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      if (name === 'c') {
        const shown = shownText(value, { ...around, type, style }).trim();
        if (shown !== '') cells.set(column, shown);
      }
      if (name === 'row' && cells.size > 0) rows.push({ number, cells });
    },
  });
  return rows;
}

function shownText(value: string, { type, style, strings, isDay, counts1904 }: Around & { readonly type: string; readonly style: number }): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'n' && value !== '' && isDay(style)) return dayOf(Number(value), counts1904);
  return type === 'e' ? '' : value;
}
