// Whose account may be touched by whom, and which names are offered.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { protectAdministrator } from '#store/access/administrators.ts';
import { administratorsGroup, createUser } from '#store/access/users.ts';
import { completeUsernames } from '#store/access/usernames.ts';
import { setGlobalMembership } from '#store/access/groups.ts';
import { readLists } from '#store/enumerations/completed-lists.ts';
import { toEnumerations } from '#store/enumerations/lists.ts';
import { prepareFor } from '#store/repositories/service-agents.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { openRecordStore } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
let ids: readonly number[];
beforeAll(async () => {
  store = await openRecordStore();
  const enumerations = toEnumerations(await readLists(store.database.reader));
  const context = { actor: 'admin', generatedValues, enumerations };
  const create = async (username: string): Promise<number> => {
    const prepared = prepareFor('user', { username, name: username }, 'create', context);
    return (await store.database.transaction((tx) => createUser(tx, prepared, null, context))).id;
  };
  ids = [await create('searcher'), await create('seeker')];
});
afterAll(() => store[Symbol.asyncDispose]());

it('an administrator is touched by administrators, by the service and by themselves, others by anybody', async () => {
  const [searcher = 0, seeker = 0] = ids;
  const may = (userId: number, actor: string | null): Promise<boolean> =>
    store.database
      .transaction((tx) => protectAdministrator(tx, userId, actor))
      .then(
        () => true,
        () => false,
      );
  expect(await may(searcher, 'seeker')).toBe(true);
  await store.database.transaction((tx) => setGlobalMembership(tx, searcher, administratorsGroup, true));
  const asked = await Promise.all(['seeker', 'nobody', 'searcher', 'admin', null].map((actor) => may(searcher, actor)));
  expect(asked).toEqual([false, false, true, true, true]);
  expect(await may(seeker, 'searcher')).toBe(true);
});

it('names that begin so are offered, without those of the system', async () => {
  expect(await completeUsernames(store.database.reader, 'SE')).toEqual(['searcher', 'seeker']);
});
