// PATCH does what a POST of the whole record does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { setGroupsOf } from '#store/access/groups.ts';
import { lockRecord } from '#store/records/writing/write.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { beside } from '#test/support/lock-waits.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

it('publishes new parts by the preferences of the user who sends it', async () => {
  await api.create('/repositories/1/preferences', { user_id: 1, defaults: { publish: true } });
  const subject = {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Patched', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  };
  const documents = { external_documents: [{ title: 'Catalogue', location: 'shelf' }] };
  const uri = await api.create('/subjects', subject);
  ok(await api.post(uri, { ...subject, ...documents, lock_version: 0 }));
  const { external_documents: posted } = ok(await api.get(uri));
  ok(await api.ask(uri, { method: 'PATCH', json: { ...documents, lock_version: 1 } }));
  const { external_documents: patched } = ok(await api.get(uri));
  expect([posted, patched]).toMatchObject([[{ publish: true }], [{ publish: true }]]);
});

it('tells who may change a record and not read it what is wrong with a patch, and nothing of the record', async () => {
  const repoId = await api.repository();
  const accession = { id_0: 'A', accession_date: '2020-01-01', title: 'Kept from them' };
  const uri = await api.create(`/repositories/${repoId}/accessions`, accession);
  const json = { accession_date: 'never', lock_version: 0 };
  const patch = async (session: string): Promise<Reply> => api.ask(uri, { method: 'PATCH', json, session });
  const change = ['update_accession_record'];
  const [blind, seeing] = [
    await patch(await api.userWith(change, repoId)),
    await patch(await api.userWith([...change, 'view_repository'], repoId)),
  ];
  expect([blind.status, blind.json.error]).toEqual([400, seeing.json.error]);
  expect([seeing.text, blind.text].map((text) => text.includes(accession.title))).toEqual([true, false]);
});

it('leaves the members of a group, of whom it says nothing, as others make them meanwhile', async () => {
  const repoId = await api.repository('MEMBERS');
  const user = await api.create('/users?password=long-enough-for-all', { username: 'leaving', name: 'Leaving' });
  const group = await api.create(`/repositories/${repoId}/groups`, {
    group_code: 'patched',
    description: 'Before',
    member_usernames: ['leaving'],
    grants_permissions: ['view_repository'],
  });
  const change = (json: object): Promise<Reply> =>
    beside(
      api.database,
      async (tx) => {
        await lockRecord(tx, kindNamed('group'), idOf(group), repoId);
        await setGroupsOf(tx, idOf(user), repoId, [], null);
      },
      () => api.ask(group, { method: 'PATCH', json }),
    );
  ok(await change({ description: 'After', lock_version: 0 }));
  const patched = ok(await api.get(group));
  expect(patched).toMatchObject({
    description: 'After',
    member_usernames: [],
    grants_permissions: ['view_repository'],
  });
  ok(await change({ member_usernames: ['leaving'], lock_version: 1 }));
  expect(ok(await api.get(group)).member_usernames).toEqual(['leaving']);
});

it('leaves an administrator one, of which it says nothing', async () => {
  const admin = await api.create('/users?password=long-enough-for-all', {
    username: 'one',
    name: 'One',
    is_admin: true,
  });
  ok(await api.ask(admin, { method: 'PATCH', json: { name: 'Two', lock_version: 0 } }));
  expect(ok(await api.get(admin))).toMatchObject({ name: 'Two', is_admin: true });
  ok(await api.ask(admin, { method: 'PATCH', json: { is_admin: false, lock_version: 1 } }));
  expect(ok(await api.get(admin)).is_admin).toBe(false);
});
