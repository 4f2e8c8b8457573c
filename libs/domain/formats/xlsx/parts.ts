// The XML parts of a workbook, read tag by tag.
import { createXmlReader } from '../xml/reader.ts';
import type { XmlHandlers, XmlTag } from '../xml/reader.ts';

/** The value of an attribute by its local name. */
export const attribute = (tag: XmlTag, name: string): string | undefined => tag.attributes.find((each) => each.local === name)?.value;

/** Reads a part; nothing where there is none. */
export function parsePart(text: string | undefined, handlers: Partial<XmlHandlers>): void {
  if (text === undefined || text === '') return;
  const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined, ...handlers });
  reader.feed(text);
  reader.end();
}
