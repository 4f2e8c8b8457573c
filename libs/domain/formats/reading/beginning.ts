// The beginning of a file as imports recognise their own by it.
import type { Beginning } from '../define-recognition.ts';

/** So much of a file is looked at, bytes. */
export const beginningBytes = 65_536;

/** Reads the first bytes of a file; what follows them may be cut off anywhere. */
export function readBeginning(bytes: Uint8Array): Beginning {
  const text = decoded(bytes).replace(/^\ufeff/, '');
  if (!text.trimStart().startsWith('<')) return { elements: [], headings: firstRow(text), text };
  // Declaration, comments and document type come before the root element, and may name others.
  const bare = text
    .replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i, '');
  const elements = Array.from(bare.matchAll(/<(?:[\w.-]+:)?([\w.-]+)/g), ([, name = '']) => name.toLowerCase());
  return { elements, headings: [], text: bare };
}

/** Whether the first of the documents that files may be, or hold inside an envelope, is one of these. */
export function opensWith({ elements }: Beginning, names: readonly string[]): boolean {
  const first = elements.find((element) => documents.has(element));
  return first !== undefined && names.includes(first);
}

const documents: ReadonlySet<string> = new Set(['ead', 'eac-cpf', 'eac']);

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

/** The cells of the first row with text in it; quotes may hold commas and line breaks. */
function firstRow(text: string): readonly string[] {
  const cells: string[] = [];
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g)) {
    cells.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) return cells;
    if (end === '') return [];
    cells.length = 0;
  }
  return [];
}
