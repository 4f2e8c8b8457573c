// What is type-checked together is of different files, and nothing is lost or overtaken for longer than it must.
import { expect, test } from 'vitest';
import { nextBatch } from '../../../../scripts/mutate/batches.ts';

const mutants = ['a', 'b', 'a', 'c', 'a', 'b', 'd'].map((path, index) => ({ path, index }));
const indices = (some: readonly { readonly index: number }[]): readonly number[] => some.map(({ index }) => index);

test('one of each file, the rest in order', () => {
  const { batch, rest } = nextBatch(mutants, 3);
  expect(indices(batch)).toEqual([0, 1, 3]);
  expect(indices(rest)).toEqual([2, 4, 5, 6]);
});

test('batch after batch takes them all', () => {
  let waiting: readonly (typeof mutants)[number][] = mutants;
  const taken: number[] = [];
  while (waiting.length > 0) {
    const { batch, rest } = nextBatch(waiting, 10);
    taken.push(...indices(batch));
    waiting = rest;
  }
  expect(taken).toEqual([0, 1, 3, 6, 2, 5, 4]);
});
