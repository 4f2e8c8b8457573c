// The XML parts of a workbook, inflated and decoded: read tag by tag, none of them ever held whole, or as a tree where they are small.
import { Failure, fail } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { xmlDecoder } from '../xml/encoding.ts';
import type { Decode } from '../xml/encoding.ts';
import { readXmlDocument } from '../xml/document.ts';
import { createXmlReader } from '../xml/reader.ts';
import type { XmlHandlers, XmlTag } from '../xml/reader.ts';
import type { XmlNode } from '../xml/tree.ts';
import type { Part } from './archive.ts';
import { partLimits } from './limits.ts';

const stepBytes = 65_536;

/** The value of an attribute by its local name. */
export const attribute = (tag: XmlTag | XmlNode, name: string): string | undefined =>
  tag.attributes.find((each) => each.local === name)?.value;

/** Reads a part; nothing where there is none or it is empty. Fails as the XML reader does, with the name of the part. */
export function parsePart(part: Part | undefined, handlers: Partial<XmlHandlers>): void {
  if (part === undefined || part.sizeBytes === 0) return;
  const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined, ...handlers });
  namingPart(part, () => {
    for (const text of textsOf(part)) reader.feed(text);
    reader.end();
  });
}

/** The outermost element of a small part; undefined where there is none or it is empty. Fails as the XML reader does, with the name of the part. */
export function readPart(part: Part | undefined): XmlNode | undefined {
  if (part === undefined || part.sizeBytes === 0) return undefined;
  return namingPart(part, () => readXmlDocument([...textsOf(part)].join(''), partLimits));
}

function* textsOf(part: Part): Generator<string, void, void> {
  let decode: Decode | undefined;
  for (const piece of part.pieces()) {
    for (let at = 0; at < piece.length; at += stepBytes) {
      const bytes = piece.subarray(at, at + stepBytes);
      decode ??= xmlDecoder(bytes);
      yield decode(bytes, true);
    }
  }
  yield decode?.(new Uint8Array(0), false) ?? '';
}

function namingPart<T>(part: Part, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure && isObject(error.error) && error.error['line'] !== undefined
      ? fail('import_failed', { ...error.error, part: part.name }, {}, error)
      : error;
  }
}
