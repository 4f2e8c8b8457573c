// Long work on the event loop lets others have their turn.
import { expect, test } from 'vitest';
import { LoopTurns } from '#store/connection/loop-turns.ts';

test('a turn is due when it has taken a while, and others had theirs when the next begins', async () => {
  const turns = new LoopTurns();
  expect(turns.isDue()).toBe(false);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  for (const since = performance.now(); performance.now() - since < 30;);
  expect([turns.isDue(), others]).toEqual([true, 0]);
  await turns.next();
  expect([turns.isDue(), others]).toEqual([false, 1]);
});
