// Sets the lines of a finding aid or a report on pages of A4 and gives the bytes of the PDF as pages fill up: title page, contents, text, outline, tags. The
// contents are set last, when pages are known, and stand behind the title page all the same: the file lists its pages in any order.
import type { Line, LinePart } from '#domain/formats/printed-finding-aid/pdf/lines.ts';
import { annotate, createEntries, writeContents, writeOutline } from './contents.ts';
import { drawPieces } from './draw-line.ts';
import type { Weight } from './fonts.ts';
import { createFontChoice } from './fonts.ts';
import type { LinePiece, SetLine } from './lines.ts';
import { runsRightToLeft, setParagraph, settable } from './lines.ts';
import type { MissingScript } from './missing.ts';
import type { DocumentAbout } from './pages.ts';
import { ascent, createPages, labelPages, leading, leftOf, margin } from './pages.ts';
import { drawLogo } from './logo.ts';

/** What was printed. `missing`: the scripts that no font had. `logo`: whether the one that was given could be read. */
export type Printed = { readonly pages: number; readonly missing: readonly MissingScript[]; readonly logo: boolean };

/** A document in the making, with or without a title page. `waiting` bytes are ready for `take`; `end` writes contents, outline and tags. */
export type Printer = {
  /** The logo is an image in PNG or JPEG, or null. */
  titlePage(lines: readonly Line[], logo: Uint8Array | null): void;
  line(line: Line): void;
  readonly waiting: number;
  take(): Uint8Array;
  end(): Promise<Printed>;
};

type Look = { readonly weight: Weight; readonly size: number; readonly before: number };

const looks: { readonly [part in LinePart]: Look } = {
  title_page: { weight: 'regular', size: 12, before: 12 },
  contact: { weight: 'regular', size: 9.5, before: 2 },
  title: { weight: 'bold', size: 22, before: 36 },
  section: { weight: 'bold', size: 15, before: 18 },
  component: { weight: 'bold', size: 10, before: 9 },
  term: { weight: 'regular', size: 9.5, before: 1 },
  note: { weight: 'bold', size: 9.5, before: 5 },
  paragraph: { weight: 'regular', size: 9.5, before: 2 },
  item: { weight: 'regular', size: 9.5, before: 1 },
};
const indent = 14;
// Deeper ones stand below each other: lines would have no room.
const mostIndented = 10;
// Room that a head needs, so that it does not stand alone at the foot of a page.
const headRoom = 48;
const addresses = /https?:\/\/[^\s<>"()\u2068\u2069]*[^\s<>"()\u2068\u2069.,;:!?]/g;
const linkColour = '0.05 0.25 0.55';

const heads: readonly LinePart[] = ['title', 'section', 'component', 'note'];

/** The tag of a head: the levels below that of the document are those of the records. */
function headingOf(part: LinePart, depth: number): string {
  if (part === 'title') return 'H1';
  return part === 'section' ? 'H2' : `H${Math.min(depth + (part === 'note' ? 3 : 2), 6)}`;
}

/** Begins a document; `compress: false` leaves the streams readable. */
export function createPrinter(about: DocumentAbout): Printer {
  const fonts = createFontChoice(about.language);
  const pages = createPages(about, fonts);
  const { tags, inner } = pages;
  const entries = createEntries();
  const isRightToLeft = runsRightToLeft(about.title);
  const sections: number[] = [];
  let isInList = false;
  let printed = 0;
  let hasLogo = false;
  let contents: ReturnType<typeof tags.place> | undefined;

  const newPage = (): void => {
    printed += 1;
    pages.add(String(printed));
  };
  const bottom = pages.height - margin;

  const write = (text: string, look: Look, tag: string, inset: number, isCentred = false): void => {
    const set = settable(text);
    const place = { width: pages.width - 2 * margin - inset, size: look.size, weight: look.weight };
    const { lines, isRightToLeft: isTurned } = setParagraph(set, fonts, place);
    const links = [...set.matchAll(addresses)].map(({ 0: address, index }) => ({
      address,
      from: index,
      to: index + address.length,
    }));
    tags.open(tag);
    for (const line of lines) {
      if (pages.y + look.size * leading > bottom) newPage();
      const left = leftOf(
        line,
        { left: isTurned ? margin : margin + inset, width: place.width },
        isCentred ? 'center' : isTurned ? 'right' : 'left',
      );
      drawLine(line, links, left, look.size);
      pages.y += look.size * leading;
    }
    tags.close();
  };

  type Link = { readonly address: string; readonly from: number; readonly to: number };
  const drawLine = (line: SetLine, links: readonly Link[], left: number, size: number): void => {
    const place = { left, baseline: pages.y + size * ascent, size };
    for (const { link, pieces } of linkedRuns(line.pieces, links)) {
      if (link === undefined) {
        tags.content(() => drawPieces(inner, pieces, place));
        continue;
      }
      tags.open('Link');
      tags.content(() => drawPieces(inner, pieces, place, linkColour));
      const from = Math.min(...pieces.map(({ x }) => x));
      const to = Math.max(...pieces.map(({ x, width }) => x + width));
      const box = { left: left + from, right: left + to, top: pages.y, bottom: pages.y + size * leading };
      // Addresses with letters of other scripts: PDF has them in ASCII.
      annotate(
        pages,
        box,
        { A: { S: 'URI', URI: new String(encodeURI(link.address).replaceAll('%25', '%')) } },
        link.address,
      );
      tags.close();
    }
  };

  const leaveList = (): void => {
    if (isInList) tags.close();
    isInList = false;
  };
  const leaveSections = (depth: number): void => {
    while ((sections.at(-1) ?? -1) >= depth) {
      tags.close();
      sections.pop();
    }
  };
  const enter = (part: LinePart, depth: number, isGroup: boolean): void => {
    if (part !== 'item') leaveList();
    if (part !== 'section' && part !== 'component') return;
    leaveSections(depth);
    if (part === 'component' && !isGroup) return;
    tags.open('Sect');
    sections.push(depth);
  };

  return {
    titlePage(lines, logo) {
      pages.add(null);
      pages.y = pages.height / 6;
      hasLogo = logo !== null && drawLogo(pages, logo);
      for (const { part, text } of lines) {
        pages.y += looks[part].before;
        write(text, looks[part], part === 'title' ? 'H1' : 'P', 0, true);
      }
      contents = tags.place();
      newPage();
    },
    line({ part, depth, text, term, bookmark }) {
      if (printed === 0) newPage();
      const look = looks[part];
      const isHead = heads.includes(part);
      enter(part, depth, bookmark === true);
      const isAtTop = pages.y <= margin;
      // A term must not break the page between itself and what it says.
      if (!isAtTop && pages.y + look.before + (isHead ? headRoom : look.size * 2) > bottom) newPage();
      else if (!isAtTop) pages.y += look.before;
      const inset =
        Math.min(Math.max(depth - 1, 0), mostIndented) * indent +
        (part === 'item' ? indent : 0) +
        (isHead || depth === 0 ? 0 : indent);
      if (bookmark === true)
        entries.add({
          // What has markup alone for a title stands in the contents all the same.
          text: settable(text) || '–',
          depth: part === 'section' ? 0 : depth,
          page: printed,
          top: pages.y,
          on: pages.current,
        });
      if (part === 'item') {
        if (!isInList) tags.open('L');
        isInList = true;
        tags.open('LI');
        write(`• ${text}`, look, 'LBody', inset);
        tags.close();
        return;
      }
      // What a term says has a direction of its own (first strong isolate).
      write(
        term === undefined ? text : `${term}: \u2068${text}\u2069`,
        look,
        isHead ? headingOf(part, depth) : 'P',
        inset,
      );
    },
    get waiting() {
      return pages.waiting;
    },
    take: () => pages.take(),
    async end() {
      leaveList();
      leaveSections(0);
      let front = contents === undefined ? 0 : 1;
      if (contents !== undefined && entries.all.length > 0) {
        tags.openAt(contents, 'TOC');
        const count = writeContents(pages, entries.all, fonts, { head: 'Contents', isRightToLeft, firstPage: 2 });
        tags.close();
        const { Kids: kids } = inner._root.data.Pages.data;
        kids.splice(1, 0, ...kids.splice(kids.length - count, count));
        front += count;
      }
      writeOutline(pages, entries.all);
      labelPages(pages, front);
      await pages.end();
      return { pages: printed + front, missing: fonts.lacking(), logo: hasLogo };
    },
  };
}

type Link = { readonly from: number; readonly to: number };

/** The pieces of a line, parted where links begin and end. */
function linkedRuns<L extends Link>(
  pieces: readonly LinePiece[],
  links: readonly L[],
): readonly { readonly link: L | undefined; readonly pieces: readonly LinePiece[] }[] {
  const runs: { link: L | undefined; pieces: LinePiece[] }[] = [];
  for (const piece of pieces) {
    const link = links.find(({ from, to }) => piece.from < to && piece.from + piece.text.length > from);
    const last = runs.at(-1);
    if (last !== undefined && last.link === link) last.pieces.push(piece);
    else runs.push({ link, pieces: [piece] });
  }
  return runs;
}
