// Pages of A4, one after the other: each is written and let go when it is full. Numbers in Roman figures before the text, in Arabic ones in it.
import PDFDocument from 'pdfkit';
import { escapeText } from '#domain/formats/xml/escape.ts';
import { drawPieces } from './draw-line.ts';
import type { FontChoice } from './fonts.ts';
import type { SetLine } from './lines.ts';
import { setParagraph } from './lines.ts';
import type { Inner, PdfObject } from './pdf-objects.ts';
import { Raw } from './pdf-objects.ts';
import type { Tags } from './tags.ts';
import { createTags } from './tags.ts';

/** A document in the making and the page that is being set; `y` counts down from the upper edge, in points. */
export type Pages = {
  readonly inner: Inner;
  readonly tags: Tags;
  readonly width: number;
  readonly height: number;
  y: number;
  /** The first page that is added with a number is 1; `null` has none, a text is shown as it is. */
  add(number: string | null): PdfObject;
  readonly current: PdfObject;
  /** Bytes that are ready for `take`. */
  readonly waiting: number;
  take(): Uint8Array;
  end(): Promise<void>;
};

/** What a document says of itself. `language` is a tag of BCP 47. */
export type DocumentAbout = { readonly title: string; readonly language: string; readonly compress?: boolean };

/** Room around the text, in points. */
export const margin = 62;

/** Begins a document without pages. */
export function createPages({ title, language, compress = true }: DocumentAbout, fonts: FontChoice): Pages {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    compress,
    autoFirstPage: false,
    displayTitle: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never,
    lang: language,
    // The standard fonts of PDF are not embedded, as PDF/UA asks.
    font: null as never,
    info: { Title: title, Producer: 'Muniment', Creator: 'Muniment' },
  });
  // pdfkit's types leave out what it is made of; the version is pinned, and the tests read what comes of it.
  const inner = document as unknown as Inner;
  const endMetadata = inner.endMetadata.bind(inner);
  inner.endMetadata = () => {
    // pdfkit writes it into XML as it is, at the end, after it has written the title of the document.
    document.info.Title = escapeText(title);
    endMetadata();
  };
  const ready = gatherBytes();
  document.on('data', ready.add);
  const ended = new Promise((resolve) => document.once('end', resolve));
  const tags = createTags(inner);
  let last: PdfObject | undefined;
  const finishPage = (): void => {
    if (last !== undefined) tags.endPage();
  };
  const number = (text: string, pages: Pages): void => {
    const line = setParagraph(text, fonts, { weight: 'regular', size: 9, width: pages.width }).lines[0];
    if (line === undefined) return;
    const place = { left: (pages.width - line.width) / 2, baseline: pages.height - margin / 2, size: 9 };
    tags.artifact(() => drawPieces(inner, line.pieces, place));
  };
  return {
    inner,
    tags,
    width: 595.28,
    height: 841.89,
    y: margin,
    add(text) {
      finishPage();
      document.addPage();
      // Written by now: only its size is asked for again, by the outline.
      if (last !== undefined) last.data = { MediaBox: [0, 0, this.width, this.height] };
      last = inner.page.dictionary;
      tags.beginPage(last);
      this.y = margin;
      if (text !== null) number(text, this);
      return last;
    },
    get current() {
      if (last === undefined) throw new Error('there is no page');
      return last;
    },
    get waiting() {
      return ready.waiting;
    },
    take: ready.take,
    async end() {
      finishPage();
      tags.end();
      document.end();
      await ended;
    },
  };
}

const chunkBytes = 64 * 1024;

/** Pieces of bytes together: pdfkit gives a line at a time, and each by itself would take more memory than it holds. */
function gatherBytes(): { add(bytes: Uint8Array): void; readonly waiting: number; take(): Uint8Array } {
  let full: Uint8Array[] = [];
  let chunk = Buffer.allocUnsafe(chunkBytes);
  let used = 0;
  let waiting = 0;
  return {
    add(bytes) {
      waiting += bytes.length;
      if (used + bytes.length > chunkBytes) {
        full.push(chunk.subarray(0, used));
        chunk = Buffer.allocUnsafe(chunkBytes);
        used = 0;
      }
      if (bytes.length > chunkBytes) full.push(bytes);
      else {
        chunk.set(bytes, used);
        used += bytes.length;
      }
    },
    get waiting() {
      return waiting;
    },
    take() {
      const bytes = Buffer.concat([...full, chunk.subarray(0, used)]);
      full = [];
      used = 0;
      waiting = 0;
      return bytes;
    },
  };
}

/** Labels of pages for viewers: so many in Roman figures, then Arabic ones from 1. */
export function labelPages({ inner }: Pages, front: number): void {
  inner._root.data['PageLabels'] = new Raw(`<</Nums [${front === 0 ? '' : '0 <</S /r>> '}${front} <</S /D>>]>>`);
}

const ones = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
const tens = ['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx', 'lxx', 'lxxx', 'xc'];

/** A number below 1000 in Roman figures. */
export const romanFigures = (value: number): string =>
  `${'c'.repeat(Math.floor(value / 100))}${tens[Math.floor(value / 10) % 10]}${ones[value % 10]}`;

/** Room between baselines, and from the top of a line to its baseline, as parts of the size: Noto's letters with marks above and below. */
export const leading = 1.38;
export const ascent = 1.05;

/** Where a line begins so that it stands at the side from which its paragraph runs, or in the middle. */
export function leftOf(
  line: SetLine,
  { left, width }: { readonly left: number; readonly width: number },
  side: 'left' | 'right' | 'center',
): number {
  if (side === 'left') return left;
  return left + (side === 'right' ? width - line.width : (width - line.width) / 2);
}
