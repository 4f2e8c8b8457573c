// Repositories over HTTP: what is made with one, what is seen, changed and deleted (contract 2.6, 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnyRow } from '#test/support/rows.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { idOf, startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { resourceBody } from '../../../support/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(() => api[Symbol.asyncDispose]());

const url = { url: 'http://example.com/r', image_url: 'http://example.com/i.png' };

describe('POST /repositories', () => {
  it('creates a repository with slug, position and a corporate agent named after its code', async () => {
    const reply = await api.post('/repositories', {
      repo_code: 'R 1',
      name: 'Recorded',
      country: 'US',
      publish: true,
      ...url,
      agent_representation: { ref: '/agents/corporate_entities/99' },
    });
    expect([reply.status, reply.json]).toEqual([
      200,
      { status: 'Created', id: 2, lock_version: 0, stale: true, uri: '/repositories/2', warnings: [] },
    ]);
    const made = (await api.get('/repositories/2', null)).json;
    expect(made).toEqual({
      lock_version: 0,
      repo_code: 'R 1',
      name: 'Recorded',
      country: 'US',
      ...url,
      created_by: 'admin',
      last_modified_by: 'admin',
      create_time: expect.any(String),
      system_mtime: expect.any(String),
      user_mtime: expect.any(String),
      publish: true,
      oai_is_disabled: false,
      slug: 'r_1',
      is_slug_auto: true,
      position: 1,
      jsonmodel_type: 'repository',
      uri: '/repositories/2',
      display_string: 'Recorded (R 1)',
      agent_representation: { ref: '/agents/corporate_entities/1' },
    });
    const agent = (await api.get('/agents/corporate_entities/1')).json;
    expect(agent).toMatchObject({
      is_repo_agent: 'Recorded',
      names: [{ primary_name: 'R 1', sort_name: 'R 1', source: 'local' }],
      agent_contacts: [{ name: 'R 1' }],
    });
  });

  it('takes an agent that is named like the code, case ignored', async () => {
    const agent = await api.post('/agents/corporate_entities', {
      names: [{ primary_name: 'Known Body', sort_name_auto_generate: true }],
    });
    const { uri } = (await api.post('/repositories', { repo_code: 'known BODY', name: 'n' })).json;
    expect((await api.get(uri)).json.agent_representation.ref).toBe(agent.json.uri);
  });

  it('gives a repository whose slug is taken the next one', async () => {
    const made = [
      await api.post('/repositories', { repo_code: 'Slug!', name: 'n' }),
      await api.post('/repositories', { repo_code: 'slug', name: 'n' }),
    ];
    const slugs = await Promise.all(made.map(async (reply) => (await api.get(reply.json.uri)).json.slug));
    expect(slugs).toEqual(['slug', 'slug_1']);
  });

  it('has no slug, and makes none by itself, where nothing of the code is left', async () => {
    const { uri } = (await api.post('/repositories', { repo_code: '档案', name: 'n', slug: '!' })).json;
    const made = (await api.get(uri)).json;
    expect([made.slug, made.is_slug_auto]).toEqual([undefined, false]);
    await api.post(uri, { ...made, is_slug_auto: true, repo_code: 'Archive 12' });
    expect((await api.get(uri)).json).toMatchObject({ slug: 'archive_12', is_slug_auto: true });
    await api.post(uri, { ...(await api.get(uri)).json, repo_code: '档案' });
    const after = (await api.get(uri)).json;
    expect([after.slug, after.is_slug_auto]).toEqual([undefined, false]);
  });

  it('refuses a code in use, a missing name, a bad url, and callers without create_repository', async () => {
    const again = await api.post('/repositories', { repo_code: 'R 1', name: 'Again' });
    expect([again.status, again.json]).toEqual([400, { error: { repo_code: ['short name already in use'] } }]);
    expect((await api.post('/repositories', { repo_code: 'T', name: '' })).json.error).toEqual({
      name: ['Property is required but was missing'],
    });
    expect((await api.post('/repositories', { repo_code: 'T', name: 'n', url: 'example.com' })).status).toBe(400);
    expect((await api.post('/repositories', { repo_code: 'T', name: 'n' }, null)).status).toBe(403);
    expect((await api.post('/repositories', {}, null)).status).toBe(400);
  });

  it('takes codes that differ in nothing but case for the same', async () => {
    const { uri } = (await api.post('/repositories', { repo_code: 'MixedCase', name: 'One' })).json;
    const taken = { error: { repo_code: ['short name already in use'] } };
    for (const repo_code of ['MIXEDCASE', 'mixedcase'])
      expect((await api.post('/repositories', { repo_code, name: 'Other' })).json).toMatchObject(taken);
    const other = (await api.post('/repositories', { repo_code: 'Unmixed', name: 'Other' })).json.uri;
    const stored = (await api.get(other)).json;
    expect((await api.post(other, { ...stored, repo_code: 'mixedCase' })).json).toMatchObject(taken);
    const renamed = await api.post(uri, { ...(await api.get(uri)).json, repo_code: 'MIXEDCASE' });
    expect([renamed.status, (await api.get(uri)).json.repo_code]).toEqual([200, 'MIXEDCASE']);
    const levels = await api.post(other, { ...stored, oai_sets_available: 'fonds' });
    expect([levels.status, levels.json.error]).toEqual([
      400,
      { oai_sets_available: ['must be the JSON text of a list of ids'] },
    ]);
  });

  it('keeps codes and positions apart when many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => api.post('/repositories', { repo_code: `many${n}`, name: 'n' })),
    );
    const places = await Promise.all(made.map(async (reply) => (await api.get(reply.json.uri)).json.position));
    expect(new Set(places).size).toBe(8);
  });
});

describe('GET /repositories', () => {
  it('lists all repositories but the hidden one, which can be read', async () => {
    const list = (await api.get('/repositories', null)).json;
    expect(list.map((repository: { uri: string }) => repository.uri)).not.toContain('/repositories/1');
    expect(list[0]).toMatchObject({ uri: '/repositories/2', repo_code: 'R 1' });
    expect((await api.get('/repositories/1', null)).json).toMatchObject({
      repo_code: '_service',
      uri: '/repositories/1',
    });
    expect((await api.get('/repositories/99999999')).json).toEqual({ error: 'Repository not found' });
    expect((await api.get('/repositories/abc')).json).toEqual({ error: { id: ["Wanted type Integer but got 'abc'"] } });
    expect((await api.get('/repositories/99999999/accessions?page=1')).json).toEqual({
      error: { repo_id: ['Failed validation -- The Repository must exist'] },
    });
  });

  it('lists them in the order in which they were made, whichever was saved last', async () => {
    const made = [await api.repository(), await api.repository(), await api.repository()];
    const [first] = made;
    await api.post(`/repositories/${first}`, { ...(await api.get(`/repositories/${first}`)).json, name: 'Saved' });
    // With statistics PostgreSQL reads so few rows as they lie, the one that was saved last at the end.
    await api.database.transaction((tx) => tx.run(sql`ANALYZE record`));
    const ids = (await api.get('/repositories')).json.map(({ uri }: { uri: string }) => idOf(uri));
    expect(ids.slice(-3)).toEqual(made);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  });

  it('resolves the agent', async () => {
    const reply = await api.get('/repositories/2?resolve[]=agent_representation');
    expect(reply.json.agent_representation._resolved.title).toBe('R 1');
  });
});

describe('POST /repositories/:id', () => {
  it('replaces what a client may write, and keeps agent and position', async () => {
    const body = (await api.get('/repositories/2')).json;
    const reply = await api.post('/repositories/2', {
      ...body,
      name: 'Renamed',
      position: 77,
      agent_representation: null,
    });
    expect([reply.status, reply.json.status, reply.json.lock_version]).toEqual([200, 'Updated', 1]);
    expect((await api.get('/repositories/2')).json).toMatchObject({
      name: 'Renamed',
      display_string: 'Renamed (R 1)',
      position: 1,
      slug: 'r_1',
      agent_representation: body.agent_representation,
    });
    expect((await api.post('/repositories/2', body)).status).toBe(409);
    expect((await api.post('/repositories/99999999', body)).json).toEqual({ error: 'Repository not found' });
  });

  it('re-dates what can be published where it is shown or hidden', async () => {
    const id = await api.repository();
    const resource = (await api.post(`/repositories/${id}/resources`, resourceBody('redate'))).json.uri;
    await api.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind = 'resource' AND repo_id = ${id}`),
    );
    await api.post(`/repositories/${id}`, { ...(await api.get(`/repositories/${id}`)).json, name: 'Other name' });
    expect((await api.get(resource)).json.system_mtime).toBe('2001-01-01T00:00:00Z');
    await api.post(`/repositories/${id}`, { ...(await api.get(`/repositories/${id}`)).json, publish: true });
    const after = (await api.get(resource)).json;
    expect(after.system_mtime > '2001-01-01T00:00:00Z').toBe(true);
    expect(after.lock_version).toBe(0);
  });
});

describe('POST /repositories/:repo_id/position', () => {
  it('swaps places with the repository that has the position', async () => {
    const [a, b] = [await api.repository(), await api.repository()];
    const placeOf = async (id: number): Promise<number> => (await api.get(`/repositories/${id}`)).json.position;
    const [before, after] = [await placeOf(a), await placeOf(b)];
    const reply = await api.ask(`/repositories/${a}/position`, {
      form: new URLSearchParams({ position: String(after) }),
    });
    expect(reply.json).toEqual({ status: 'Updated', id: a, lock_version: 0, stale: null });
    expect([await placeOf(a), await placeOf(b)]).toEqual([after, before]);
  });

  it('leaves a place for repositories that come after one that stands at the last place that there is', async () => {
    const last = await api.repository();
    const before = (await api.get(`/repositories/${last}`)).json.position;
    const move = (position: number): Promise<unknown> =>
      api.ask(`/repositories/${last}/position`, { form: new URLSearchParams({ position: String(position) }) });
    await move(2_147_483_647);
    const made = [await api.repository(), await api.repository()];
    const places = await Promise.all(made.map(async (id) => (await api.get(`/repositories/${id}`)).json.position));
    expect(places).toEqual([before, before + 1]);
    await move(before + 2);
  });

  it.each(['-1', '-5', '2147483648'])('has no place %s', async (position) => {
    const uri = `/repositories/${await api.repository()}`;
    const before = (await api.get(uri)).json;
    const reply = await api.ask(`${uri}/position`, { form: new URLSearchParams({ position }) });
    expect([reply.status, Object.keys(reply.json.error)]).toEqual([400, ['position']]);
    expect((await api.get(uri)).json).toEqual(before);
  });
});

describe('DELETE /repositories/:repo_id', () => {
  it('deletes the repository with its records, trees and groups, and tells the feeds', async () => {
    const id = await api.repository();
    const resource = (await api.post(`/repositories/${id}/resources`, resourceBody('doomed'))).json.uri;
    await api.post(`/repositories/${id}/archival_objects`, {
      title: 'Node',
      level: 'file',
      resource: { ref: resource },
    });
    const session = await api.userWith(['view_repository'], id);
    expect((await api.get(resource, session)).status).toBe(200);
    expect((await api.del(`/repositories/${id}`, session)).status).toBe(403);
    expect((await api.del(`/repositories/${id}`)).json).toEqual({ status: 'Deleted', id });
    expect((await api.get(`/repositories/${id}`)).json).toEqual({ error: 'Repository not found' });
    expect((await api.get(resource)).status).toBe(400);
    const left = await api.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM record WHERE repo_id = ${id}) AS records, (SELECT count(*) FROM tree_node WHERE repo_id = ${id}) AS nodes,
      (SELECT count(*) FROM link WHERE repo_id = ${id}) AS links, (SELECT count(*) FROM group_grant WHERE repo_id = ${id}) AS grants, (SELECT count(*) FROM group_member WHERE repo_id = ${id}) AS members,
      (SELECT count(*) FROM unique_key WHERE scope = ${`r${id}`}) AS keys`);
    expect(left).toEqual({ records: 0, nodes: 0, links: 0, grants: 0, members: 0, keys: 0 });
    const { n } = await api.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM tombstone WHERE uri = ANY(${sql.array([resource, `/repositories/${id}`], 'text')})`);
    expect(n).toBe(2);
  });

  it('is refused while a location belongs to it', async () => {
    const id = await api.repository();
    await api.post('/locations', { building: 'B', barcode: `bc${id}`, owner_repo: { ref: `/repositories/${id}` } });
    const reply = await api.del(`/repositories/${id}`);
    expect([reply.status, reply.json]).toEqual([409, { error: 'Repository not empty' }]);
  });

  it('is refused while there is an assessment in it, in other words where that assesses something', async () => {
    const id = await api.repository();
    const accession = await api.create(`/repositories/${id}/accessions`, { id_0: 'A', accession_date: '2020-01-01' });
    const surveyor = (await api.get('/users/1')).json.agent_record.ref;
    const assessment = await api.create(`/repositories/${id}/assessments`, {
      records: [{ ref: accession }],
      surveyed_by: [{ ref: surveyor }],
      survey_begin: '2020-01-01',
    });
    const refused = await api.del(`/repositories/${id}`);
    expect([refused.status, refused.json]).toEqual([409, { error: 'linked_to_assessment' }]);
    // As a load may bring one.
    await api.database.transaction((tx) =>
      tx.run(
        sql`DELETE FROM link WHERE source_kind = 'assessment' AND source_id = ${Number(assessment.split('/').at(-1))}`,
      ),
    );
    expect((await api.del(`/repositories/${id}`)).json).toEqual({ error: 'Repository not empty' });
    expect((await api.del(assessment)).status).toBe(200);
    expect((await api.del(`/repositories/${id}`)).status).toBe(200);
  });
});
