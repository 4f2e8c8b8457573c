// Pages as they are set: what is on them, their numbers, the outline, and that full ones do not stay in memory.
import { expect, test } from 'vitest';
import { readPdf } from '#test/support/pdf-text.ts';
import { createPrinter } from '../../../../apps/worker/formats/printer.ts';

test('sets a title page, lines, numbers of pages and an outline', async () => {
  const printer = createPrinter('Papers', { compress: false });
  printer.titlePage([{ part: 'title', depth: 0, text: 'Papers' }]);
  printer.line({ part: 'section', depth: 0, text: 'Inventory', bookmark: true });
  printer.line({ part: 'component', depth: 1, text: 'Series One', bookmark: true });
  printer.line({ part: 'term', depth: 1, term: 'Dates', text: '1900–1910' });
  printer.line({ part: 'paragraph', depth: 1, text: 'Москва' });
  // Longer than a page: its second half comes after a break in the middle of a paragraph.
  printer.line({ part: 'paragraph', depth: 1, text: `${'word '.repeat(2500)}the-end` });
  const { pages, lost } = await printer.end();
  const bytes = printer.take();
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('FlateDecode');
  const read = readPdf(bytes);
  expect(read.pages).toBe(pages);
  expect(pages).toBeGreaterThan(3);
  for (const text of [
    'Papers',
    'Inventory',
    'Series One',
    'Dates: 1900–1910',
    '??????',
    '6 characters that the fonts of this document lack are shown as ?.',
  ])
    expect(read.text.split('\n')).toContain(text);
  expect(read.text).toContain('the-end');
  expect(read.text.split('\n').filter((line) => /^\d$/.test(line))).toEqual(
    Array.from({ length: pages - 1 }, (_, index) => String(index + 2)),
  );
  expect(read.bookmarks).toEqual(expect.arrayContaining(['Inventory', 'Series One']));
  expect(lost).toBe(6);
});

test('gives full pages away while the document goes on', async () => {
  const printer = createPrinter('Long', { compress: false });
  printer.titlePage([]);
  let most = 0;
  let total = 0;
  for (let n = 0; n < 20_000; n++) {
    printer.line({ part: 'component', depth: (n % 14) + 1, text: `Component ${n}` });
    if (n % 64 > 0) continue;
    most = Math.max(most, printer.waiting);
    total += printer.take().length;
  }
  await printer.end();
  total += printer.take().length;
  expect(total).toBeGreaterThan(1_000_000);
  expect(most).toBeLessThan(100_000);
});
