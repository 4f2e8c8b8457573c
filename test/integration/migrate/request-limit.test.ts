// So many at once, in order, and none while the source asks to be left alone.
import { expect, it } from 'vitest';
import { RequestLimit, inOrder } from '#migrate/request-limit.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const signal = new AbortController().signal;

it('lets no more through than it may, also after one failed', async () => {
  const requestLimit = new RequestLimit({ atOnce: 2, aSecond: 1000 }, signal);
  let underWay = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      requestLimit.pass(async () => {
        most = Math.max(most, ++underWay);
        await wait(5);
        underWay--;
        if (index === 1) throw new Error('failed');
        return index;
      }),
    ),
  );
  expect([most, underWay]).toEqual([2, 0]);
  expect(results.map(({ status }) => status).filter((status) => status === 'rejected').length).toBe(1);
});

it('begins no more in a second than it may, however many may be under way', async () => {
  const requestLimit = new RequestLimit({ atOnce: 10, aSecond: 50 }, signal);
  const start = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => requestLimit.pass(async () => undefined)));
  expect(performance.now() - start).toBeGreaterThan(95);
});

it('begins nothing while it is held, and for the longest time that was asked', async () => {
  const requestLimit = new RequestLimit({ atOnce: 2, aSecond: 1000 }, signal);
  const start = performance.now();
  requestLimit.holdFor(120);
  requestLimit.holdFor(10);
  await requestLimit.pass(async () => undefined);
  expect(performance.now() - start).toBeGreaterThan(115);
});

it('gives results in the order of the tasks, takes no more than there is room for, and fails where one does', async () => {
  let taken = 0;
  const tasks = function* () {
    for (let index = 0; index < 6; index++) {
      taken++;
      yield async () => {
        await wait(30 - index * 5);
        if (index === 4) throw new Error('the fifth');
        return index;
      };
    }
  };
  const results: number[] = [];
  const reading = inOrder(tasks(), 2);
  results.push((await reading.next()).value as number);
  expect(taken).toBe(2);
  await expect(
    (async () => {
      for await (const result of reading) results.push(result);
    })(),
  ).rejects.toThrow('the fifth');
  expect(results).toEqual([0, 1, 2, 3]);
});
