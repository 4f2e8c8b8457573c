// Grants in the store: what groups give, by repository, and who is behind a name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { can } from '#domain/access/caller.ts';
import { isAdministrator, keepAdministrator, readCaller, readGrants } from '#store/access/grants.ts';
import { createGroup, deleteGroup, groupBody, setGlobalMembership, setGroupsOf } from '#store/access/groups.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { setSystemPassword } from '#store/set-up/reference.ts';
import { beside } from '#test/support/lock-waits.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { openRecordStore } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
const hidden = 3; // public_anonymous, whose global grants are few
beforeAll(async () => {
  store = await openRecordStore();
  // As a start gives admin one: without it nobody would be left to administer the service.
  await store.database.transaction((tx) => setSystemPassword(tx, 'admin', 'a hash'));
});
afterAll(() => store[Symbol.asyncDispose]());

const createIn = (repoId: number, code: string, grants: readonly string[], members: readonly string[]) =>
  store.database.transaction((tx) =>
    createGroup(tx, groupBody(code, 'd', grants, members), { actor: null, repoId, generatedValues, caller: null }),
  );

describe('readGrants', () => {
  it('joins the codes of all groups of a repository, once each, and keeps repositories apart', async () => {
    const other = (await store.create('repository', { repo_code: 'other', name: 'o' })).id;
    await createIn(store.repoId, 'a', ['view_repository', 'create_job'], ['public_anonymous']);
    await createIn(store.repoId, 'b', ['view_repository'], ['public_anonymous']);
    await createIn(other, 'a', ['import_records'], ['public_anonymous']);
    const grants = (await readGrants(store.database.reader, [hidden, 99_999])).get(hidden);
    expect([...(grants?.get(store.repoId) ?? [])].sort()).toEqual(['create_job', 'view_repository']);
    expect([...(grants?.get(other) ?? [])]).toEqual(['import_records']);
    expect((await readGrants(store.database.reader, [99_999])).get(99_999)?.size).toBe(0);
    expect(await readGrants(store.database.reader, [])).toEqual(new Map());
  });

  it('loses what a deleted group gave', async () => {
    const made = await createIn(store.repoId, 'short', ['cancel_job'], ['public_anonymous']);
    await store.database.transaction((tx) => deleteGroup(tx, made.id, store.repoId, null));
    expect((await readGrants(store.database.reader, [hidden])).get(hidden)?.get(store.repoId)?.has('cancel_job')).toBe(
      false,
    );
  });
});

describe('readCaller', () => {
  it('gives the caller of a user name, and nobody for a name that is none', async () => {
    const admin = await readCaller(store.database.reader, 'admin');
    expect(admin).toMatchObject({ userId: 1, username: 'admin', agentUri: '/agents/people/1' });
    expect(can(admin, 'update_agent_record', null)).toBe(true);
    expect((await readCaller(store.database.reader, 'nobody')).userId).toBeNull();
    expect((await readCaller(store.database.reader, null)).userId).toBeNull();
  });
});

describe('memberships', () => {
  it('set in one repository leave those of others alone', async () => {
    const [here, there] = [
      await createIn(store.repoId, 'here', [], []),
      await createIn(1, 'there', ['manage_users'], ['staff_system']),
    ];
    await store.database.transaction((tx) => setGroupsOf(tx, 4, store.repoId, [here.id], null));
    await store.database.transaction((tx) => setGroupsOf(tx, 4, store.repoId, [], null));
    expect((await readGrants(store.database.reader, [4])).get(4)?.get(1)?.has('manage_users')).toBe(true);
    await expect(
      store.database.transaction((tx) => setGroupsOf(tx, 4, store.repoId, [there.id], null)),
    ).rejects.toThrow('Group not found');
  });

  it('make and unmake an administrator', async () => {
    await store.database.transaction((tx) => setGlobalMembership(tx, 4, 'administrators', true));
    expect(isAdministrator((await readGrants(store.database.reader, [4])).get(4))).toBe(true);
    await store.database.transaction((tx) => setGlobalMembership(tx, 4, 'administrators', false));
    expect(isAdministrator((await readGrants(store.database.reader, [4])).get(4))).toBe(false);
  });

  it('go with a group that is deleted while they are made', async () => {
    const made = await createIn(store.repoId, 'brief', [], []);
    await beside(
      store.database,
      (tx) => setGroupsOf(tx, 4, store.repoId, [made.id], null),
      () => store.database.transaction((tx) => deleteGroup(tx, made.id, store.repoId, null)),
    );
    const left = await store.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM group_member WHERE group_id = ${made.id}`);
    expect(left.n).toBe(0);
  });
});

describe('keepAdministrator', () => {
  it('leaves one of two groups the grant that both lose at once', async () => {
    const second = await createIn(1, 'second', ['administer_system'], ['admin']);
    const { id: first } = await store.database.reader.one(sql.type(IdRow)`
      SELECT id FROM unique_key WHERE rule = 'group.group_code' AND value = 'administrators'`);
    const both = Promise.withResolvers<void>();
    let count = 0;
    const take = (groupId: number): Promise<void> =>
      store.database.transaction(async (tx) => {
        await tx.run(
          sql`DELETE FROM group_grant WHERE group_id = ${groupId} AND permission_code = 'administer_system'`,
        );
        count += 1;
        if (count === 2) both.resolve();
        await both.promise;
        await keepAdministrator(tx);
      });
    const ends = await Promise.allSettled([take(first), take(second.id)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(ends.find((end) => end.status === 'rejected')?.reason)).toContain('without an administrator');
    expect(isAdministrator((await readGrants(store.database.reader, [1])).get(1))).toBe(true);
  });

  it('counts who has a password, also one that came from another service, and may log in', async () => {
    const asks = (...changes: readonly ReturnType<typeof sql.fragment>[]) =>
      store.database
        .transaction(async (tx) => {
          for (const change of changes) await tx.run(sql`${change}`);
          await keepAdministrator(tx);
          throw new Error('kept');
        })
        .catch((error: unknown) => String(error));
    const gone = sql.fragment`DELETE FROM credential WHERE user_id = 1`;
    const brought = sql.fragment`INSERT INTO source_credential (user_id, password_hash) VALUES (1, 'a hash')`;
    const inactive = sql.fragment`UPDATE record SET body = with_property(body, 'is_active_user', 'false') WHERE kind = 'user' AND id = 1`;
    expect(await asks()).toContain('kept');
    expect(await asks(gone, brought)).toContain('kept');
    for (const changes of [[gone], [inactive], [gone, brought, inactive]])
      expect(await asks(...changes)).toContain('without an administrator');
  });
});
