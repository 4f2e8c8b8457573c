// Work on a stream, several at once: results in the order of the items, the first failure of that order, and nothing that goes on behind the end.
import { expect, it } from 'vitest';
import { inOrder, readAhead } from '../../../../apps/worker/batch-import/in-order.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers from 0 up, of which `taken` tells how many were asked for; at the end, or where nobody wants more, it is `closed`. */
function numbers(count: number, failure?: Error) {
  const seen = { taken: 0, closed: false };
  const items = async function* (): AsyncGenerator<number> {
    try {
      for (let number = 0; number < count; number++) {
        seen.taken += 1;
        yield number;
      }
      if (failure !== undefined) throw failure;
    } finally {
      seen.closed = true;
    }
  };
  return { seen, items: items() };
}

/** Work that takes the longer the earlier its item is, and fails at one; `underWay` tells how much of it has not ended, `most` how much there was at once. */
function work(failing = -1) {
  const seen = { underWay: 0, most: 0 };
  const run = async (item: number): Promise<string> => {
    seen.most = Math.max(seen.most, ++seen.underWay);
    await wait(20 - item * 3);
    seen.underWay -= 1;
    if (item === failing) throw new Error(`failed at ${item}`);
    return `done ${item}`;
  };
  return { seen, run };
}

it('gives results in the order of the items, and has no more under way than it may', async () => {
  const { seen, run } = work();
  expect(await Array.fromAsync(inOrder(numbers(5).items, 2, run))).toEqual(
    [0, 1, 2, 3, 4].map((item) => `done ${item}`),
  );
  expect(seen).toEqual({ underWay: 0, most: 2 });
});

it('fails as the first item of the order does, behind what came before it, and leaves nothing under way', async () => {
  const { seen, run } = work(1);
  const results: string[] = [];
  const read = async (): Promise<void> => {
    for await (const result of inOrder(numbers(5).items, 3, run)) results.push(result);
  };
  await expect(read()).rejects.toThrow('failed at 1');
  expect([results, seen.underWay]).toEqual([['done 0'], 0]);
});

it('tells of a stream that fails when all that came before it is done, unless that fails first', async () => {
  const broken = new Error('the stream broke');
  const [sound, failing] = [work(), work(2)];
  const results: string[] = [];
  const read = async (): Promise<void> => {
    for await (const result of inOrder(numbers(3, broken).items, 4, sound.run)) results.push(result);
  };
  await expect(read()).rejects.toBe(broken);
  expect(results).toEqual(['done 0', 'done 1', 'done 2']);
  await expect(Array.fromAsync(inOrder(numbers(3, broken).items, 4, failing.run))).rejects.toThrow('failed at 2');
});

it('ends the work that it has begun where nobody wants more, and closes the stream', async () => {
  const { seen, run } = work();
  const { items, seen: stream } = numbers(5);
  for await (const _result of inOrder(items, 3, run)) break;
  expect([seen.underWay, stream]).toEqual([0, { taken: 3, closed: true }]);
});

it('reads ahead as far as it may, and no further than somebody wants', async () => {
  const { items, seen } = numbers(5);
  const ahead = readAhead(items, 2);
  expect(seen.taken).toBe(0);
  expect(await ahead.next()).toEqual({ value: 0, done: false });
  expect(seen.taken).toBe(2);
  expect(await Array.fromAsync(ahead)).toEqual([1, 2, 3, 4]);
  expect(seen).toEqual({ taken: 5, closed: true });
  const other = numbers(5);
  for await (const _number of readAhead(other.items, 2)) break;
  expect(other.seen.closed).toBe(true);
  await expect(Array.fromAsync(readAhead(numbers(1, new Error('broke')).items, 2))).rejects.toThrow('broke');
});
