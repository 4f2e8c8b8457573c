// PATCH does what a POST of the whole record does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
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
