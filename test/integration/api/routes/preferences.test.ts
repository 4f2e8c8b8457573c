// Preferences over HTTP: whose they are, how they add up, and the publish default that follows from them (contract 6.14, 3.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
let preferences: string;
let ann: string;
let annId: number;
let manager: string;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  preferences = `/repositories/${repoId}/preferences`;
  ann = await api.userWith(
    [
      'view_repository',
      'update_accession_record',
      'import_records',
      'delete_archival_record',
      'manage_subject_record',
      'manage_agent_record',
    ],
    repoId,
  );
  annId = await idOf(ann);
  manager = await api.userWith(['view_repository', 'manage_repository'], repoId);
});
afterAll(() => api[Symbol.asyncDispose]());

const idOf = async (session: string): Promise<number> =>
  Number((await api.get('/users/current-user', session)).json.uri.split('/').at(-1));

const denied = [403, { error: 'Access denied' }];
let count = 0;
const accession = async (session: string, more: object = {}): Promise<string> => {
  count += 1;
  return api.create(
    `/repositories/${repoId}/accessions`,
    { id_0: `P${count}`, accession_date: '2020-01-01', ...more },
    session,
  );
};
describe('writing a preference', () => {
  it("is free for one's own, and takes a permission for a repository's and everybody's", async () => {
    const own = await api.post(preferences, { user_id: annId, defaults: { publish: true } }, ann);
    expect([own.status, own.json]).toEqual([
      200,
      {
        status: 'Created',
        id: expect.any(Number),
        lock_version: 0,
        stale: null,
        uri: `${preferences}/${own.json.id}`,
        warnings: [],
      },
    ]);
    const refused = await Promise.all([
      api.post(preferences, { user_id: annId, defaults: {} }, manager),
      api.post(preferences, { defaults: {} }, ann),
      api.post('/repositories/1/preferences', { defaults: {} }, manager),
      api.post(preferences, { user_id: annId, defaults: {} }, null),
      api.post(own.json.uri, { defaults: {}, lock_version: 0 }, manager),
      api.del(own.json.uri, manager),
    ]);
    expect(refused.map((reply) => [reply.status, reply.json])).toEqual(refused.map(() => denied));
    expect((await api.del(own.json.uri, ann)).json).toEqual({ status: 'Deleted', id: own.json.id });
  });

  it('is refused where the owner has one already', async () => {
    const first = await api.post(preferences, { user_id: annId, defaults: { locale: 'fr' } }, ann);
    const second = await api.post(preferences, { user_id: annId, defaults: { locale: 'de' } }, ann);
    expect([second.status, Object.keys(second.json.error)]).toEqual([400, ['db_error']]);
    const read = await api.get(first.json.uri, null);
    expect(read.json).toMatchObject({
      jsonmodel_type: 'preference',
      user_id: annId,
      defaults: { locale: 'fr', jsonmodel_type: 'defaults' },
      repository: { ref: `/repositories/${repoId}` },
    });
    expect((await api.post(first.json.uri, { ...read.json, defaults: { locale: 'ja' } }, ann)).json).toMatchObject({
      status: 'Updated',
      lock_version: 1,
    });
    expect(
      (await api.get(`${preferences}?user_id=${annId}`, ann)).json.map((one: { defaults: object }) => one.defaults),
    ).toEqual([{ locale: 'ja', jsonmodel_type: 'defaults' }]);
    expect((await api.get(preferences, ann)).json).toEqual([]);
    await api.del(first.json.uri, ann);
  });
});

describe('the layers', () => {
  it('are told to the user, and to nobody without a session', async () => {
    expect((await api.get(`/repositories/${repoId}/current_preferences`, null)).json).toEqual({});
    expect((await api.get('/current_global_preferences', null)).json).toEqual({});
    const repo = await api.post(preferences, { defaults: { locale: 'de', publish: true } }, manager);
    const own = await api.post(preferences, { user_id: annId, defaults: { locale: 'fr' } }, ann);
    const { json } = await api.get(`/repositories/${repoId}/current_preferences`, ann);
    expect(Object.keys(json)).toEqual([
      'defaults',
      'global',
      'repo',
      'user_repo',
      'defaults_global',
      'defaults_repo',
      'defaults_user_repo',
    ]);
    expect(json.defaults).toMatchObject({ locale: 'fr', publish: true, show_suppressed: false });
    expect(json.defaults_repo).toMatchObject({ locale: 'de', publish: true });
    expect(json.global).toMatchObject({
      uri: '/repositories/1/preferences/1',
      defaults: { locale: 'en', publish: false },
    });
    expect(Object.keys((await api.get('/current_global_preferences', ann)).json)).toEqual([
      'defaults',
      'global',
      'defaults_global',
    ]);
    expect((await api.get(`${preferences}/defaults`, ann)).json).toMatchObject({ locale: 'fr' });
    expect((await api.get(`${preferences}/defaults`, null)).json).toMatchObject({ locale: 'de' });
    expect((await api.get(`${preferences}/defaults?username=admin`, null)).json).toMatchObject({ locale: 'de' });
    expect((await api.get(`${preferences}/defaults?username=nobody`, null)).status).toBe(404);
    await api.del(repo.json.uri, api.session);
    await api.del(own.json.uri, ann);
  });
});

describe('the publish default', () => {
  it('follows the preference of who creates, from the next request on, sub-records included', async () => {
    const parts = { external_documents: [{ title: 't', location: 'l' }] };
    expect((await api.get(await accession(ann, parts))).json).toMatchObject({
      publish: false,
      external_documents: [{ publish: false }],
    });
    const own = await api.post(preferences, { user_id: annId, defaults: { publish: true } }, ann);
    const made = await accession(ann, parts);
    expect((await api.get(made)).json).toMatchObject({ publish: true, external_documents: [{ publish: true }] });
    expect((await api.get(await accession(ann, { ...parts, publish: false }))).json).toMatchObject({ publish: false });
    expect((await api.get(await accession(api.session, parts))).json).toMatchObject({ publish: false });
    // An update replaces: the record's own absent flag is false, its sub-records take the preference again.
    const { publish: _, ...rest } = (await api.get(made)).json;
    await api.post(made, { ...rest, external_documents: [{ title: 't', location: 'l' }] }, ann);
    expect((await api.get(made)).json).toMatchObject({ publish: false, external_documents: [{ publish: true }] });
    await api.del(own.json.uri, ann);
    expect((await api.get(await accession(ann))).json).toMatchObject({ publish: false });
  });

  it('of kinds of no repository follows the global preferences alone', async () => {
    const here = await api.post(preferences, { user_id: annId, defaults: { publish: true } }, ann);
    const agent = (name: string) =>
      api.post(
        '/agents/people',
        { names: [{ primary_name: name, name_order: 'direct', sort_name_auto_generate: true }] },
        ann,
      );
    expect((await api.get((await agent('One')).json.uri)).json).toMatchObject({ publish: false });
    const everywhere = await api.post(
      '/repositories/1/preferences',
      { user_id: annId, defaults: { publish: true } },
      ann,
    );
    expect(everywhere.status, everywhere.text).toBe(200);
    expect((await api.get((await agent('Two')).json.uri)).json).toMatchObject({ publish: true });
    for (const uri of [here.json.uri, everywhere.json.uri])
      expect((await api.del(uri, uri === here.json.uri ? ann : api.session)).status).toBe(
        uri === here.json.uri ? 200 : 403,
      );
  });

  it('of an import is that of who imports', async () => {
    const own = await api.post(preferences, { user_id: annId, defaults: { publish: true } }, ann);
    const record = {
      jsonmodel_type: 'accession',
      uri: `/repositories/${repoId}/accessions/import_a1`,
      id_0: 'IMP1',
      accession_date: '2020-01-01',
    };
    const reply = await api.post(`/repositories/${repoId}/batch_imports`, [record], ann);
    const saved = reply.json.at(-1).saved;
    expect((await api.get(saved[record.uri][0])).json).toMatchObject({ id_0: 'IMP1', publish: true });
    await api.del(own.json.uri, ann);
  });
});

it('go with their user', async () => {
  const session = await api.userWith(['view_repository'], repoId);
  const id = await idOf(session);
  const made = await api.post(preferences, { user_id: id, defaults: { locale: 'fr' } }, session);
  expect((await api.del(`/users/${id}`)).status).toBe(200);
  expect((await api.get(made.json.uri)).json).toEqual({ error: 'Preference not found' });
});
