// A tree of records as lines of JSON, for programs that read a whole collection.
import type { JsonObject } from '../../json.ts';
import type { TreeRecord } from '../writing/tree-stream.ts';
import { publishedPart } from '../writing/published.ts';

/** The root (unless null), then every record in order, a line each; unpublished parts are taken out unless they are asked for. A piece a block. */
export async function* ndjsonLines(
  root: JsonObject | null,
  blocks: AsyncIterable<readonly TreeRecord[]>,
  includeUnpublished: boolean,
): AsyncGenerator<string> {
  const line = (record: JsonObject): string =>
    `${JSON.stringify(includeUnpublished ? record : publishedPart(record))}\n`;
  if (root !== null) yield line(root);
  for await (const block of blocks) if (block.length > 0) yield block.map((each) => line(each.record)).join('');
}
