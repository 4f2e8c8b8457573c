// Pages as they are set: what is on them and in which order it is seen, contents, outline, links and tags, and that full pages do not stay in memory.
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Line } from '#domain/formats/printed-finding-aid/pdf/lines.ts';
import type { ReadPdf } from '#test/support/pdf-text.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import type { Printed } from '../../../../apps/worker/printing/printer.ts';
import { expectKept } from '#test/support/kept.ts';
import { dot } from '#test/support/pictures.ts';
import { createPrinter } from '../../../../apps/worker/printing/printer.ts';

type Made = Printed & { readonly pdf: ReadPdf; readonly bytes: Buffer };

async function printed(
  lines: readonly Line[],
  about: { title?: string; language?: string; logo?: Uint8Array } = {},
): Promise<Made> {
  const { title = 'Papers & maps', language = 'en', logo = null } = about;
  const printer = createPrinter({ title, language });
  printer.titlePage([{ part: 'title', depth: 0, text: title }], logo);
  for (const line of lines) printer.line(line);
  const end = await printer.end();
  const bytes = Buffer.from(printer.take());
  return { ...end, pdf: readPdf(bytes), bytes };
}

const paragraph = (text: string): Line => ({ part: 'paragraph', depth: 1, text });
const linesOf = (pdf: ReadPdf): string[] => pdf.lines.map(({ text }) => text);
const isHebrew = (text: string): boolean => /\p{Script=Hebrew}/u.test(text);
const reversed = (text: string): string => [...text].toReversed().join('');

describe('letters', () => {
  const texts = [
    'Łódź: Zażółć gęślą jaźń; ő, ǆ, đ, ñ, ß, Tiếng Việt',
    'Đorđe, čćžšđ, Њ, ђ, ћ',
    'Ἐν ἀρχῇ ἦν ὁ λόγος',
    'Ёлка и объявление, ґ, ї, Қ',
    'हिन्दी पाण्डुलिपियाँ, क्षत्रिय',
    'বাংলা পাণ্ডুলিপি',
    'தமிழ் கையெழுத்துப் பிரதிகள்',
    'a → b, x ≤ y, № 5, ½, “quoted”, 10 €',
  ];

  test('of all these scripts are shown, none is lacking, and read again as they were', async () => {
    const { pdf, missing } = await printed(texts.map(paragraph));
    expect(missing).toEqual([]);
    expect(linesOf(pdf)).toEqual(expect.arrayContaining(texts));
  });

  test('that no font has are boxes which read as what they stand for, and their scripts are told', async () => {
    const { pdf, missing } = await printed([paragraph('A 東京 map ᚠ')]);
    expect(linesOf(pdf)).toContain('A 東京 map ᚠ');
    expect(pdf.lines.find(({ text }) => text.startsWith('A'))?.visual).toBe('A □□ map □');
    expect(missing).toEqual([
      { script: 'Han', characters: 2, package: '@expo-google-fonts/noto-sans-jp' },
      { script: 'Runic', characters: 1 },
    ]);
  });
});

describe('right to left', () => {
  const seen = async (text: string): Promise<string> => {
    const { pdf } = await printed([paragraph(text)]);
    return pdf.lines.find(({ text: line }) => isHebrew(line) || /\p{Script=Arabic}/u.test(line))?.visual ?? '';
  };

  test('Hebrew is seen from the right, numbers and Latin words in it from the left', async () => {
    expect(await seen('מכתב אל IBM Corp מיום 12')).toBe(
      `12 ${reversed('מיום')} IBM Corp ${reversed('אל')} ${reversed('מכתב')}`,
    );
  });

  test('Hebrew within a line from the left keeps its place, brackets around it stay brackets', async () => {
    expect(await seen('Letter (שלום עולם) of 1923')).toBe(`Letter (${reversed('שלום עולם')}) of 1923`);
    expect(await seen('תיק (1920)')).toBe(`(1920) ${reversed('תיק')}`);
  });

  test('Arabic is joined and seen from the right', async () => {
    const text = 'مرحبا يا British Library';
    const visual = await seen(text);
    expect(visual.startsWith('British Library ')).toBe(true);
    expect(visual.endsWith(reversed('مرحبا'))).toBe(true);
    const { pdf } = await printed([paragraph('ببب')]);
    const codes = [...pdf.objects.values()].filter((body) => body.includes('/ToUnicode')).length;
    expect(codes, 'a font of Arabic beside that of the page numbers and titles').toBe(3);
  });

  test('pointed Hebrew reads as it was written', async () => {
    const text = 'בְּרֵאשִׁית';
    const { pdf } = await printed([paragraph(text)]);
    const line = pdf.lines.find(({ text: each }) => isHebrew(each));
    expect([...(line?.text ?? '')].toSorted()).toEqual([...text.normalize('NFC')].toSorted());
  });

  test('a paragraph stands at the side from which it runs, and is broken in the order of reading', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `מילה${index}`);
    const { pdf } = await printed([paragraph(words.join(' ')), paragraph('left')]);
    const hebrew = pdf.lines.filter(({ text }) => isHebrew(text));
    expect(hebrew.length).toBeGreaterThan(2);
    expect(hebrew[0]?.text).toContain('מילה');
    expect(hebrew[0]?.visual.trim().endsWith(`0${reversed('מילה')}`)).toBe(true);
    expect(hebrew.at(-1)?.left).toBeGreaterThan(hebrew[0]?.left ?? 0);
    expect(pdf.lines.find(({ text }) => text === 'left')?.left).toBeCloseTo(76, 0);
  });
});

test('contents and outline name sections and groups with the pages on which they are', async () => {
  const lines: Line[] = [{ part: 'section', depth: 0, text: 'Inventory', bookmark: true }];
  for (let n = 1; n <= 40; n++) {
    lines.push({ part: 'component', depth: 1, text: `Series ${n}`, bookmark: true });
    lines.push({ part: 'component', depth: 2, text: 'סדרה', bookmark: true });
    for (let m = 0; m < 12; m++) lines.push({ part: 'component', depth: 3, text: `File ${n}.${m}` });
  }
  const { pdf, pages } = await printed(lines);
  expect(pdf.pages).toBe(pages);
  const first = pdf.lines.find(({ text }) => text === '1')?.page ?? 0;
  const contents = pdf.lines.filter(({ page }) => page > 1 && page < first).map(({ text }) => text);
  expect(contents[0]).toMatch(/^ii$/);
  expect(contents).toContain('Contents');
  for (const n of [1, 20, 40]) {
    const page = pdf.lines.find(({ text, page: on }) => text === `Series ${n}` && on >= first)?.page ?? 0;
    // The title, and its number at the other end of the line.
    expect(contents).toContain(`Series ${n}${page - first + 1}`);
    expect(pdf.bookmarks).toContainEqual({ title: `Series ${n}`, page, depth: 1 });
    expect(pdf.links).toContainEqual({ page: expect.any(Number), toPage: page });
  }
  expect(pdf.bookmarks.filter(({ title }) => title === 'סדרה')).toHaveLength(40);
  expect(pdf.bookmarks.some(({ title }) => title.startsWith('File'))).toBe(false);
  // Numbers of pages, in the order of the pages.
  expect(pdf.lines.filter(({ text, page }) => text === String(page - first + 1)).length).toBe(pdf.pages - first + 1);
  expect(pdf.catalog).toContain(`/PageLabels <</Nums [0 <</S /r>> ${first - 1} <</S /D>>]>>`);
});

test('a list of contents that would not end stops at a level, then at a number', async () => {
  const { pdf } = await printed(
    Array.from({ length: 2500 }, (_, n): Line => ({
      part: 'component',
      depth: 1 + (n % 2),
      text: `S${n}`,
      bookmark: true,
    })),
  );
  expect(pdf.bookmarks.length).toBe(1250);
  expect(pdf.bookmarks.every(({ depth }) => depth === 0)).toBe(true);
});

test('addresses are links, with the words of other languages in them', async () => {
  const { pdf } = await printed([paragraph('See https://example.org/a?b=1&c=%20 (https://example.org/ż), now.')]);
  expect(pdf.links).toEqual([
    { page: 2, address: 'https://example.org/a?b=1&c=%20' },
    { page: 2, address: 'https://example.org/%C5%BC' },
  ]);
});

test('tags tell what is a heading, a paragraph, a list; language and title stand in the document', async () => {
  const { pdf, bytes } = await printed(
    [
      { part: 'section', depth: 0, text: 'Inventory', bookmark: true },
      { part: 'component', depth: 1, text: 'Series', bookmark: true },
      { part: 'term', depth: 1, term: 'Dates', text: '1900' },
      { part: 'item', depth: 1, text: 'one' },
      { part: 'item', depth: 1, text: 'two' },
      { part: 'paragraph', depth: 1, text: 'https://example.org' },
    ],
    { language: 'pl' },
  );
  const toc = ['TOC', 'Caption', 'TOCI', 'Link', 'TOCI', 'Link'];
  const list = ['L', 'LI', 'LBody', 'LI', 'LBody'];
  expect(pdf.tags).toEqual(['Document', 'H1', ...toc, 'Sect', 'H2', 'Sect', 'H3', 'P', ...list, 'P', 'Link']);
  expect(pdf.catalog).toContain('/Lang (pl)');
  expect([...pdf.objects.values()]).toContain('<<\n/Marked true\n>>');
  const file = bytes.toString('latin1');
  expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(file).toContain('Papers &amp; maps</rdf:li>');
  expect(file).not.toMatch(/Helvetica|Times/);
});

/** An image in PNG with an alpha channel, a square of 20 pixels where nothing else is said. Nobody reads its sums. */
function pngOf(data: Buffer, { interlaced = false, side = 20 } = {}): Buffer {
  const part = (name: string, bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, Buffer.from(name), bytes, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, interlaced ? 1 : 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, part('IHDR', head), part('IDAT', data), part('IEND', Buffer.alloc(0))]);
}

test('a logo is shown on the title page; what is none is told', async () => {
  const { pdf, logo } = await printed([], { logo: dot });
  expect([logo, pdf.tags.includes('Figure')]).toEqual([true, true]);
  const broken = await printed([], { logo: Buffer.from('no image') });
  expect([broken.logo, broken.pdf.tags.includes('Figure')]).toEqual([false, false]);
});

test('a logo with an alpha channel is shown where it is whole; one that cannot be unpacked is told, and the document is made', async () => {
  const rows = Buffer.alloc(20 * (1 + 80));
  const [whole, interlaced] = [pngOf(deflateSync(rows)), pngOf(deflateSync(rows), { interlaced: true })];
  for (const logo of [whole, interlaced]) expect((await printed([], { logo })).logo).toBe(true);
  const bad = [
    pngOf(Buffer.from('not packed')),
    pngOf(Buffer.alloc(0)),
    pngOf(deflateSync(rows).subarray(0, -6)),
    pngOf(deflateSync(rows.fill(9))),
    pngOf(deflateSync(rows), { interlaced: true }),
    pngOf(deflateSync(Buffer.alloc(100)), { side: 60_000 }),
  ];
  for (const logo of bad) {
    const { pdf, logo: isShown } = await printed([paragraph('Text')], { logo });
    expect([isShown, pdf.tags.includes('Figure'), pdf.text]).toEqual([false, false, expect.stringContaining('Text')]);
  }
});

test('a paragraph longer than a page and a word longer than a line are broken', async () => {
  const { pdf } = await printed([paragraph(`${'word '.repeat(2500)}the-end`), paragraph('x'.repeat(300))]);
  expect(pdf.pages).toBeGreaterThan(3);
  expect(pdf.text.replaceAll(/\n\d*/g, ' ').match(/\bword\b/g)).toHaveLength(2500);
  expect(pdf.text).toContain('the-end');
  expect(
    linesOf(pdf)
      .filter((line) => line.startsWith('xxx'))
      .join(''),
  ).toHaveLength(300);
});

test('gives full pages away while the document goes on', async () => {
  const printer = createPrinter({ title: 'Long', language: 'en', compress: false });
  printer.titlePage([], null);
  let most = 0;
  let total = 0;
  for (let n = 0; n < 20_000; n++) {
    printer.line({ part: 'component', depth: (n % 14) + 1, text: `Component ${n}` });
    if (n % 64 > 0) continue;
    // As between blocks of a tree.
    await setImmediate();
    most = Math.max(most, printer.waiting);
    total += printer.take().length;
  }
  expect(total).toBeGreaterThan(1_000_000);
  await printer.end();
  expect(most).toBeLessThan(200_000);
});

/** A document as it stands in its file: each object by its number, in the order written, without fonts and the time. */
function fileText(bytes: Uint8Array): string {
  const file = Buffer.from(bytes).toString('latin1');
  const fonts = new Set([...file.matchAll(/\/(?:FontFile2|CIDSet) (\d+) 0 R/g)].map(([, id]) => id));
  const objects = [...file.matchAll(/(?<=\n)(\d+) 0 obj\n([^]*?)\nendobj/g)].filter(
    ([, id, body = '']) => !fonts.has(id) && !/^\(D:|\/FlateDecode/m.test(body),
  );
  return objects
    .map(([, id, body = '']) => `${id}: ${body.replaceAll(/\d{4}-\d\d-\d\dT[\d:]*Z/g, 'now').trimEnd()}\n`)
    .join('\n');
}

describe('the whole file', () => {
  // Entries deeper than there is room for, at the foot of pages, broken over lines and pages, with addresses and letters of several scripts.
  const lines: readonly Line[] = [
    { part: 'section', depth: 0, text: 'Summary' },
    { part: 'term', depth: 0, term: 'Language', text: 'English, עברית' },
    {
      part: 'paragraph',
      depth: 0,
      text: `${'A paragraph over several lines. '.repeat(9)}See https://example.org/${'long/'.repeat(12)}end?a=ż, (https://example.org/).`,
    },
    { part: 'section', depth: 0, text: 'Inventory of the harbour', bookmark: true },
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].flatMap((depth): Line[] => [
      {
        part: 'component',
        depth,
        text: `Level ${depth} ${'of the records of the harbour '.repeat(depth % 4)}`,
        bookmark: true,
      },
      { part: 'term', depth, term: 'Dates', text: '1871 – שלום (12)' },
      { part: 'item', depth, text: 'हिन्दी and العربية' },
      { part: 'item', depth, text: 'A 東京 map' },
      { part: 'note', depth, text: 'Scope' },
      { part: 'paragraph', depth, text: 'Letters & maps. '.repeat(depth) },
    ]),
    { part: 'component', depth: 2, text: 'Beside', bookmark: true },
    { part: 'component', depth: 3, text: 'In no group' },
    { part: 'component', depth: 1, text: '', bookmark: true },
    { part: 'component', depth: 1, text: 'x'.repeat(230), bookmark: true },
    { part: 'section', depth: 0, text: 'Index' },
    { part: 'paragraph', depth: 1, text: 'קצר' },
  ];
  const logo = pngOf(deflateSync(Buffer.alloc(180 * (1 + 4 * 180))), { side: 180 });
  const printedFile = async (title: string, language: string): Promise<string> => {
    const printer = createPrinter({ title, language, compress: false });
    const head: readonly Line[] = [
      { part: 'title', depth: 0, text: title },
      { part: 'title_page', depth: 0, text: 'Printed in 2026' },
      { part: 'contact', depth: 0, text: 'Harbour Street 1' },
    ];
    printer.titlePage(head, logo);
    for (const line of lines) printer.line(line);
    await printer.end();
    return fileText(printer.take());
  };

  test('of a finding aid has everything in its place, for those who see it and those who hear it', async () => {
    await expectKept(await printedFile('Papers & maps of the harbour', 'en'), 'printed/finding-aid.txt');
  });

  test('of one whose title runs from right to left has its contents from there', async () => {
    await expectKept(await printedFile('כתבי הנמל', 'he'), 'printed/from-right-to-left.txt');
  });

  test('of a document without a title page begins with page 1, and has no contents', async () => {
    const printer = createPrinter({ title: 'Report', language: 'en', compress: false });
    for (const line of lines.slice(0, 3)) printer.line(line);
    expect(await printer.end()).toEqual({ pages: 1, missing: [], logo: false });
    await expectKept(fileText(printer.take()), 'printed/report.txt');
  });
});
