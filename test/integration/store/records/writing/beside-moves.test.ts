// A save beside a move of what it saves, begun at the statements of the move in turn: nobody waits in a circle.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import { atEachStatement, beginAt } from '#test/support/begin-at.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

test('a term goes below another and gets another identifier, whose key both of them write', async () => {
  const scheme = await store.create('classification', { identifier: 'S', title: 'Scheme' });
  let made = 0;
  const term = () => {
    made += 1;
    const body = { identifier: `T${made}`, title: `Term ${made}`, classification: { ref: scheme.uri } };
    return store.create('classification_term', body);
  };
  await atEachStatement(
    async (nth) => {
      const [parent, moved] = [await term(), await term()];
      const body = { ...(await store.read(moved.uri)), identifier: `N${made}`, position: null };
      let tries = 0;
      const move = { parentId: parent.id, position: null, ids: [moved.id] };
      const outcome = await beginAt(
        store.database,
        nth,
        (tx) => moveRecords(tx, kindNamed('classification_term'), store.repoId, scheme.id, move, 'tester'),
        () =>
          store.database.transaction((tx) => {
            tries += 1;
            return store.updateIn(tx, moved.uri, body);
          }),
      );
      expect(tries).toBe(outcome.isReached ? 1 : 0);
      expect(await store.read(moved.uri)).toMatchObject({
        identifier: outcome.isReached ? `N${made}` : `T${made}`,
        parent: { ref: parent.uri },
      });
      return outcome;
    },
    { every: 1, few: 4 },
  );
});
