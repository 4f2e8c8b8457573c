// A value of a relation's list is renamed while one of its sides is saved: nobody waits in a circle.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { renameUses } from '#store/enumerations/uses.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { friends, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

test.each(['first', 'second'])('a save of the %s of two related agents, which drops the relation', async (which) => {
  const list = 'agent_relationship_associative_relator';
  await besideEachOther(store.database, async () => {
    const [first, second] = [await make.person(), await make.person()];
    await store.update(second, { ...(await store.read(second)), ...friends(first) });
    const saved = which === 'first' ? first : second;
    return {
      one: (tx) => renameUses(tx, { list, from: 'is_associative_with', to: 'knows', actor: 'tester' }),
      other: await make.saving(saved, { related_agents: [] }),
    };
  });
});
