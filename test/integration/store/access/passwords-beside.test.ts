// Ways to a password that are given while the user gets one: whoever has a password of their own gets none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inviteUser } from '#store/access/invitations.ts';
import { takeSourcePasswords } from '#store/access/source-passwords.ts';
import { findLogin, removePassword, setPassword } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import { lockRecord } from '#store/records/writing/write.ts';
import { kindNamed } from '#domain/addresses.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { beside } from '#test/support/lock-waits.ts';

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
let api: TestApi;
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

/** A user without a password: invited ones are made by a load. */
async function nobodyYet(): Promise<{ readonly id: number; readonly username: string }> {
  const username = `beside${(made += 1)}`;
  const id = idOf(await api.create('/users?password=gone-in-a-moment', { username, name: username }));
  await api.database.transaction((tx) => removePassword(tx, id));
  return { id, username };
}

it.each([
  ['a save of the user', (tx: Transaction, id: number) => lockRecord(tx, kindNamed('user'), id, null)],
  ['an invitation that is accepted', async () => undefined],
])('by %s', async (_how, before) => {
  const [one, two] = [await nobodyYet(), await nobodyYet()];
  const set =
    (id: number) =>
    async (tx: Transaction): Promise<void> => {
      await before(tx, id);
      await setPassword(tx, id, 'a hash');
    };
  const invited = beside(api.database, set(one.id), () =>
    api.database.transaction((tx) => inviteUser(tx, one.id, 1, null)).catch((error: unknown) => error),
  );
  expect(await invited).toMatchObject({ error: { id: [`${one.username} has a password`] } });
  const taken = await beside(api.database, set(two.id), () =>
    api.database.transaction((tx) => takeSourcePasswords(tx, [{ username: two.username, hash: bcrypt }])),
  );
  expect(taken).toEqual({ taken: 0, refused: [{ username: two.username, reason: 'the user has a password here' }] });
  expect(await findLogin(api.database.reader, two.username)).toMatchObject({
    passwordHash: 'a hash',
    broughtHash: null,
  });
});
