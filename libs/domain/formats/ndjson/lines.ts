// A tree of records as lines of JSON, for programs that read a whole collection.
import type { JsonObject } from '../../json.ts';
import type { TreeRecord } from '../writing/tree-stream.ts';
import { publishedPart } from '../writing/published.ts';
import { makeEmbeddedOnce } from './embedded-once.ts';

/** `repeatsResolved`: linked records stand beside each ref to them; else beside the first alone, in the order of the lines. */
export type LineOptions = { readonly includeUnpublished: boolean; readonly repeatsResolved: boolean };

/**
 * The root (unless null), then every record in order, a line each; unpublished parts are taken out unless they are asked for. A piece a
 * block. Memory holds a block, and the uris of linked records.
 */
export async function* ndjsonLines(
  root: JsonObject | null,
  blocks: AsyncIterable<readonly TreeRecord[]>,
  { includeUnpublished, repeatsResolved }: LineOptions,
): AsyncGenerator<string> {
  const embeddedOnce = repeatsResolved ? null : makeEmbeddedOnce();
  const line = (record: JsonObject): string => {
    const shown = includeUnpublished ? record : publishedPart(record);
    return `${JSON.stringify(embeddedOnce === null ? shown : embeddedOnce(shown))}\n`;
  };
  if (root !== null) yield line(root);
  for await (const block of blocks) if (block.length > 0) yield block.map((each) => line(each.record)).join('');
}
