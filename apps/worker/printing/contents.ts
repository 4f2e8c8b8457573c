// The table of contents and the outline of a document: the sections and groups of records with their pages. Their number is bounded, so that
// memory is: where there are too many, the deepest are left out.
import { drawPieces } from './draw-line.ts';
import type { FontChoice } from './fonts.ts';
import { setParagraph, settable } from './lines.ts';
import type { Pages } from './pages.ts';
import { ascent, leading, leftOf, margin, romanFigures } from './pages.ts';
import type { PdfObject } from './pdf-objects.ts';
import { Raw, decimal, pdfString } from './pdf-objects.ts';

/** A line of the contents: `depth` 0 is a section; `page` as printed, from 1; `top` in points from the upper edge of the page. */
export type Entry = {
  readonly text: string;
  readonly depth: number;
  readonly page: number;
  readonly top: number;
  readonly on: PdfObject;
};

/** The entries of a document, at most `most` of them. */
export type Entries = { add(entry: Entry): void; readonly all: readonly Entry[] };

/** Begins a list that never grows beyond `most`: beyond it the deepest entries go, and those as deep are no longer taken; at the end, later ones. */
export function createEntries(most = 2000): Entries {
  let all: Entry[] = [];
  let deepest = Number.POSITIVE_INFINITY;
  return {
    add(entry) {
      if (entry.depth > deepest) return;
      if (all.length >= most) {
        const depth = all.reduce((found, each) => Math.max(found, each.depth), 0);
        const rest = all.filter((each) => each.depth < depth);
        // Nothing but the first level: the first ones stand for the rest. Sections are few.
        if (depth <= 1 && entry.depth > 0) return;
        if (depth > 1) {
          all = rest;
          deepest = depth - 1;
        }
      }
      if (entry.depth <= deepest) all.push(entry);
    },
    get all() {
      return all;
    },
  };
}

const size = 10;
const indent = 14;
const mostIndented = 8;
const numberRoom = 44;
const longestBookmark = 200;

/** Writes the outline: each entry below the last one that is less deep. */
export function writeOutline({ inner, width }: Pages, entries: readonly Entry[]): void {
  const kids = inner._root.data.Pages.data.Kids;
  const indexOf = new Map(kids.map((kid, index) => [kid, index]));
  const open: { readonly depth: number; readonly outline: PDFKit.Mixins.PDFOutline['outline'] }[] = [];
  for (const { text, depth, on, top } of entries) {
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const parent = open.at(-1)?.outline ?? inner.outline;
    // pdfkit counts `left` from the right edge and `top` from the upper one; its types know neither.
    const place = { expanded: false, left: width, top, pageNumber: indexOf.get(on) ?? 0 };
    open.push({
      depth,
      outline: parent.addItem([...text].slice(0, longestBookmark).join(''), place),
    });
  }
  // Readers open a document with its outline beside it.
  if (entries.length > 0) inner._root.data['PageMode'] = 'UseOutlines';
}

/** Sets the table on pages of its own, behind all others so far; `head` stands above it. Returns how many pages it takes. */
export function writeContents(
  pages: Pages,
  entries: readonly Entry[],
  fonts: FontChoice,
  {
    head,
    isRightToLeft,
    firstPage,
  }: { readonly head: string; readonly isRightToLeft: boolean; readonly firstPage: number },
): number {
  let count = 0;
  const add = (): void => {
    pages.add(romanFigures(firstPage + count));
    count += 1;
  };
  add();
  const place = { left: margin, width: pages.width - 2 * margin };
  const start = isRightToLeft ? 'right' : 'left';
  const { tags } = pages;
  tags.open('Caption');
  for (const line of setParagraph(head, fonts, { weight: 'bold', size: 16, width: place.width }).lines) {
    tags.content(() =>
      drawPieces(pages.inner, line.pieces, {
        left: leftOf(line, place, start),
        baseline: pages.y + 16 * ascent,
        size: 16,
      }),
    );
    pages.y += 16 * leading + 8;
  }
  tags.close();
  for (const entry of entries) {
    const inset = Math.min(entry.depth, mostIndented) * indent;
    const weight = entry.depth === 0 ? 'bold' : 'regular';
    const width = place.width - inset - numberRoom;
    const { lines } = setParagraph(settable(entry.text), fonts, { weight, size, width });
    const number = setParagraph(String(entry.page), fonts, { weight, size, width: numberRoom }).lines[0];
    if (number === undefined) continue;
    const room = lines.length * size * leading + 2;
    if (pages.y + room > pages.height - margin) add();
    const textLeft = isRightToLeft ? place.left + numberRoom : place.left + inset;
    const numberLeft = leftOf(number, place, isRightToLeft ? 'left' : 'right');
    tags.open('TOCI');
    tags.open('Link');
    const top = pages.y;
    for (const [index, line] of lines.entries()) {
      const baseline = pages.y + size * ascent;
      const left = leftOf(line, { left: textLeft, width }, start);
      tags.content(() => drawPieces(pages.inner, line.pieces, { left, baseline, size }));
      if (index === lines.length - 1)
        leader(
          pages,
          isRightToLeft ? numberLeft + number.width : left + line.width,
          isRightToLeft ? left : numberLeft,
          baseline,
        );
      pages.y += size * leading;
    }
    const baseline = pages.y - size * leading + size * ascent;
    tags.content(() => drawPieces(pages.inner, number.pieces, { left: numberLeft, baseline, size }));
    link(pages, { left: place.left, top, right: place.left + place.width, bottom: pages.y }, entry);
    tags.close();
    tags.close();
    pages.y += 2;
  }
  return count;
}

function leader(pages: Pages, from: number, to: number, y: number): void {
  if (to - from < 24) return;
  pages.tags.artifact(
    () =>
      void pages.inner.addContent(
        `q 0.6 w 0.5 G [0.6 3.4] 0 d ${decimal(from + 6)} ${decimal(y)} m ${decimal(to - 6)} ${decimal(y)} l S Q`,
      ),
  );
}

type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

function link(pages: Pages, box: Box, entry: Entry): void {
  const target = `[${entry.on.id} 0 R /XYZ null ${decimal(pages.height - entry.top)} null]`;
  annotate(pages, box, { Dest: new Raw(target) }, `${entry.text}, ${entry.page}`);
}

/** Puts a link over a part of the page, as part of the open element; `says` is what it is for those who do not see it. */
export function annotate(pages: Pages, { left, top, right, bottom }: Box, action: object, says: string): void {
  const { inner, tags, height } = pages;
  const annotation = inner.ref({
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [left, height - bottom, right, height - top],
    Border: [0, 0, 0],
    F: 4,
    StructParent: tags.annotationKey(),
    Contents: new Raw(pdfString(says)),
    ...action,
  });
  annotation.end();
  const page = pages.current.data as { Annots?: Raw[] };
  page.Annots = [...(page.Annots ?? []), new Raw(`${annotation.id} 0 R`)];
  tags.annotated(annotation.id);
}
