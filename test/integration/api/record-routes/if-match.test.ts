// If-Match on DELETE of what has routes of its own: the version is compared by whoever holds the record, so that what another saves meanwhile is not deleted with it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { beside } from '#test/support/lock-waits.ts';

let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const made: readonly [kind: string, make: () => Promise<string>][] = [
  ['user', () => api.create('/users?password=matched-and-long', { username: 'matched', name: 'Matched' })],
  [
    'group',
    () =>
      api.create(`/repositories/${repoId}/groups`, {
        group_code: 'matched',
        description: 'Matched',
        member_usernames: [],
      }),
  ],
  ['preference', () => api.create(`/repositories/${repoId}/preferences`, { defaults: { publish: true } })],
  ['repository', () => api.create('/repositories', { repo_code: 'MATCHED', name: 'Matched' })],
];

it.each(made)('spares a %s that is saved while its deletion waits', async (kind, make) => {
  const uri = await make();
  const etag = (await api.ask(uri, { session: api.session })).headers.get('etag') ?? '';
  const remove = (tag: string) =>
    api.ask(uri, { method: 'DELETE', session: api.session, headers: { 'if-match': tag } });
  const refused = await beside(
    api.database,
    (tx) => tx.run(sql`UPDATE record SET lock_version = lock_version + 1 WHERE kind = ${kind} AND id = ${idOf(uri)}`),
    () => remove(etag),
  );
  expect([refused.status, refused.json.code]).toEqual([412, 'PRECONDITION_FAILED']);
  const now = await api.ask(uri, { session: api.session });
  ok(now);
  expect((await remove(now.headers.get('etag') ?? '')).json).toMatchObject({ status: 'Deleted' });
});
