// What tests read of a PDF as this service makes it: pages in their order, lines as they are read and as they are seen, outline, links, tags.
import { inflateSync } from 'node:zlib';

/** A printed line. `text` in the order of reading, `visual` from left to right as it is seen; `left` in points from the left edge. */
type ReadLine = { readonly page: number; readonly text: string; readonly visual: string; readonly left: number };

/** A link of a page: to an address of the web, or to a page (from 1 in the order of the file's pages). */
type ReadLink = { readonly page: number; readonly address?: string; readonly toPage?: number };

/** A PDF, read. `text` holds the lines of all pages. `tags` are the types of structure elements in reading order, `objects` the file's by number. */
export type ReadPdf = {
  readonly pages: number;
  readonly bookmarks: readonly { readonly title: string; readonly page: number; readonly depth: number }[];
  readonly lines: readonly ReadLine[];
  readonly text: string;
  readonly links: readonly ReadLink[];
  readonly tags: readonly string[];
  readonly catalog: string;
  readonly objects: ReadonlyMap<number, string>;
};

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
const utf16 = (hex: string): string => Buffer.from(hex.replace(/^feff/, ''), 'hex').swap16().toString('utf16le');
const refOf = (text: string, key: string): number => Number(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1]);

/** Reads a PDF; throws where it is none. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const all = Buffer.from(bytes).toString('latin1');
  if (!all.startsWith('%PDF-') || !all.trimEnd().endsWith('%%EOF')) throw new Error('no PDF');
  const objects = new Map(
    [...all.matchAll(/(?<=\n)(\d+) 0 obj\n([^]*?)\nendobj/g)].map(([, id, body = '']) => [Number(id), body]),
  );
  const of = (id: number): string => objects.get(id) ?? '';
  const catalog = [...objects.values()].find((body) => body.includes('/Type /Catalog')) ?? '';
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(of(refOf(catalog, 'Pages')))?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(
    ([, id]) => Number(id),
  );
  const lines = kids.flatMap((id, index) => linesOf(of(id), index + 1, of));
  const pageOf = (target: string): number => kids.indexOf(Number(/\[(\d+) 0 R/.exec(target)?.[1])) + 1;
  const links = kids.flatMap((id, index) =>
    [...(/\/Annots \[([^\]]*)\]/.exec(of(id))?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(([, annotation]): ReadLink => {
      const body = of(Number(annotation));
      const address = /\/URI \(((?:[^()\\]|\\.)*)\)/.exec(body)?.[1]?.replace(/\\(.)/g, '$1');
      return {
        page: index + 1,
        ...(address === undefined ? { toPage: pageOf(/\/Dest (\[[^\]]*\])/.exec(body)?.[1] ?? '') } : { address }),
      };
    }),
  );
  const bookmarks = (id: number, depth: number): { title: string; page: number; depth: number }[] => {
    if (Number.isNaN(id)) return [];
    const body = of(id);
    const title = textString(/\/Title \(((?:[^\\)]|\\[^])*)\)/.exec(body)?.[1] ?? '');
    const here = { title, page: pageOf(/\/Dest (\[[^\]]*\])/.exec(body)?.[1] ?? ''), depth };
    return [here, ...bookmarks(refOf(body, 'First'), depth + 1), ...bookmarks(refOf(body, 'Next'), depth)];
  };
  const tags = (id: number): string[] => [
    ...(/\/S \/(\w+)/.exec(of(id))?.slice(1) ?? []),
    ...[...(/\/K \[([^]*)\]/.exec(of(id))?.[1] ?? '').replace(/<<[^>]*>>/g, '').matchAll(/(\d+) 0 R/g)].flatMap(
      ([, kid]) => tags(Number(kid)),
    ),
  ];
  const structure = of(refOf(catalog, 'StructTreeRoot'));
  return {
    pages: kids.length,
    bookmarks: bookmarks(refOf(of(refOf(catalog, 'Outlines')), 'First'), 0),
    lines,
    text: lines.map(({ text }) => text).join('\n'),
    links,
    tags: structure === '' ? [] : tags(refOf(structure, 'K')),
    catalog,
    objects,
  };
}

/** A string in parentheses: UTF-16 with a mark, or Latin letters. */
function textString(escaped: string): string {
  const controls: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const raw = escaped.replace(/\\([^])/g, (_, letter: string) => controls[letter] ?? letter);
  return raw.startsWith('\u00fe\u00ff') ? Buffer.from(raw.slice(2), 'latin1').swap16().toString('utf16le') : raw;
}

function streamOf(body: string): string {
  const stream = /\nstream\n([^]*)\nendstream$/.exec(body)?.[1] ?? '';
  return body.includes('/FlateDecode') ? inflateSync(Buffer.from(stream, 'latin1')).toString('latin1') : stream;
}

/** What each code of a font says. */
function textsOf(font: string, of: (id: number) => string): readonly string[] {
  const texts: string[] = [];
  for (const [, start = '', list = ''] of streamOf(of(refOf(font, 'ToUnicode'))).matchAll(
    /<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g,
  ))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([^>]*)>/g)].entries())
      texts[Number.parseInt(start, 16) + index] = utf16(hex.replaceAll(' ', ''));
  return texts;
}

// What stands behind one place; `said` is a text that takes the place of what its glyphs say.
type Shown = { readonly x: number; readonly glyphs: string[]; said?: string };

function readingOf({ glyphs, said }: Shown): string {
  if (said !== undefined) return said;
  return (rightToLeft.test(glyphs.join('')) ? glyphs.toReversed() : glyphs).join('');
}

function linesOf(page: string, number: number, of: (id: number) => string): readonly ReadLine[] {
  const fonts = new Map(
    [...(/\/Font <<([^>]*)>>/.exec(of(refOf(page, 'Resources')))?.[1] ?? '').matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
      ([, name = '', id]) => [name, textsOf(of(Number(id)), of)],
    ),
  );
  const lines: { y: string; shown: Shown[] }[] = [];
  let font: readonly string[] = [];
  let shown: Shown | undefined;
  let actual: { readonly text: string; isSaid: boolean } | undefined;
  const tokens =
    /\/(F\d+) [\d.]+ Tf|1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm|\[([^\]]*)\] TJ|\/ActualText <([0-9a-f]*)>|(EMC)/g;
  for (const [, name, x, y, glyphs, said, end] of streamOf(of(refOf(page, 'Contents'))).matchAll(tokens)) {
    if (name !== undefined) font = fonts.get(name) ?? [];
    else if (said !== undefined) actual = { text: utf16(said), isSaid: false };
    else if (end !== undefined) actual = undefined;
    else if (x !== undefined && y !== undefined) {
      if (lines.at(-1)?.y !== y) lines.push({ y, shown: [] });
      lines.at(-1)?.shown.push((shown = { x: Number(x), glyphs: [] }));
    } else if (shown !== undefined && glyphs !== undefined) {
      const codes = [...glyphs.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
      if (codes.includes('0000')) throw new Error('a glyph of nothing (.notdef) is shown');
      shown.glyphs.push(...codes.map((code) => font[Number.parseInt(code, 16)] ?? ''));
      if (actual !== undefined) {
        shown.said ??= actual.isSaid ? '' : actual.text;
        actual.isSaid = true;
      }
    }
  }
  return lines.map(({ shown: parts }) => ({
    page: number,
    text: parts.map(readingOf).join(''),
    visual: parts
      .toSorted((a, b) => a.x - b.x)
      .map(({ glyphs }) => glyphs.join(''))
      .join(''),
    left: Math.min(...parts.map(({ x }) => x)),
  }));
}
