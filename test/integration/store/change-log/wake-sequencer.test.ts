// Waking the sequencer: at once after a commit, and once for the many that follow.
import { expect, test } from 'vitest';
import { sequencerWaker } from '#store/change-log/wake-sequencer.ts';

test('commits in quick succession send two notifications, the last of them after the last commit', async () => {
  let sent = 0;
  const wake = sequencerWaker(() => {
    sent += 1;
    return sent === 1 ? Promise.reject(new Error('not reachable')) : Promise.resolve();
  });
  for (let commit = 0; commit < 5; commit += 1) wake();
  expect(sent).toBe(1);
  await expect.poll(() => sent).toBe(2);
});
