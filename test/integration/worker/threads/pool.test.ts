// The thread pool: typed calls, moved buffers, failures kept whole, tasks ended by their signal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { Threads } from '../../../../apps/worker/threads/pool.ts';
import { TookTooLong, startThreads } from '../../../../apps/worker/threads/pool.ts';
import type { testTasks } from '#test/support/thread-entry.ts';

let threads: Threads<typeof testTasks>;
// Filling what the product gives a thread took longer than all else here.
const heapMb = 96;
beforeAll(async () => {
  const entry = new URL('../../../support/thread-entry.ts', import.meta.url);
  threads = await startThreads<typeof testTasks>(2, entry, heapMb);
});
afterAll(async () => threads.close());

test('moves the buffers of a task in and of its result out', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  expect(await threads.run('sum', bytes, { transfer: [bytes.buffer] })).toBe(6);
  expect(bytes.byteLength).toBe(0);
  expect(await threads.run('double', new Uint8Array([1, 2]))).toEqual(new Uint8Array([2, 4]));
});

test('throws the failure of a task with its code and parts, and other errors as they are', async () => {
  const error = await threads.run('refuse', null).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({
    code: 'invalid_record',
    error: { title: ['is missing'] },
    extra: { invalid_object: '{}' },
  });
  await expect(threads.run('break', null)).rejects.toThrow('a fault of the program');
});

test('runs tasks side by side and leaves the event loop free', async () => {
  const place = new SharedArrayBuffer(4);
  expect(await Promise.all([1, 2].map(async () => threads.run('meet', { place, count: 2 })))).toEqual([true, true]);
  let beats = 0;
  const timer = setInterval(() => beats++, 10);
  await Promise.all([threads.run('spin', 300), threads.run('spin', 300)]);
  clearInterval(timer);
  expect(beats).toBeGreaterThan(0);
});

test('ends a task by its signal, even one that never looks at it', async () => {
  const stop = new AbortController();
  const task = threads.run('spin', 60_000, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(task).rejects.toThrow(/abort/i);
  expect(await threads.run('sum', new Uint8Array([1]))).toBe(1);
});

test('ends a task that takes longer than it may, counted from when a thread begins with it', async () => {
  await expect(threads.run('spin', 60_000, { limitMs: 50 })).rejects.toThrow(TookTooLong);
  // Both threads are taken until the limit is over several times.
  const others = [1, 2].map(async () => threads.run('spin', 1000));
  expect(await threads.run('sum', new Uint8Array([1, 2]), { limitMs: 300 })).toBe(3);
  expect(await Promise.all(others)).toEqual([true, true]);
  const stop = new AbortController();
  const task = threads.run('spin', 60_000, { limitMs: 60_000, signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(task).rejects.toThrow(/abort/i);
});

test('a task that needs more memory than it may have fails alone, and says so', async () => {
  await expect(threads.run('fill', null)).rejects.toMatchObject({
    code: 'too_large',
    error: expect.stringContaining(`more than the ${heapMb} MB of memory`),
  });
  expect(await threads.run('sum', new Uint8Array([1]))).toBe(1);
});

test('starts with the tasks of the product', async () => {
  const product = await startThreads(1);
  expect(await product.run('warm', null)).toBe(true);
  await product.close();
});
