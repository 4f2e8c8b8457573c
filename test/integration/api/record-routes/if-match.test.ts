// If-Match on DELETE of what has routes of its own: the version is compared by whoever holds the record, so that what another saves meanwhile is not deleted with it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import type { Transaction } from '#store/connection/database.ts';
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

const save = (tx: Transaction, uri: string): Promise<number> =>
  tx.run(
    sql`UPDATE record SET lock_version = lock_version + 1 WHERE kind = ${parseUri(uri)?.kind ?? ''} AND id = ${idOf(uri)}`,
  );

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

it('deletes whatever version there is where * is named, also one that is saved at that moment', async () => {
  const uris = [
    await api.create('/users?password=any-and-long', { username: 'any', name: 'Any' }),
    await api.create(`/repositories/${repoId}/accessions`, { id_0: 'any', accession_date: '2020-01-01' }),
  ];
  for (const uri of uris) {
    const deleted = await beside(
      api.database,
      (tx) => save(tx, uri),
      () => api.ask(uri, { method: 'DELETE', session: api.session, headers: { 'if-match': '*' } }),
    );
    expect([deleted.status, deleted.json.status]).toEqual([200, 'Deleted']);
    const gone = await api.ask(uri, { method: 'DELETE', session: api.session, headers: { 'if-match': '*' } });
    expect(gone.status).toBe(404);
  }
});

it.each(made)('spares a %s that is saved while its deletion waits', async (_kind, make) => {
  const uri = await make();
  const etag = (await api.ask(uri, { session: api.session })).headers.get('etag') ?? '';
  const remove = (tag: string) =>
    api.ask(uri, { method: 'DELETE', session: api.session, headers: { 'if-match': tag } });
  const refused = await beside(
    api.database,
    (tx) => save(tx, uri),
    () => remove(etag),
  );
  expect([refused.status, refused.json.code]).toEqual([412, 'PRECONDITION_FAILED']);
  const now = await api.ask(uri, { session: api.session });
  ok(now);
  expect((await remove(now.headers.get('etag') ?? '')).json).toMatchObject({ status: 'Deleted' });
});
