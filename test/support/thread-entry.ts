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
  spin: (ms: number): boolean => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return true;
  },
};

export default serveTasks(testTasks);
