// A finding aid printed in a thread: the tree goes in a block at a time, the bytes of the PDF come out as pages fill up.
import type { ExportTree } from '#store/exports/read-tree.ts';
import type { PrintAbout, PrintReport } from '../threads/print-tasks.ts';
import type { Threads } from '../threads/pool.ts';
import { throughThread } from './through-thread.ts';

/** Yields the document's bytes, returns what was printed. `onRecords` hears how many components have gone in. */
export const print = (
  threads: Threads,
  tree: ExportTree,
  about: PrintAbout,
  options: { readonly signal: AbortSignal; readonly onRecords: (done: number) => void },
): AsyncGenerator<Uint8Array, PrintReport, void> =>
  throughThread(blocksOf(tree, options.onRecords), (port) =>
    threads.run('printFindingAid', { port, about }, { signal: options.signal, transfer: [port] }),
  );

async function* blocksOf({ root, blocks }: ExportTree, onRecords: (done: number) => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify([{ depth: 0, record: root.record }]));
  let done = 0;
  for await (const block of blocks) {
    yield Buffer.from(JSON.stringify(block.map(({ depth, record }) => ({ depth, record }))));
    done += block.length;
    onRecords(done);
  }
}
