// ARKs and slugs over HTTP, off and on (contract 6.15, 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

const body = (id0: string, more: object = {}): object => ({
  title: 'Papers',
  id_0: id0,
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
  lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  ...more,
});
const collision = (key: string, code: string): object => ({
  error: { [key]: [code] },
  warning: null,
  invalid_object: 'nil',
});

describe('where ARKs are off', () => {
  let api: TestApi;
  let repoId = 0;
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    repoId = await api.repository();
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  it('mints none, and keeps those set by hand over saves', async () => {
    const {
      json: { uri },
    } = await api.post(
      `/repositories/${repoId}/resources`,
      body('A', { external_ark_url: 'http://x.example/ark:/1/2' }),
    );
    expect((await api.get(uri)).json.ark_name).toBeUndefined();
    const none = await api.get(`${uri}/ark_name`);
    expect([none.status, none.text]).toEqual([200, 'null\n']);
    expect(
      (await api.post(`${uri}/ark_name`, { current: 'ark:/12345/abc', previous: ['ark:/12345/old', 'ark:/f00001/7'] }))
        .json,
    ).toEqual({ status: 'Updated' });
    const set = { previous: ['ark:/f00001/7'], current: 'ark:/12345/abc', current_is_external: true };
    expect((await api.get(`${uri}/ark_name`)).json).toEqual(set);
    const shown = (await api.get(uri)).json;
    expect([shown.ark_name, shown.lock_version]).toEqual([set, 0]);
    expect((await api.post(uri, shown)).status).toBe(200);
    expect((await api.get(uri)).json.ark_name).toEqual(set);
    expect((await api.get(`/repositories/${repoId}/find_by_id/resources?ark[]=ark:/12345/abc`)).json).toEqual({
      resources: [{ ref: uri }],
    });
  });

  it('gives a record that is brought back the names that it had', async () => {
    const { uri } = (await api.post(`/repositories/${repoId}/resources`, body('Back'))).json;
    await api.post(`${uri}/ark_name`, { current: 'ark:/12345/back', previous: ['ark:/f00001/77'] });
    const set = (await api.get(`${uri}/ark_name`)).json;
    await api.del(uri);
    expect((await api.post(`${uri}/history/0/restore`)).status).toBe(200);
    expect((await api.get(`${uri}/ark_name`)).json).toEqual(set);
    expect((await api.get(`/repositories/${repoId}/find_by_id/resources?ark[]=ark:/12345/back`)).json).toEqual({
      resources: [{ ref: uri }],
    });
  });

  it('refuses a name that another record has', async () => {
    const {
      json: { uri },
    } = await api.post(`/repositories/${repoId}/resources`, body('B'));
    const {
      json: { uri: second },
    } = await api.post(`/repositories/${repoId}/resources`, body('C'));
    await api.post(`${uri}/ark_name`, {
      current: 'http://one.example/ark:/5/x',
      current_is_external: true,
      previous: ['ark:/f00001/99'],
    });
    const external = await api.post(`${second}/ark_name`, {
      current: 'https://two.example/ark:/5/x',
      current_is_external: true,
    });
    expect([external.status, external.json]).toEqual([400, collision('external_ark_url', 'external_ark_collision')]);
    const own = await api.post(`${second}/ark_name`, { current: 'ark:/f00001/99' });
    expect([own.status, own.json]).toEqual([400, collision('ark', 'ark_collision')]);
    for (const current of ['ark:/f00001/', 'http://x.example/ark:/f00001/a b']) {
      const bad = await api.post(`${second}/ark_name`, { current });
      expect([bad.status, bad.json]).toEqual([400, collision('ark', 'ark_format_error')]);
    }
    expect((await api.post(`${uri}/ark_name`, { previous: 'x' })).json.error).toEqual({
      previous: ['Must be a array (you provided a String)'],
    });
    expect((await api.get(`/repositories/${repoId}/archival_objects/99999999/ark_name`)).json).toEqual({
      error: 'ArchivalObject not found',
    });
  });
});

describe('where ARKs and slugs are on', () => {
  let api: TestApi;
  let repoId = 0;
  beforeAll(async () => {
    api = await startTestApi({
      worker: false,
      environment: {
        MUNIMENT_ARKS: 'true',
        MUNIMENT_ARK_NAAN: '12345',
        MUNIMENT_ARK_URL_PREFIX: 'https://a.example/',
        MUNIMENT_ARK_SHOULDER_DELIMITER: '-',
        MUNIMENT_SLUGS: 'title',
      },
    });
    repoId = await api.repository();
  });
  afterAll(async () => api[Symbol.asyncDispose]());
  const arkOf = async (uri: string): Promise<{ current: string; previous: string[]; current_is_external: boolean }> =>
    (await api.get(uri)).json.ark_name;

  it('gives a new repository the slug of its code, and its agent the one with a number', async () => {
    const { json } = await api.post('/repositories', { repo_code: 'Slug Repo', name: 'n' });
    const made = (await api.get(`${json.uri}?resolve[]=agent_representation`)).json;
    expect(made).toMatchObject({
      slug: 'slug_repo',
      agent_representation: { _resolved: { title: 'Slug Repo', slug: 'slug_repo_1' } },
    });
    const names = [{ primary_name: 'Other Slug Repo', sort_name_auto_generate: true, source: 'local' }];
    const both = await api.post('/repositories/with_agent', {
      repository: { repo_code: 'Other Slug Repo', name: 'n' },
      agent_representation: { jsonmodel_type: 'agent_corporate_entity', names },
    });
    expect((await api.get(both.json.uri)).json).toMatchObject({
      repository: { slug: 'other_slug_repo' },
      agent_representation: { slug: 'other_slug_repo_1' },
    });
  });

  it('takes a name back as it was read where the shoulder of the repository has a blank', async () => {
    const { uri: at } = (await api.post('/repositories', { repo_code: 'Blank', name: 'n', ark_shoulder: 'a b' })).json;
    const { uri } = (await api.post(`${at}/resources`, body('Blank'))).json;
    const given = (await api.get(`${uri}/ark_name`)).json;
    expect(given.current).toMatch(/\/a b-\d+$/);
    expect((await api.post(`${uri}/ark_name`, given)).json).toEqual({ status: 'Updated' });
    expect((await api.get(`${uri}/ark_name`)).json).toEqual(given);
    expect((await api.post(`${uri}/ark_name`, { current: 'ark:/12345/a b-99999' })).status).toBe(400);
  });

  it.each([' ', 'a?b', '#', '?'])(
    'refuses %j as shoulder of a repository, behind which names would end',
    async (shoulder) => {
      const reply = await api.post('/repositories', { repo_code: 'Ends', name: 'n', ark_shoulder: shoulder });
      expect([reply.status, reply.json.error]).toEqual([
        400,
        { ark_shoulder: ['must not be blank, nor have ? or # in it'] },
      ]);
    },
  );

  it('a record that was deleted and comes back has the names it had, whichever version it is', async () => {
    const { uri: at } = (await api.post('/repositories', { repo_code: 'Back', name: 'n' })).json;
    const { uri } = (await api.post(`${at}/resources`, body('Back'))).json;
    await api.post(at, { ...(await api.get(at)).json, ark_shoulder: 'b1' });
    await api.post(uri, { ...(await api.get(uri)).json, title: 'Later' });
    const before = await arkOf(uri);
    expect(before).toMatchObject({ current: expect.stringMatching(/\/b1-\d+$/), previous: [expect.any(String)] });
    expect((await api.del(uri)).status).toBe(200);
    expect((await api.post(`${uri}/history/0/restore`)).status).toBe(200);
    expect(await arkOf(uri)).toEqual(before);
    expect((await api.get(`${at}/find_by_id/resources?ark[]=${before.previous[0]}`)).json).toEqual({
      resources: [{ ref: uri }],
    });
  });

  it('mints a name once, and another when the naming changes', async () => {
    const {
      json: { uri },
    } = await api.post(`/repositories/${repoId}/resources`, body('A'));
    const first = await arkOf(uri);
    expect(first).toEqual({
      previous: [],
      current: expect.stringMatching(/^https:\/\/a\.example\/ark:\/12345\/\d+$/),
      current_is_external: false,
    });
    await api.post(uri, (await api.get(uri)).json);
    expect(await arkOf(uri)).toEqual(first);
    const repository = (await api.get(`/repositories/${repoId}`)).json;
    await api.post(`/repositories/${repoId}`, { ...repository, ark_shoulder: 'sh' });
    await api.post(uri, (await api.get(uri)).json);
    const second = await arkOf(uri);
    expect(second).toEqual({
      previous: [first.current],
      current: expect.stringMatching(/\/ark:\/12345\/sh-\d+$/),
      current_is_external: false,
    });
    await api.post(
      `/repositories/${repoId}`,
      await api.get(`/repositories/${repoId}`).then(({ json }) => ({ ...json, ark_shoulder: undefined })),
    );
    await api.post(uri, (await api.get(uri)).json);
    expect(await arkOf(uri)).toEqual({
      previous: [second.current],
      current: first.current,
      current_is_external: false,
    });
    expect(
      (
        await api.get(
          `/repositories/${repoId}/find_by_id/resources?ark[]=${first.current.slice('https://a.example/'.length)}`,
        )
      ).json.resources,
    ).toEqual([{ ref: uri }]);
  });

  it('gives a record that is brought back the name that was minted for it, and no other', async () => {
    const { uri } = (await api.post(`/repositories/${repoId}/resources`, body('Back'))).json;
    const minted = (await api.get(uri)).json.ark_name;
    expect(minted.current).toMatch(/ark:/);
    await api.del(uri);
    expect((await api.post(`${uri}/history/0/restore`)).status).toBe(200);
    expect((await api.get(uri)).json.ark_name).toEqual(minted);
  });

  it('passes over names that records have already', async () => {
    const numberOf = (name: string): number => Number(/\d+$/.exec(name)?.[0]);
    const made = async (id0: string, more: object = {}) => {
      const reply = await api.post(`/repositories/${repoId}/resources`, body(id0, more));
      expect(reply.status, reply.text).toBe(200);
      return (await arkOf(reply.json.uri)).current;
    };
    const last = numberOf(await made('P1'));
    const next = (step: number) => `ark:/12345/${last + step}`;
    await made('P2', { import_current_ark: next(25), import_previous_arks: [next(1), next(2)] });
    const minted: number[] = [];
    for (const id0 of ['P3', 'P4', 'P5']) minted.push(numberOf(await made(id0)));
    expect(minted[0]).toBe(last + 3);
    expect(new Set(minted).size).toBe(3);
    expect(minted).not.toContain(last + 25);
  });

  it('takes an external name, and gives the minted one back when it goes', async () => {
    const {
      json: { uri },
    } = await api.post(`/repositories/${repoId}/resources`, body('B'));
    const minted = await arkOf(uri);
    const { json } = await api.get(uri);
    await api.post(uri, { ...json, external_ark_url: 'https://other.example/ark:/9/z' });
    expect(await arkOf(uri)).toEqual({
      previous: [minted.current],
      current: 'https://other.example/ark:/9/z',
      current_is_external: true,
    });
    const clash = await api.post(`/repositories/${repoId}/resources`, body('B2', { external_ark_url: 'ark:/9/z' }));
    expect([clash.status, clash.json]).toEqual([400, collision('external_ark_url', 'external_ark_collision')]);
    const { json: now } = await api.get(uri);
    await api.post(uri, { ...now, external_ark_url: '' });
    expect(await arkOf(uri)).toEqual(minted);
  });

  it('makes slugs from titles, cleans those of clients, and numbers repeats over all kinds', async () => {
    const {
      json: { uri },
    } = await api.post(`/repositories/${repoId}/resources`, body('S1', { title: "Smith's <b>Papers</b>" }));
    expect((await api.get(uri)).json).toMatchObject({ slug: 'smiths_papers', is_slug_auto: true });
    const { json: subject } = await api.post('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Smiths Papers', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    expect((await api.get(subject.uri)).json.slug).toBe('smiths_papers_1');
    const { json: own } = await api.post(
      `/repositories/${repoId}/resources`,
      body('S2', { slug: '  1900! ', is_slug_auto: false }),
    );
    expect((await api.get(own.uri)).json).toMatchObject({ slug: '__1900', is_slug_auto: false });
    const { json: node } = await api.post(`/repositories/${repoId}/archival_objects`, {
      title: 'One letter',
      level: 'item',
      resource: { ref: uri },
    });
    const { json: tree } = await api.get(`${uri}/tree/root`);
    expect([tree.slugged_url, tree.precomputed_waypoints['']['0'][0]]).toMatchObject([
      'http://localhost:8081/resources/smiths_papers',
      { uri: node.uri, slugged_url: 'http://localhost:8081/archival_objects/one_letter' },
    ]);
    const child = { title: 'One letter', level: 'item', resource: { ref: uri } };
    const children = [
      child,
      { ...child, slug: 'own', is_slug_auto: false },
      child,
      { ...child, slug: 'own', is_slug_auto: false },
    ];
    expect((await api.post(`${node.uri}/children`, { children })).status).toBe(200);
    const made: any[] = (await api.get(`${node.uri}/children`)).json;
    expect(made.map(({ slug }) => slug)).toEqual(['one_letter_1', 'own', 'one_letter_2', 'own_1']);
    expect(new Set(made.map(({ ark_name: name }) => name.current)).size).toBe(children.length);
    const { json: nothing } = await api.post(`/repositories/${repoId}/resources`, body('S3', { title: '日記' }));
    const left = (await api.get(nothing.uri)).json;
    expect([left.slug, left.is_slug_auto]).toEqual([undefined, false]);
    expect((await api.get(`${nothing.uri}/tree/root`)).json.slugged_url).toBe('');
    expect((await api.get('/slug?slug=smiths_papers_1&controller=subjects&action=show')).json).toEqual({
      id: subject.id,
      table: 'subject',
      repo_id: null,
    });
  });
});

describe('where ARKs are on, and those of others are not taken', () => {
  it('mints a name whatever external one is sent, and keeps none in its place', async () => {
    await using api = await startTestApi({
      worker: false,
      environment: { MUNIMENT_ARKS: 'true', MUNIMENT_ARK_EXTERNAL: 'false' },
    });
    const repoId = await api.repository();
    const { uri } = (
      await api.post(`/repositories/${repoId}/resources`, body('A', { external_ark_url: 'http://x.example/ark:/1/2' }))
    ).json;
    const minted = (await api.get(uri)).json.ark_name;
    expect(minted).toEqual({
      previous: [],
      current: expect.stringMatching(/^ark:\/f00001\/\d+$/),
      current_is_external: false,
    });
    await api.post(`${uri}/ark_name`, { current: 'ark:/1/2', previous: [minted.current] });
    expect((await api.get(`${uri}/ark_name`)).json).toEqual({ previous: [minted.current] });
  });
});
