// Reports as PDF: a block of lines for each row. Streamed; pdfkit keeps no page that is full.
import PDFDocument from 'pdfkit';
import { columnTitle } from '#domain/reports/table.ts';
import type { ReportOutput } from '#domain/reports/write.ts';
import { blockLines } from '#domain/reports/write.ts';

/** The bytes of the report. NOTE: the standard fonts of PDF have Western European letters alone. */
export async function* writeReportPdf({ title, info, columns, rows }: ReportOutput): AsyncGenerator<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', margin: 50, info: { Title: title } });
  const ready: Buffer[] = [];
  document.on('data', (bytes: Buffer) => void ready.push(bytes));
  const ended = new Promise((resolve) => document.once('end', resolve));
  const line = (name: string, text: string): void =>
    void document.font('Helvetica-Bold').text(`${name}: `, { continued: true }).font('Helvetica').text(text);
  document.font('Helvetica-Bold').fontSize(16).text(title).fontSize(9).moveDown();
  for (const [key, value] of Object.entries(info)) line(columnTitle(key), value);
  document.moveDown();
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    for (const [name, text] of blockLines(JSON.parse(row), columns)) line(name, text);
    document.moveDown();
    yield* ready.splice(0);
  }
  if (isEmpty) document.text('No results found.');
  document.end();
  await ended;
  yield* ready.splice(0);
}
