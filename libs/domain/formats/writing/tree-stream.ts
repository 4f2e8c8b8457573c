// A tree of records as a stream of nested elements: opened as they come, closed when the next one is no deeper.
import type { JsonObject } from '../../json.ts';
import { XmlWriter } from '../xml/writer.ts';

/** A record below the root, with its depth (1 for the root's children). Depth grows by one at most. */
export type TreeRecord = { readonly depth: number; readonly record: JsonObject };

/** What is written before, for each record (its element is left open), and after. */
export type TreeParts = {
  head(writer: XmlWriter): void;
  open(writer: XmlWriter, depth: number, record: JsonObject): void;
  foot(writer: XmlWriter): void;
};

const piece = 64 * 1024;

/**
 * The text in pieces: the head at once, then some 64 KB at a time, so that memory holds a block and a piece. Every record's element is
 * closed after what is below it. Ends with a newline.
 */
export async function* streamTree(
  blocks: AsyncIterable<readonly TreeRecord[]>,
  parts: TreeParts,
): AsyncGenerator<string> {
  const writer = new XmlWriter();
  let depth = 0;
  parts.head(writer);
  yield writer.take();
  for await (const block of blocks) {
    for (const each of block) {
      for (; depth >= each.depth; depth--) writer.close();
      parts.open(writer, each.depth, each.record);
      depth = each.depth;
      if (writer.waiting >= piece) yield writer.take();
    }
    if (writer.waiting > 0) yield writer.take();
  }
  for (; depth > 0; depth--) writer.close();
  parts.foot(writer);
  yield `${writer.take()}\n`;
}
