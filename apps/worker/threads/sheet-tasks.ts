// Thread tasks of spreadsheets and reports: rows come in as JSON, blocks of them at a time, and the bytes of the file go out.
import type { MessagePort } from 'node:worker_threads';
import type { ReportFormat } from '#domain/reports/reports.ts';
import type { ReportOutput } from '#domain/reports/write.ts';
import { rowSeparator, writeReport } from '#domain/reports/write.ts';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';
import { choicesOf } from '#domain/spreadsheets/choices.ts';
import type { Widths } from '#domain/spreadsheets/columns.ts';
import { columnsFor, repeatsFor } from '#domain/spreadsheets/columns.ts';
import type { Facts } from '#domain/spreadsheets/facts.ts';
import { factsOf, highestRepeats, sheetRecordsOf } from '#domain/spreadsheets/facts.ts';
import { updaterSheets } from '#domain/spreadsheets/updater-workbook.ts';
import type { CreationTemplateName, TemplateResource, TemplateRow } from '#domain/templates/creation-templates.ts';
import { creationTemplateOf, templateHead, templateLine } from '#domain/templates/creation-templates.ts';
import { readEnumerationLabels } from '#store/enumerations/labels.ts';
import type { MissingScript } from '../printing/missing.ts';
import type { SharedLists } from './batch-tasks.ts';
import { enumerationsOf } from './batch-tasks.ts';
import type { Exchange } from './exchange.ts';
import { openExchange } from './exchange.ts';

const pieceBytes = 64 * 1024;

/** Runs a task over its port: what it yields goes out in pieces of some size. The port is closed at the end. */
async function through(port: MessagePort, write: (pieces: AsyncIterable<string>) => AsyncIterable<Uint8Array>) {
  const { chunks, give } = openExchange(port);
  try {
    let waiting: Uint8Array[] = [];
    let size = 0;
    for await (const bytes of write(texts(chunks))) {
      waiting.push(bytes);
      size += bytes.length;
      if (size < pieceBytes) continue;
      await give(Buffer.concat(waiting));
      [waiting, size] = [[], 0];
    }
    if (size > 0) await give(Buffer.concat(waiting));
  } finally {
    port.close();
  }
}

async function* texts(chunks: Exchange['chunks']): AsyncGenerator<string> {
  for await (const chunk of chunks()) yield Buffer.from(chunk).toString('utf8');
}

/** What a spreadsheet of archival objects is written with. */
export type UpdateSheetAbout = {
  readonly lists: SharedLists;
  readonly selectedColumns: readonly string[];
  readonly widths: Widths;
};

/** Writes the spreadsheet for changing archival objects. The widths of all rows decide on the columns, so memory holds the cells of all. */
export async function writeUpdateSheet({
  port,
  about: { lists, selectedColumns, widths },
}: {
  readonly port: MessagePort;
  readonly about: UpdateSheetAbout;
}): Promise<void> {
  await through(port, async function* (blocks) {
    const rows: Facts[] = [];
    for await (const text of blocks) rows.push(...sheetRecordsOf(text).map(factsOf));
    const columns = columnsFor(selectedColumns, repeatsFor(highestRepeats(rows), widths));
    yield* writeXlsx(updaterSheets(columns, rows, choicesOf(enumerationsOf(lists), readEnumerationLabels())));
  });
}

/** What a prefilled template is written with. */
export type TemplateAbout = {
  readonly template: CreationTemplateName;
  readonly release: 'R-A' | 'R-B';
  readonly resource: TemplateResource;
};

/** Writes a prefilled template. */
export async function writeTemplate({
  port,
  about: { template: name, release, resource },
}: {
  readonly port: MessagePort;
  readonly about: TemplateAbout;
}): Promise<void> {
  const template = creationTemplateOf(name, release);
  await through(port, async function* (blocks) {
    yield Buffer.from(templateHead(template));
    for await (const text of blocks) {
      const rows: readonly TemplateRow[] = JSON.parse(text);
      yield Buffer.from(rows.map((row) => templateLine(template, row, resource)).join(''));
    }
  });
}

/** What a report is written with, its rows apart. */
export type ReportAbout = Omit<ReportOutput, 'rows'> & { readonly format: ReportFormat };

/** Writes a report in any format. Pieces hold whole rows, with rowSeparator between them. `missing`: the scripts that the fonts of a PDF lack. */
export async function writeReportFile({
  port,
  about: { format, ...about },
}: {
  readonly port: MessagePort;
  readonly about: ReportAbout;
}): Promise<{ readonly missing: readonly MissingScript[] }> {
  let missing: readonly MissingScript[] = [];
  await through(port, async function* (pieces) {
    async function* rows(): AsyncGenerator<string> {
      for await (const piece of pieces) yield* piece.split(rowSeparator);
    }
    const output = { ...about, rows: rows() };
    if (format === 'pdf') {
      // As in tasks.ts: threads that print nothing do without what sets type.
      const { printReport } = await import('../printing/report.ts');
      missing = yield* printReport(output);
    } else yield* writeReport(format, output);
  });
  return { missing };
}
