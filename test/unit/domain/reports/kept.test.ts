// A report with everything that rows may hold, in each format, as it is kept; and the same without rows.
import { read as readWorkbook, utils } from '@e965/xlsx';
import { describe, it } from 'vitest';
import type { ReportFormat } from '#domain/reports/reports.ts';
import { writeReport } from '#domain/reports/write.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const columns = [
  { key: 'identifier' },
  { key: 'record_title' },
  { key: 'accession_date' },
  { key: 'linked_agents', parts: ['name', 'role'] },
  { key: 'extents', parts: ['number'] },
];
const full = [
  {
    identifier: 'PEHB-7',
    record_title: 'Letters, "plans" & <emph>quays</emph>\nof Éllery 漁',
    accession_date: '1988-08-09',
    linked_agents: [
      { name: 'Stroud, Agnes', role: 'creator' },
      { name: 'Harbour Board', role: null },
    ],
    extents: [{ number: 12.5 }, { number: 3 }],
  },
  { identifier: 8, record_title: null, accession_date: '1988', linked_agents: [], extents: [{ number: 0 }] },
];

const write = async (
  format: Exclude<ReportFormat, 'pdf'>,
  rows: readonly object[],
  showsJson = false,
): Promise<Buffer> =>
  Buffer.concat(
    await Array.fromAsync(
      writeReport(format, {
        title: 'Gifts & deposits {1988}',
        info: { repository: 'Port Ellery (PEHB)', record_count: String(rows.length) },
        columns,
        rows: (async function* (): AsyncGenerator<string> {
          for (const row of rows) yield JSON.stringify(row);
        })(),
        showsJson,
      }),
    ),
  );

describe.each([
  ['full', full],
  ['empty', []],
] as const)('a report that is %s', (name, rows) => {
  it.each(['json', 'csv', 'html', 'rtf'] as const)('is kept as %s', async (format) => {
    await expectKept(String(await write(format, rows)), `reports/${name}.${format}`);
  });

  it('is kept as CSV with lists as JSON', async () => {
    await expectKept(String(await write('csv', rows, true)), `reports/${name}-with-json.csv`);
  });

  it('is kept as a workbook', async () => {
    const book = readWorkbook(await write('xlsx', rows), { cellDates: false });
    const sheets = book.SheetNames.map((sheet) => [
      sheet,
      ...utils.sheet_to_json<unknown[]>(book.Sheets[sheet] ?? {}, { header: 1 }),
    ]);
    await expectKept(keptText(sheets), `reports/${name}-workbook.json`);
  });
});
