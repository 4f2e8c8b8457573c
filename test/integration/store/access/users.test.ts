// Users in the store: what is made with one and what goes with one (contract 2.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toEnumerations } from '#store/enumerations/lists.ts';
import { readLists } from '#store/enumerations/completed-lists.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
import { prepareFor } from '#store/repositories/service-agents.ts';
import { beside } from '#test/support/lock-waits.ts';
import { AnyRow } from '#test/support/rows.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createGroup, groupBody, setGroupsOf } from '#store/access/groups.ts';
import { createPreference, updatePreference } from '#store/settings/preferences.ts';
import {
  createUser,
  deleteUser,
  findLogin,
  noteLogin,
  readUser,
  setActive,
  setPassword,
  updateUser,
} from '#store/access/users.ts';
import { setSystemPassword } from '#store/set-up/reference.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { openRecordStore } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
let context: AgentContext;
beforeAll(async () => {
  store = await openRecordStore();
  context = { actor: 'admin', generatedValues, enumerations: toEnumerations(await readLists(store.database.reader)) };
  // As a start gives admin one: without it nobody would be left to administer the service.
  await store.database.transaction((tx) => setSystemPassword(tx, 'admin', 'a hash'));
});
afterAll(() => store[Symbol.asyncDispose]());

const create = async (username: string, more = {}): Promise<number> => {
  const prepared = prepareFor('user', { username, name: `Name of ${username}`, ...more }, 'create', context);
  return (await store.database.transaction((tx) => createUser(tx, prepared, 'a hash', context))).id;
};

describe('createUser', () => {
  it('links the agent, and none of the groups that a client sends, which are told by memberships', async () => {
    const { id: groupId } = await store.database.transaction((tx) =>
      createGroup(tx, groupBody('sent', 'd', [], []), {
        actor: null,
        repoId: store.repoId,
        generatedValues,
        caller: null,
      }),
    );
    const id = await create('grouped', { groups: [`/repositories/${store.repoId}/groups/${groupId}`] });
    const links = await store.database.reader.any(sql.type(AnyRow)`
      SELECT property, target_kind FROM link WHERE source_kind = 'user' AND source_id = ${id}`);
    expect(links).toEqual([{ property: 'agent_record', target_kind: 'agent_person' }]);
    expect((await readUser(store.database.reader, id)).record['groups']).toEqual([]);
  });

  it('leaves nothing behind where the name is in use', async () => {
    await create('once');
    const count = (): Promise<unknown> =>
      store.database.reader.one(sql.type(AnyRow)`
        SELECT count(*) AS n FROM record WHERE kind IN ('user', 'agent_person')`);
    const before = await count();
    await expect(create('Once')).rejects.toThrow("Username 'once' is already in use");
    expect(await count()).toEqual(before);
  });

  it('lets one of two with the same name win, and tells the other in the same words', async () => {
    const results = await Promise.allSettled([create('twin'), create('twin')]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find((result) => result.status === 'rejected');
    expect(String(lost?.reason)).toContain("Username 'twin' is already in use");
  });

  it('gives two users of one name an agent each', async () => {
    const [a, b] = [await create('same.a', { name: 'Same' }), await create('same.b', { name: 'Same' })];
    const refs = await Promise.all(
      [a, b].map(async (id) => (await readUser(store.database.reader, id)).record['agent_record']),
    );
    expect(refs[0]).not.toEqual(refs[1]);
  });
});

describe('updateUser', () => {
  it('keeps source, agent and whether it is a user of the system; a new name logs in', async () => {
    const id = await create('before');
    const { record } = await readUser(store.database.reader, id);
    const prepared = prepareFor(
      'user',
      { ...record, username: 'after', source: 'x', is_system_user: true },
      'update',
      context,
    );
    await store.database.transaction((tx) => updateUser(tx, id, prepared, 0, null, context));
    expect((await readUser(store.database.reader, id)).record).toMatchObject({
      username: 'after',
      source: 'local',
      is_system_user: false,
      agent_record: record['agent_record'],
      lock_version: 1,
    });
    expect(await findLogin(store.database.reader, 'before')).toBeNull();
    expect(await findLogin(store.database.reader, 'after')).toMatchObject({
      id,
      passwordHash: 'a hash',
      isActive: true,
    });
  });

  it('leaves a user of the system one, whatever the client sends', async () => {
    const { record } = await readUser(store.database.reader, 1);
    const prepared = prepareFor('user', { ...record, name: 'Renamed', is_system_user: false }, 'update', context);
    await store.database.transaction((tx) => updateUser(tx, 1, prepared, record['lock_version'], null, context));
    expect((await readUser(store.database.reader, 1)).record).toMatchObject({ name: 'Renamed', is_system_user: true });
    expect(await findLogin(store.database.reader, 'admin')).toMatchObject({ id: 1, isSystemUser: true });
    await expect(store.database.transaction((tx) => deleteUser(tx, 1, 'admin'))).rejects.toThrow('Access denied');
  });

  it('does not reach hidden users of the system', async () => {
    const { record } = await readUser(store.database.reader, 2);
    const prepared = prepareFor('user', record, 'update', context);
    await expect(store.database.transaction((tx) => updateUser(tx, 2, prepared, 0, null, context))).rejects.toThrow(
      'suppressed',
    );
  });
});

describe('logging in', () => {
  it('is noted once', async () => {
    const id = await create('noted');
    await store.database.transaction((tx) => noteLogin(tx, id));
    await store.database.transaction((tx) => noteLogin(tx, id));
    expect((await readUser(store.database.reader, id)).record).toMatchObject({ source: 'DBAuth', lock_version: 1 });
  });

  it('finds the password that was set last, and whether the user is active', async () => {
    const id = await create('active');
    await store.database.transaction((tx) => setPassword(tx, id, 'another'));
    await store.database.transaction((tx) => setActive(tx, id, false, null));
    expect(await findLogin(store.database.reader, 'active')).toMatchObject({
      passwordHash: 'another',
      isActive: false,
    });
  });
});

describe('a user whom somebody holds', () => {
  it('is there: whoever changes the user waits, and is told who is in the way', async () => {
    const id = await create('held');
    const { url } = store.database.settings;
    await using hasty = new Database({ url, poolSize: 2, lockPatience: { atOnceMs: 10, wholeMs: 0 } });
    const rename = prepareFor('user', { username: 'held', name: 'Another', lock_version: 0 }, 'update', context);
    const refusals = await store.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM record WHERE kind = 'user' AND id = ${id} FOR UPDATE`);
      return Promise.allSettled([
        hasty.transaction((other) => setActive(other, id, false, null)),
        hasty.transaction((other) => updateUser(other, id, rename, 0, null, context)),
      ]);
    });
    expect(refusals).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
  });
});

describe('deleteUser', () => {
  it('removes the password, the memberships and the agent, and gives the jobs to admin', async () => {
    const id = await create('leaving', { is_admin: true });
    await store.database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO job (visible, type, mailbox, is_long, owner, payload) VALUES (true, 't', 'm', false, 'leaving', '{}')`,
      ),
    );
    await store.database.transaction((tx) => deleteUser(tx, id, 'admin'));
    const left = await store.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM credential WHERE user_id = ${id}) AS passwords, (SELECT count(*) FROM group_member WHERE user_id = ${id}) AS members,
      (SELECT owner FROM job WHERE type = 't') AS owner, (SELECT count(*) FROM record WHERE kind = 'agent_person' AND label = 'Name of leaving') AS agents`);
    expect(left).toEqual({ passwords: 0, members: 0, owner: 'admin', agents: 0 });
  });

  it('takes what is made for the user at that moment, and refuses what comes later', async () => {
    const id = await create('going');
    const groupContext = { actor: null, repoId: store.repoId, generatedValues, caller: null };
    const readers = await store.database.transaction((tx) =>
      createGroup(tx, groupBody('readers', 'd', [], []), groupContext),
    );
    const preference = prepareFor('preference', { user_id: id, defaults: {} }, 'create', context);
    await beside(
      store.database,
      async (tx) => {
        await setGroupsOf(tx, id, store.repoId, [readers.id], null);
        await createPreference(tx, preference, { actor: 'going', repoId: 1, generatedValues });
      },
      () => store.database.transaction((tx) => deleteUser(tx, id, 'admin')),
    );
    const left = await store.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM group_member WHERE user_id = ${id}) AS members, (SELECT count(*) FROM record WHERE kind = 'preference' AND body->>'user_id' = ${String(id)}) AS preferences`);
    expect(left).toEqual({ members: 0, preferences: 0 });
    await expect(
      store.database.transaction((tx) => setGroupsOf(tx, id, store.repoId, [readers.id], null)),
    ).rejects.toThrow("User wasn't found");
    await expect(
      store.database.transaction((tx) => createPreference(tx, preference, { actor: null, repoId: 1, generatedValues })),
    ).rejects.toThrow("User wasn't found");
  });

  it('leaves no preference that becomes its own at that moment', async () => {
    const id = await create('settling');
    const of = { actor: null, repoId: store.repoId, generatedValues };
    const ofAll = prepareFor('preference', { defaults: {} }, 'create', context);
    const { id: preferenceId } = await store.database.transaction((tx) => createPreference(tx, ofAll, of));
    const own = prepareFor('preference', { user_id: id, defaults: {} }, 'update', context);
    await expect(
      beside(
        store.database,
        (tx) => deleteUser(tx, id, 'admin'),
        () => store.database.transaction((tx) => updatePreference(tx, preferenceId, own, 0, of)),
      ),
    ).rejects.toThrow("User wasn't found");
  });
});
