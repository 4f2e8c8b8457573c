// Somebody who is made administrator while a request is under way that may not touch administrators.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdUser } from '#store/access/grants.ts';
import { setGlobalMembership } from '#store/access/groups.ts';
import { administratorsGroup, deleteUser, removePassword } from '#store/access/users.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { beside } from '#test/support/lock-waits.ts';

let api: TestApi;
let helper: string;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  helper = await api.userWith(['manage_users', 'become_user'], 1);
});
afterAll(() => api[Symbol.asyncDispose]());

const made = async (username: string): Promise<{ readonly uri: string; readonly lock_version: number }> =>
  (await api.get(await api.create('/users?password=secret', { username, name: username }))).json;

type Ask = (uri: string, username: string, version: number) => Promise<Reply>;

it.each<readonly [string, Ask]>([
  [
    'gets no password',
    (uri, username, lock_version) =>
      api.post(`${uri}?password=of-the-helper`, { username, name: username, lock_version }, helper),
  ],
  ['is not kept out', (uri) => api.get(`${uri}/deactivate`, helper)],
  ['is not deleted', (uri) => api.del(uri, helper)],
  ['is not deleted with others', (uri) => api.post(`/batch_delete?record_uris[]=${uri}`, {}, helper)],
  ['is not invited', (uri) => api.post(`${uri}/invitation`, {}, helper)],
  ['is not become', (_uri, username) => api.post(`/users/${username}/become-user`, {}, helper)],
])('%s', async (what, ask) => {
  const username = what.replaceAll(' ', '-');
  const { uri, lock_version } = await made(username);
  const id = idOf(uri);
  if (what === 'is not invited') await api.database.transaction((tx) => removePassword(tx, id));
  const reply = await beside(
    api.database,
    async (tx) => {
      await holdUser(tx, id);
      await setGlobalMembership(tx, id, administratorsGroup, true);
    },
    () => ask(uri, username, lock_version),
  );
  expect([reply.status, JSON.stringify(reply.json)]).toEqual([403, expect.stringContaining('Access denied')]);
  expect((await api.get(uri)).json).toMatchObject({ is_admin: true, is_active_user: true });
});

it('nobody becomes a user who is being deleted', async () => {
  const { uri } = await made('leaving');
  const reply = await beside(
    api.database,
    (tx) => deleteUser(tx, idOf(uri), 'admin'),
    () => api.post('/users/leaving/become-user', {}, helper),
  );
  expect(reply.status).toBe(404);
  // The session is whose it was.
  expect((await api.get('/users/current-user', helper)).json).toMatchObject({ username: 'user1' });
});
