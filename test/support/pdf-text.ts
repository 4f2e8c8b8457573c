// What tests read of a PDF: its pages, its outline, and the texts of streams that are deflated or as they are.
import { inflateSync } from 'node:zlib';

/** A PDF, read. `text` holds the texts of all pages in the order of the file, a line each. */
export type ReadPdf = { readonly pages: number; readonly bookmarks: readonly string[]; readonly text: string };

/** Reads a PDF with standard fonts; throws where it is none. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const all = Buffer.from(bytes).toString('latin1');
  if (!all.startsWith('%PDF-') || !all.trimEnd().endsWith('%%EOF')) throw new Error('no PDF');
  const pages = Number(/\/Type \/Pages\n\/Count (\d+)/.exec(all)?.[1]);
  const streams = [...all.matchAll(/<<\n((?:(?!>>)[^])*)>>\nstream\n([^]*?)\nendstream/g)].map(
    ([, head = '', body = '']) =>
      head.includes('/FlateDecode') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body,
  );
  const lines = streams.flatMap((stream) =>
    [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
        .join(''),
    ),
  );
  const bookmarks = [...all.matchAll(/\/Title \(((?:[^()\\]|\\.)*)\)\n/g)].map(([, title = '']) => title);
  return { pages, bookmarks, text: lines.join('\n') };
}
