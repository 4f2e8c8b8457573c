// What a follower does of changes that come one after the other: it follows the first at once and the others together, and loses none.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { appendChange } from '#store/change-log/append.ts';
import { ensureFollower, follow } from '#store/change-log/followers.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { createDatabase } from '#test/support/database.ts';
import { connect } from '#test/support/worker.ts';

test('changes that come in quick succession are followed together, in order and each once', async () => {
  await using server = await createDatabase();
  await using connected = connect(server.url, 4);
  const { database, listener } = connected;
  // What the template was made by.
  await sequenceChanges(database);
  await ensureFollower(database, 'tried', 'now');
  const chunks: { readonly at: number; readonly ids: readonly (number | null)[] }[] = [];
  const stop = new AbortController();
  const following = follow(
    database,
    'tried',
    async (entries) => void chunks.push({ at: performance.now(), ids: entries.map(({ id }) => id) }),
    { listener, signal: stop.signal, onError: (error) => expect.fail(String(error)) },
  );
  try {
    const started = performance.now();
    for (let id = 1; id <= 30; id++) {
      await database.transaction((tx) =>
        appendChange(tx, { kind: 'accession', id, repoId: 2, op: 'update', actor: null, lockVersion: 1 }),
      );
      await sequenceChanges(database);
      await sleep(20);
    }
    await expect.poll(() => chunks.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    const seconds = (performance.now() - started) / 1000;
    // Five a second, and one that was begun at the end of a second.
    expect(chunks.length).toBeLessThanOrEqual(Math.floor(seconds * 5) + 2);
  } finally {
    stop.abort();
    await following;
  }
});
