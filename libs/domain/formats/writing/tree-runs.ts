// A tree of records as a document whose components are written apart from each other, a run of them at a time, and joined: so that several
// threads write one document. A run is what lies between two places of the reading order, whatever is open at either.
import { XmlWriter } from '../xml/writer.ts';
import type { DocumentIds } from './identifiers.ts';
import type { TreeParts, TreeRecord } from './tree-stream.ts';

/** The parts of such a document: what `open` writes hangs on nothing before it but the ids that are taken. */
export type RunParts = TreeParts & {
  /** The element that `open` leaves open for a record so deep. */
  element(depth: number): string;
  readonly ids: DocumentIds;
};

/** A run as it was written: `text` from the first record's start tag to what the last one holds; their depths, 0 without records; hashes of the ids in it. */
export type TreeRun = {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly ids: Float64Array<ArrayBuffer>;
};

/** Writes a run, in all its blocks. `parts` are its own, but where it is written in its turn: then those of the document. */
export async function writeRun(blocks: AsyncIterable<readonly TreeRecord[]>, parts: RunParts): Promise<TreeRun> {
  const writer = new XmlWriter();
  let [first, depth, text] = [0, 0, ''];
  for await (const block of blocks) {
    for (const each of block) {
      if (first === 0) {
        first = each.depth;
        // What is open already, and may be closed here.
        for (depth = 1; depth < first; depth++) writer.resume(parts.element(depth));
        depth = first - 1;
      }
      for (; depth >= each.depth; depth--) writer.close();
      parts.open(writer, each.depth, each.record);
      depth = each.depth;
    }
    text += writer.take();
  }
  return { text, first, last: depth, ids: parts.ids.claimed() };
}

/** A run of the document: its bytes, and what stands between two runs hangs on. */
export type WrittenRun = Omit<TreeRun, 'text' | 'ids'> & { readonly bytes: Uint8Array };

/**
 * The document in pieces: the head at once, then a run at a time. The text is what streamTree() writes of the same records.
 */
export async function* joinRuns(runs: AsyncIterable<WrittenRun>, parts: RunParts): AsyncGenerator<string | Uint8Array> {
  const writer = new XmlWriter();
  let depth = 0;
  parts.head(writer);
  yield writer.take();
  const closed = (to: number): string => {
    let text = '';
    for (; depth >= to; depth--) text += `</${parts.element(depth)}>`;
    return text;
  };
  for await (const { bytes, first, last } of runs) {
    if (first === 0) continue;
    const between = closed(first);
    if (between !== '') yield between;
    yield bytes;
    depth = last;
  }
  yield closed(1);
  parts.foot(writer);
  yield `${writer.take()}\n`;
}
