// PATCH does what a POST of the whole record does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';

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
