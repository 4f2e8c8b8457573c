// Saves of records that show one relation, at once: nobody waits in a circle, and nobody's relation is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
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

const relatedTo = async (uri: string): Promise<unknown> =>
  ((await store.read(uri))['related_agents'] as readonly { ref: string }[]).map(({ ref }) => ref);

test('two agents that are related to each other by saves of both', async () => {
  await besideEachOther(store.database, async () => {
    const [one, other] = [await make.person(), await make.person()];
    return {
      one: await make.saving(one, friends(other)),
      other: await make.saving(other, friends(one)),
      check: async () => expect([await relatedTo(one), await relatedTo(other)]).toEqual([[other], [one]]),
    };
  });
});
