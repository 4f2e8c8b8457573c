// What is collected is handed on together, soon, in order, and whatever becomes of it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from '../../../../apps/worker/running/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('hands on the first at once and the rest together, five times a second at most', async () => {
  const given: (readonly number[])[] = [];
  const throttle = createThrottle<number>(async (items) => void given.push(items));
  throttle.add(1);
  await vi.advanceTimersByTimeAsync(0);
  for (const item of [2, 3, 4]) throttle.add(item);
  await vi.advanceTimersByTimeAsync(190);
  expect(given).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(20);
  expect(given).toEqual([[1], [2, 3, 4]]);
});

test('does not wait where there is much, nor at the end; a failure loses its items and no others', async () => {
  const given: number[] = [];
  let fails = true;
  const throttle = createThrottle<number>(async (items) => {
    if (fails) throw new Error('away');
    given.push(items.length);
  });
  for (let item = 0; item < 500; item++) throttle.add(item);
  await vi.advanceTimersByTimeAsync(0);
  fails = false;
  throttle.add(500);
  await throttle.flush();
  expect(given).toEqual([1]);
});
