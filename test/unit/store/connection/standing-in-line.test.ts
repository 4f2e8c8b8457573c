// Who writes at once, and who of those that wait for a lock keeps a connection meanwhile.
import { expect, test } from 'vitest';
import { LockWait } from '#store/connection/lock-waits.ts';
import { Turns, writersAmong } from '#store/connection/turns.ts';

test('a fifth of the connections is left to reads, one at least, and none where there is one', () => {
  expect([1, 2, 5, 10, 500].map(writersAmong)).toEqual([1, 1, 4, 8, 400]);
});

test('a quarter of the turns may be kept for longer at once', () => {
  const turns = new Turns(8);
  const [first, second] = [turns.stand(), turns.stand()];
  expect([first, second].every((leave) => leave !== null)).toBe(true);
  expect(turns.stand()).toBeNull();
  first?.();
  const third = turns.stand();
  expect(third).not.toBeNull();
  expect(turns.stand()).toBeNull();
  expect(new Turns(3).stand()).toBeNull();
});

test('a writer stands in line from its second try on, where there is room, and for less than a second as requests do', async () => {
  const turns = new Turns(4);
  const wait = new LockWait({ atOnceMs: 250, wholeMs: 20_000 });
  expect([wait.standIn(turns), wait.setting]).toEqual([null, '; SET LOCAL lock_timeout = 250']);
  await wait.pause(new Error('a lock was waited for'), undefined);
  const leave = wait.standIn(turns);
  expect([leave === null, wait.setting]).toEqual([false, '; SET LOCAL lock_timeout = 750']);
  const other = new LockWait({ atOnceMs: 250, wholeMs: 20_000 });
  await other.pause(new Error('a lock was waited for'), undefined);
  expect([other.standIn(turns), other.setting]).toEqual([null, '; SET LOCAL lock_timeout = 250']);
  leave?.();
  expect([other.standIn(turns) === null, other.setting]).toEqual([false, '; SET LOCAL lock_timeout = 750']);
  // Beside another transaction of the same process nobody has a turn to keep.
  expect([wait.standIn(null), wait.setting]).toEqual([null, '; SET LOCAL lock_timeout = 250']);
});
