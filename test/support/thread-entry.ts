// Thread tasks for tests of the pool.
import { fail } from '#domain/errors.ts';
import { serveTasks } from '../../apps/worker/threads/task.ts';
import type { Move } from '../../apps/worker/threads/task.ts';

/** The table. */
export const testTasks = {
  warm: (_payload: null): true => true,
  sum: (bytes: Uint8Array): number => bytes.reduce((total, byte) => total + byte, 0),
  double: (bytes: Uint8Array, move: Move): Uint8Array<ArrayBuffer> => {
    const doubled = new Uint8Array(bytes.map((byte) => byte * 2));
    move(doubled.buffer);
    return doubled;
  },
  refuse: (_payload: null): never => {
    throw fail('invalid_record', { title: ['is missing'] }, { invalid_object: '{}' });
  },
  break: (_payload: null): never => {
    throw new TypeError('a fault of the program');
  },
  fill: (_payload: null): number => {
    const kept: (readonly number[])[] = [];
    for (;;) kept.push(new Array<number>(1_000_000).fill(kept.length + 0.5));
  },
  /** Whether as many threads as `count` come here while each waits for the others. */
  meet: ({ place, count }: { readonly place: SharedArrayBuffer; readonly count: number }): boolean => {
    const here = new Int32Array(place);
    for (let seen = Atomics.add(here, 0, 1) + 1; seen < count; seen = Atomics.load(here, 0))
      if (Atomics.wait(here, 0, seen, 20_000) === 'timed-out') return false;
    Atomics.notify(here, 0);
    return true;
  },
  spin: (ms: number): boolean => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return true;
  },
};

export default serveTasks(testTasks);
