// The XML parts of a workbook, inflated, decoded and read tag by tag; none is ever held whole.
import { Failure, fail } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { xmlDecoder } from '../xml/encoding.ts';
import type { Decode } from '../xml/encoding.ts';
import { createXmlReader } from '../xml/reader.ts';
import type { XmlHandlers, XmlTag } from '../xml/reader.ts';
import type { Part } from './archive.ts';

const stepBytes = 65_536;

/** The value of an attribute by its local name. */
export const attribute = (tag: XmlTag, name: string): string | undefined =>
  tag.attributes.find((each) => each.local === name)?.value;

/** Reads a part; nothing where there is none or it is empty. Fails as the XML reader does, with the name of the part. */
export function parsePart(part: Part | undefined, handlers: Partial<XmlHandlers>): void {
  if (part === undefined || part.sizeBytes === 0) return;
  const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined, ...handlers });
  let decode: Decode | undefined;
  try {
    for (const piece of part.pieces()) {
      for (let at = 0; at < piece.length; at += stepBytes) {
        const bytes = piece.subarray(at, at + stepBytes);
        decode ??= xmlDecoder(bytes);
        reader.feed(decode(bytes, true));
      }
    }
    reader.feed(decode?.(new Uint8Array(0), false) ?? '');
    reader.end();
  } catch (error) {
    throw error instanceof Failure && isObject(error.error) && error.error['line'] !== undefined
      ? fail('import_failed', { ...error.error, part: part.name }, {}, error)
      : error;
  }
}
