// Sets lines of a finding aid on pages of A4 and gives the bytes of the PDF as pages fill up: title page, page numbers, outline.
import PDFDocument from 'pdfkit';
import { lacking, latinText } from '#domain/formats/printed-finding-aid/pdf/latin.ts';
import type { Line, LinePart } from '#domain/formats/printed-finding-aid/pdf/lines.ts';

/** A document in the making. `waiting` bytes are ready for `take`; `end` writes the last page. */
export type Printer = {
  titlePage(lines: readonly Line[]): void;
  line(line: Line): void;
  readonly waiting: number;
  take(): Uint8Array;
  end(): Promise<{ readonly pages: number; readonly lost: number }>;
};

type Look = { readonly font: string; readonly size: number; readonly before: number };

const body = 'Times-Roman';
const looks: { readonly [part in LinePart]: Look } = {
  title_page: { font: body, size: 13, before: 14 },
  title: { font: 'Times-Bold', size: 24, before: 40 },
  section: { font: 'Helvetica-Bold', size: 16, before: 18 },
  component: { font: 'Helvetica-Bold', size: 10.5, before: 9 },
  term: { font: body, size: 10, before: 1 },
  note: { font: 'Times-BoldItalic', size: 10.5, before: 5 },
  paragraph: { font: body, size: 10.5, before: 2 },
  item: { font: body, size: 10.5, before: 1 },
};
const margin = 62;
const indent = 14;
// Deeper ones stand below each other: lines would have no room.
const mostIndented = 10;
// Room that a head needs, so that it does not stand alone at the foot of a page.
const headRoom = 48;
const longestBookmark = 200;

/** Begins a document; `compress: false` leaves the streams readable, for tests. */
export function createPrinter(title: string, { compress = true }: { readonly compress?: boolean } = {}): Printer {
  let lost = 0;
  let pages = 0;
  let waiting = 0;
  let ready: Buffer[] = [];
  let look: Look = looks.paragraph;
  const latin = (text: string): string => {
    const found = latinText(text);
    lost += found.lost;
    return found.text;
  };
  const document = new PDFDocument({
    size: 'A4',
    margin,
    compress,
    autoFirstPage: false,
    displayTitle: true,
    info: { Title: title, Producer: 'Muniment', Creator: 'Muniment' },
  });
  document.on('data', (bytes: Buffer) => {
    ready.push(bytes);
    waiting += bytes.length;
  });
  const ended = new Promise((resolve) => document.once('end', resolve));
  const setFont = ({ font, size }: Look): void => void document.font(font).fontSize(size);
  // Also in the middle of a paragraph, so that all is left as it was.
  document.on('pageAdded', () => {
    pages += 1;
    if (pages === 1) return;
    const { x, y, page } = document;
    const { bottom } = page.margins;
    const text = String(pages);
    page.margins.bottom = 0;
    document.font(body).fontSize(9);
    document.text(text, (page.width - document.widthOfString(text)) / 2, page.height - margin / 2 - 9, {
      lineBreak: false,
    });
    page.margins.bottom = bottom;
    setFont(look);
    document.x = x;
    document.y = y;
  });
  const open: { readonly depth: number; readonly outline: PDFKit.Mixins.PDFOutline['outline'] }[] = [];
  const bookmark = (text: string, depth: number): void => {
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const parent = open.at(-1)?.outline ?? document.outline;
    // pdfkit counts `left` from the right edge and `top` from the upper one; its types know neither.
    const place = { expanded: false, left: document.page.width, top: document.y };
    open.push({ depth, outline: parent.addItem(text === '' ? '-' : text.slice(0, longestBookmark), place) });
  };
  const bottom = (): number => document.page.height - margin;
  const write = (text: string, left: number, align: 'left' | 'center'): void =>
    void document.text(text, left, document.y, { width: document.page.width - margin - left, align });

  return {
    titlePage(lines) {
      document.addPage();
      document.y = document.page.height / 4;
      for (const { part, text } of lines) {
        look = looks[part];
        setFont(look);
        document.y += look.before;
        write(latin(text), margin, 'center');
      }
      document.addPage();
    },
    line({ part, depth, text, term, bookmark: isMarked }) {
      look = looks[part];
      setFont(look);
      const isAtTop = document.y <= margin;
      if (!isAtTop) document.y += look.before;
      const isHead = part === 'section' || part === 'component' || part === 'note';
      // A term must not break the page between itself and what it says.
      if (!isAtTop && document.y + (isHead ? headRoom : look.size * 2) > bottom()) document.addPage();
      const left =
        margin +
        Math.min(Math.max(depth - 1, 0), mostIndented) * indent +
        (part === 'item' ? indent : 0) +
        (isHead || depth === 0 ? 0 : indent);
      if (isMarked === true) bookmark(text, part === 'section' ? 0 : depth);
      const shown = latin(part === 'item' ? `• ${text}` : text);
      write(term === undefined ? shown : `${latin(term)}: ${shown}`, left, 'left');
    },
    get waiting() {
      return waiting;
    },
    take() {
      const bytes = Buffer.concat(ready);
      ready = [];
      waiting = 0;
      return bytes;
    },
    async end() {
      if (lost > 0)
        this.line({
          part: 'note',
          depth: 0,
          text: `${lost} characters that the fonts of this document lack are shown as ${lacking}.`,
        });
      document.end();
      await ended;
      return { pages, lost };
    },
  };
}
