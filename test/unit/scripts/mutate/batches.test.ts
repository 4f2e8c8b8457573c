// What is type-checked together is of different files, and nothing is lost or overtaken for longer than it must.
import { expect, test } from 'vitest';
import { checkedInBatches } from '../../../../scripts/mutate/batches.ts';

const mutants = ['a', 'b', 'a', 'c', 'a', 'b', 'd'].map((path, index) => ({ path, index }));

function batchesOf(size: number): readonly (readonly number[])[] {
  const batches: number[][] = [];
  const row = checkedInBatches(mutants, size, (batch) => {
    batches.push(batch.map(({ index }) => index));
    return [];
  });
  expect([...row].map(({ mutant }) => mutant.index)).toEqual(batches.flat());
  return batches;
}

test('one of each file, the rest in order', () => {
  expect(batchesOf(3)).toEqual([[0, 1, 3], [2, 5, 6], [4]]);
});

test('batch after batch takes them all', () => {
  expect(batchesOf(10)).toEqual([[0, 1, 3, 6], [2, 5], [4]]);
});

test('what does not type-check is told, in the batch that it was checked in alone', () => {
  const checked = [...checkedInBatches(mutants, 10, (batch) => (batch.length > 2 ? ['b'] : []))];
  expect(checked.filter(({ isSound }) => !isSound).map(({ mutant }) => mutant.index)).toEqual([1]);
  expect(checked).toHaveLength(7);
});

test('a batch is checked when its first is asked for', () => {
  let checks = 0;
  const row = checkedInBatches(mutants, 3, () => {
    checks += 1;
    return [];
  });
  for (let taken = 0; taken < 3; taken++) row.next();
  expect(checks).toBe(1);
  row.next();
  expect(checks).toBe(2);
});
