// A document that is written in runs is the document that is written at once.
import { describe, expect, test } from 'vitest';
import { createIds } from '#domain/formats/writing/identifiers.ts';
import type { RunParts, TreeRun, WrittenRun } from '#domain/formats/writing/tree-runs.ts';
import { joinRuns, writeRun } from '#domain/formats/writing/tree-runs.ts';
import type { TreeRecord } from '#domain/formats/writing/tree-stream.ts';
import { streamTree } from '#domain/formats/writing/tree-stream.ts';
import { seededRandom } from '#test/support/random.ts';

function makeParts(): RunParts {
  const ids = createIds();
  return {
    ids,
    element: (depth) => `c${depth}`,
    head: (writer) => void writer.open('tree', { id: ids.claim('root') }),
    open: (writer, depth, { id }) =>
      void writer.open(`c${depth}`, { id: ids.claim(String(id)) }).element('did', {}, String(id)),
    foot: (writer) => void writer.close(),
  };
}

/** Records as they follow each other in a tree: each at most one level deeper than the one before it. */
function treeOf(count: number, seed: number): readonly TreeRecord[] {
  const random = seededRandom(seed);
  const records: TreeRecord[] = [];
  let depth = 0;
  for (let n = 0; n < count; n++) {
    depth = 1 + Math.floor(random() * (depth + 1));
    records.push({ depth, record: { id: `r${n}` } });
  }
  return records;
}

async function* blocksOf(records: readonly TreeRecord[], size = 3): AsyncGenerator<readonly TreeRecord[]> {
  for (let at = 0; at < records.length; at += size) yield records.slice(at, at + size);
}

const written = ({ text, first, last }: TreeRun): WrittenRun => ({
  bytes: new TextEncoder().encode(text),
  first,
  last,
});

async function* runsOf(records: readonly TreeRecord[], size: number): AsyncGenerator<WrittenRun> {
  for (let at = 0; at < records.length; at += size)
    yield written(await writeRun(blocksOf(records.slice(at, at + size)), makeParts()));
}

const textOf = async (pieces: AsyncIterable<string | Uint8Array>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(pieces, (piece) => Buffer.from(piece))).toString();

describe('a document in runs', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is the one that is written at once, wherever runs end (tree %i)',
    async (seed) => {
      const records = treeOf(60, seed);
      const whole = await textOf(streamTree(blocksOf(records), makeParts()));
      for (const size of [1, 2, 7, 59, 60, 100])
        expect(await textOf(joinRuns(runsOf(records, size), makeParts()))).toBe(whole);
    },
  );

  test('has its head and foot without any record, and where runs are empty', async () => {
    const whole = await textOf(streamTree(blocksOf([]), makeParts()));
    expect(await textOf(joinRuns(runsOf([], 3), makeParts()))).toBe(whole);
    const records = treeOf(9, 1);
    const empty = written(await writeRun(blocksOf([]), makeParts()));
    async function* withEmpty(): AsyncGenerator<WrittenRun> {
      yield empty;
      for await (const run of runsOf(records, 4)) yield* [run, empty];
    }
    expect(await textOf(joinRuns(withEmpty(), makeParts()))).toBe(
      await textOf(streamTree(blocksOf(records), makeParts())),
    );
  });
});

test('ids of a run are claimed together, or none of them', async () => {
  const run = await writeRun(blocksOf(treeOf(5, 1)), makeParts());
  expect(run.ids).toHaveLength(5);
  const document = createIds();
  expect(document.claimAll(run.ids)).toBe(true);
  expect(document.claim('r3')).toBeUndefined();
  const other = createIds();
  expect([other.claim('r3'), other.claimAll(run.ids)]).toEqual(['aspace_r3', false]);
  // None was taken by the attempt.
  expect(other.claim('r0')).toBe('aspace_r0');
});
