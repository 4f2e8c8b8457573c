// Thread tasks of a load of records as they are: the two passes over a block.
import { randomUUID } from 'node:crypto';
import type { LoadIndex } from '#domain/loading/index-block.ts';
import { indexLoadBlock as indexBlock } from '#domain/loading/index-block.ts';
import type { LoadRows } from '#domain/loading/rows.ts';
import { loadRows } from '#domain/loading/rows.ts';
import type { SharedLists } from './batch-tasks.ts';
import { enumerationsOf } from './batch-tasks.ts';
import type { Move } from './task.ts';

/** A block of lines as a JSON array, the number of its first, and how many faults are told. */
type LoadBlock = { readonly bytes: Uint8Array; readonly first: number; readonly limit: number };

/** First pass: whose the lines are. */
export function indexLoadBlock({ bytes, first, limit }: LoadBlock): LoadIndex {
  return indexBlock(bytes, first, limit);
}

/** Second pass: the rows of the block. */
export function prepareLoadBlock(
  { bytes, first, limit, lists, now }: LoadBlock & { readonly lists: SharedLists; readonly now: string },
  move: Move,
): LoadRows {
  const context = {
    enumerations: enumerationsOf(lists),
    publishDefault: false,
    newHexId: () => randomUUID().replaceAll('-', ''),
  };
  const rows = loadRows(bytes, first, context, now, limit);
  for (const made of [...Object.values(rows.texts), ...Object.values(rows.records)])
    if (made.length > 0 && made.buffer instanceof ArrayBuffer) move(made.buffer);
  return rows;
}
