// A report as PDF without a title page, and what is told of letters that no font has.
import { expect, test } from 'vitest';
import { readPdf } from '#test/support/pdf-text.ts';
import { tellMissing } from '../../../../apps/worker/printing/missing.ts';
import { printReport } from '../../../../apps/worker/printing/report.ts';

async function* each(rows: readonly object[]): AsyncGenerator<string> {
  for (const row of rows) yield JSON.stringify(row);
}

test('its title is on the first page, above the rows, and what is lacking is told at the end', async () => {
  const rows = each([{ title: 'מכתב 12' }, { title: '東京' }]);
  const report = printReport({ title: 'Łódź', info: {}, columns: [{ key: 'title' }], rows, showsJson: false });
  const bytes: Uint8Array[] = [];
  let step = await report.next();
  for (; step.done !== true; step = await report.next()) bytes.push(step.value);
  const { pages, lines, tags } = readPdf(Buffer.concat(bytes));
  expect([pages, lines.find(({ text }) => text === 'Łódź')?.page]).toEqual([1, 1]);
  expect(tags.filter((tag) => /^H\d$/.test(tag))).toEqual(['H1', 'H2', 'H2']);
  expect(tellMissing(step.value)).toEqual([
    'Warning: no font is installed for 2 characters (script Han), which are shown as boxes; the package @expo-google-fonts/noto-sans-jp has them',
  ]);
  expect(tellMissing([{ script: 'Runic', characters: 1 }])[0]).toMatch(/as boxes$/);
});
