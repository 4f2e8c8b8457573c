// Files that threads write from rows: pieces of any size come in, and the same bytes go out as without a thread.
import { expect, test } from 'vitest';
import { reportFiles, rowSeparator, writeReport } from '#domain/reports/write.ts';
import { amount } from '#test/support/long.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { throughThread } from '../../../../apps/worker/formats/through-thread.ts';
import { writeReportFile, writeTemplate } from '../../../../apps/worker/threads/sheet-tasks.ts';

const many = amount(900, 3000);
const rows = Array.from({ length: many }, (_, n) => JSON.stringify({ title: `Line\nbreak "${n}"`, number: n }));
const report = {
  title: 'Report',
  info: { repository: 'R' },
  columns: [{ key: 'title' }, { key: 'number' }],
  showsJson: false,
};
async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
/** Rows as pieces of so many. */
const pieces = (size: number): AsyncGenerator<Uint8Array> =>
  each(
    Array.from({ length: Math.ceil(rows.length / size) }, (_, n) =>
      Buffer.from(rows.slice(n * size, (n + 1) * size).join(rowSeparator)),
    ),
  );
const collected = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(bytes));

test.each(['json', 'csv', 'html', 'rtf', 'xlsx'] as const)('%s is what it would be in one place', async (format) => {
  const expected = await collected(writeReport(format, { ...report, rows: each(rows) }));
  for (const size of [1, 200, 5000]) {
    const made = await collected(
      throughThread(pieces(size), (port) => writeReportFile({ port, about: { ...report, format } })),
    );
    // A workbook tells when its parts were packed, to two seconds.
    if (format === 'xlsx')
      expect([made.subarray(0, 2).toString(), Math.abs(made.length - expected.length) < 16]).toEqual(['PK', true]);
    else expect(made.equals(expected)).toBe(true);
  }
});

test('a report in PDF is one, and one without rows says so in every format', async () => {
  for (const format of ['pdf', 'csv', 'json', 'html', 'rtf', 'xlsx'] as const) {
    const empty = await collected(
      throughThread(each([]), (port) => writeReportFile({ port, about: { ...report, format } })),
    );
    expect([format, empty.length > 10, reportFiles[format].mediaType.length > 0]).toEqual([format, true, true]);
    if (format === 'pdf') expect(readPdf(empty).text).toContain('No results found.');
    if (format === 'csv') expect(empty.toString()).toContain('No results found.');
  }
});

test('a report in PDF has a head for each row, pages from 1 on, and paragraphs where texts have them', async () => {
  const { pages, lines, tags, catalog, bookmarks } = readPdf(
    await collected(
      throughThread(pieces(200), (port) => writeReportFile({ port, about: { ...report, format: 'pdf' } })),
    ),
  );
  expect([tags.filter((tag) => tag === 'H1').length, tags.filter((tag) => tag === 'H2').length]).toEqual([1, many]);
  const texts = lines.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining(['Repository: R', 'Title: Line', `break "${many - 1}"`, `Number: ${many - 1}`]),
  );
  expect(texts.filter((text) => /^\d+$/.test(text))).toEqual(Array.from({ length: pages }, (_, n) => String(n + 1)));
  expect(catalog).toContain('/PageLabels <</Nums [0 <</S /D>>]>>');
  expect(bookmarks).toEqual([]);
});

test('a template has its headings where there are no rows, and what is wrong with a row ends it', async () => {
  const about = {
    template: 'top_container_creation',
    release: 'R-B',
    resource: { uri: '/repositories/2/resources/1', title: 'Papers', eadId: null, identifier: 'P' },
  } as const;
  const text = (await collected(throughThread(each([]), (port) => writeTemplate({ port, about })))).toString();
  expect(text.trimEnd().split('\n')).toHaveLength(4);
  await expect(
    collected(throughThread(each([Buffer.from('[')]), (port) => writeTemplate({ port, about }))),
  ).rejects.toThrow(SyntaxError);
});
