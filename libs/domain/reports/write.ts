// Writes a report as JSON, CSV, HTML, RTF or a workbook, piece by piece.
import type { Cell } from '../formats/xlsx/write.ts';
import { writeXlsx } from '../formats/xlsx/write.ts';
import { longestCell } from '../formats/xlsx/cells.ts';
import { csvLine } from '../formats/csv/write.ts';
import { escapeText } from '../formats/xml/escape.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ReportFormat } from './reports.ts';
import type { ReportColumn } from './table.ts';
import { columnTitle, tableHead, tableLines } from './table.ts';

/** A report to be written: its rows are JSON texts, taken once. `showsJson`: lists are JSON text in CSV. */
export type ReportOutput = {
  readonly title: string;
  readonly info: { readonly [key: string]: string };
  readonly columns: readonly ReportColumn[];
  readonly rows: AsyncIterable<string>;
  readonly showsJson: boolean;
};

/** Stands between rows that cross into a thread as one text: JSON has no such character, while line breaks it may have. */
export const rowSeparator = '\u001e';

/** The media type and the ending of the file's name. PDF is printed: `printed-lines.ts`. */
export const reportFiles: { readonly [Format in ReportFormat]: { readonly mediaType: string } } = {
  json: { mediaType: 'application/json' },
  csv: { mediaType: 'text/csv' },
  html: { mediaType: 'text/html' },
  pdf: { mediaType: 'application/pdf' },
  rtf: { mediaType: 'application/rtf' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
};

/** What a report without rows says. */
export const nothing = 'No results found.';
const textOfCell = (cell: Json | undefined): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'string' ? cell : String(cell);

/** The bytes of the report in a format other than PDF. */
export async function* writeReport(
  format: Exclude<ReportFormat, 'pdf'>,
  report: ReportOutput,
): AsyncGenerator<Uint8Array> {
  if (format === 'xlsx') return yield* workbook(report);
  const texts = { json: jsonTexts, csv: csvTexts, html: htmlTexts, rtf: rtfTexts }[format](report);
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < 65_536) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}

async function* jsonTexts({ info, rows }: ReportOutput): AsyncGenerator<string> {
  yield `{"info":${JSON.stringify(info)},"records":[`;
  let before = '';
  for await (const row of rows) {
    yield `${before}${row}`;
    before = ',\n';
  }
  yield ']}';
}

/** Rows with what lists hold, as objects. */
async function* parsed(rows: AsyncIterable<string>): AsyncGenerator<JsonObject> {
  // Made by json_build_object.
  for await (const row of rows) yield JSON.parse(row);
}

async function* csvTexts({ info, columns, rows, showsJson }: ReportOutput): AsyncGenerator<string> {
  for (const [key, value] of Object.entries(info)) yield csvLine([key, value]);
  yield '\n';
  let isEmpty = true;
  for await (const row of parsed(rows)) {
    if (isEmpty) yield csvLine([...tableHead(columns, showsJson)]);
    isEmpty = false;
    for (const line of tableLines(row, columns, showsJson)) yield csvLine(line.map(textOfCell));
  }
  if (isEmpty) yield csvLine([nothing]);
}

async function* workbook({ title, info, columns, rows }: ReportOutput): AsyncGenerator<Uint8Array> {
  let cut = 0;
  const cellOf = (value: Json): Cell => {
    if (typeof value === 'number') return { value };
    const text = textOfCell(value);
    if (text.length > longestCell) {
      cut += 1;
      return { value: `${text.slice(0, longestCell - 1)}…` };
    }
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { value: text, isDay: true } : { value: text };
  };
  async function* lines(): AsyncGenerator<readonly Cell[]> {
    yield tableHead(columns, false).map((value) => ({ value: columnTitle(value), style: 'heading' }));
    for await (const row of parsed(rows)) for (const line of tableLines(row, columns, false)) yield line.map(cellOf);
  }
  // Rows are taken sheet after sheet: what was cut is known when these are.
  function* about(): Generator<readonly Cell[]> {
    yield [{ value: 'Report' }, { value: title }];
    for (const line of Object.entries(info)) yield line.map((value) => ({ value }));
    if (cut > 0) yield [{ value: `Texts that end in … at the ${longestCell} characters of a cell` }, { value: cut }];
  }
  yield* writeXlsx([
    {
      name: 'Report',
      columns: tableHead(columns, false).map(() => ({ width: 20 })),
      rows: lines(),
      freeze: { rows: 1, columns: 0 },
    },
    { name: 'About', columns: [], rows: about() },
  ]);
}

async function* htmlTexts({ title, info, columns, rows }: ReportOutput): AsyncGenerator<string> {
  yield `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeText(title)}</title><style>body{font-family:sans-serif}table{border-collapse:collapse}th,td{border:1px solid #999;padding:.2em .4em;text-align:left;vertical-align:top}</style></head><body><h1>${escapeText(title)}</h1><dl>`;
  for (const [key, value] of Object.entries(info))
    yield `<dt>${escapeText(columnTitle(key))}</dt><dd>${escapeText(value)}</dd>`;
  yield `</dl><table><thead><tr>${columns.map(({ key }) => `<th>${escapeText(columnTitle(key))}</th>`).join('')}</tr></thead><tbody>`;
  let isEmpty = true;
  for await (const row of parsed(rows)) {
    isEmpty = false;
    yield `<tr>${columns.map((column) => `<td>${htmlCell(row, column)}</td>`).join('')}</tr>\n`;
  }
  yield `</tbody></table>${isEmpty ? `<p>${nothing}</p>` : ''}</body></html>`;
}

function htmlCell(row: JsonObject, { key, parts }: ReportColumn): string {
  const value = row[key];
  if (parts === undefined || !Array.isArray(value)) return escapeText(textOfCell(value));
  return partTexts(value, parts)
    .map((text) => escapeText(text))
    .join('<br>');
}

const partTexts = (entries: readonly Json[], parts: readonly string[]): readonly string[] =>
  // Lists of reports hold objects alone.
  entries.map((entry) =>
    parts
      .map((part) => textOfCell((entry as JsonObject)[part]))
      .filter((text) => text !== '')
      .join(', '),
  );

/** The lines `Title: value` of a row, for documents in which a row is a block. */
export function blockLines(row: JsonObject, columns: readonly ReportColumn[]): readonly (readonly [string, string])[] {
  return columns.flatMap(({ key, parts }) => {
    const value = row[key];
    const texts = parts === undefined || !Array.isArray(value) ? [textOfCell(value)] : partTexts(value, parts);
    return texts.filter((text) => text !== '').map((text) => [columnTitle(key), text] as const);
  });
}

// RTF is ASCII: other characters are written as the numbers of their UTF-16 units, signed.
const rtf = (text: string): string =>
  text
    .replace(/[\\{}]/g, '\\$&')
    .replace(/\r?\n/g, '\\line ')
    .replaceAll('\t', '\\tab ')
    .replace(/[^\u0020-\u007e]/g, (unit) => {
      const code = unit.charCodeAt(0);
      return code < 32 ? '' : `\\u${code > 32_767 ? code - 65_536 : code}?`;
    });

async function* rtfTexts({ title, info, columns, rows }: ReportOutput): AsyncGenerator<string> {
  yield `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Helvetica;}}\\fs20{\\b\\fs32 ${rtf(title)}}\\par\n`;
  for (const [key, value] of Object.entries(info)) yield `{\\b ${rtf(columnTitle(key))}:} ${rtf(value)}\\par\n`;
  yield '\\par\n';
  let isEmpty = true;
  for await (const row of parsed(rows)) {
    isEmpty = false;
    for (const [name, text] of blockLines(row, columns)) yield `{\\b ${rtf(name)}:} ${rtf(text)}\\par\n`;
    yield '\\par\n';
  }
  yield `${isEmpty ? `${nothing}\\par` : ''}}`;
}
