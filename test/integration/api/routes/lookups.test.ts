// Finding records by identifiers over HTTP (contract 4.3), without a worker: nothing here may wait for the search index.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply, TestApi } from '#test/support/api.ts';
import { patienceOfRequests } from '#store/connection/lock-waits.ts';
import { startTestApi } from '#test/support/api.ts';

let api: TestApi;
let repoId = 0;
let other = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false, database: { lockPatience: patienceOfRequests } });
  repoId = await api.repository('LOOK');
  other = await api.repository('LOOK2');
});
afterAll(async () => api[Symbol.asyncDispose]());

const resource = (ids: object): object => ({
  title: 'Papers',
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
  lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  ...ids,
});
const made = (plural: string, body: object, inRepository = repoId) =>
  api.create(`/repositories/${inRepository}/${plural}`, body);
const find = (plural: string, query: string, inRepository = repoId): Promise<Reply> =>
  api.get(`/repositories/${inRepository}/find_by_id/${plural}?${query}`);
const identifier = (...parts: unknown[]): string => `identifier[]=${encodeURIComponent(JSON.stringify(parts))}`;

describe('find_by_id', () => {
  it('finds resources by their whole identifier, in their own repository', async () => {
    const one = await made('resources', resource({ id_0: 'A', id_1: '1' }));
    const two = await made('resources', resource({ id_0: 'A' }));
    await made('resources', resource({ id_0: 'A' }), other);
    expect((await find('resources', identifier('A', '1'))).json).toEqual({ resources: [{ ref: one }] });
    expect((await find('resources', identifier('A'))).json).toEqual({ resources: [{ ref: two }] });
    expect((await find('resources', `${identifier('A')}&${identifier('A', '1')}`)).json).toEqual({
      resources: [{ ref: one }, { ref: two }],
    });
  });

  it('ignores identifiers of another shape and refuses what is no JSON', async () => {
    for (const query of [
      '',
      identifier('A', ''),
      identifier(),
      identifier(1),
      identifier('a', 'b', 'c', 'd', 'e'),
      `identifier[]=${encodeURIComponent('{"a":1}')}`,
    ]) {
      expect((await find('resources', query)).json).toEqual({ resources: [] });
    }
    const bare = await find('resources', 'identifier[]=A');
    expect(bare.status).toBe(400);
    expect(bare.json.error).toMatch(/^Had some trouble parsing your request: /);
  });

  it('finds archival objects by ref_id and component_id, and all conditions must be met', async () => {
    const root = await made('resources', resource({ id_0: 'F' }));
    const first = await made('archival_objects', {
      title: 'a',
      level: 'file',
      resource: { ref: root },
      ref_id: 'r1',
      component_id: 'c',
    });
    const second = await made('archival_objects', {
      title: 'b',
      level: 'file',
      resource: { ref: root },
      ref_id: 'r2',
      component_id: 'c',
    });
    expect((await find('archival_objects', 'ref_id[]=r1')).json).toEqual({ archival_objects: [{ ref: first }] });
    expect((await find('archival_objects', 'component_id[]=c')).json).toEqual({
      archival_objects: [{ ref: first }, { ref: second }],
    });
    expect((await find('archival_objects', 'component_id[]=c&ref_id[]=r2&ref_id[]=r9')).json).toEqual({
      archival_objects: [{ ref: second }],
    });
    expect((await find('archival_objects', 'component_id[]=')).json).toEqual({ archival_objects: [] });
    expect((await find('archival_objects', '')).json).toEqual({ archival_objects: [] });
    const resolved = await find('archival_objects', 'ref_id[]=r1&resolve[]=archival_objects');
    expect(resolved.json.archival_objects[0]._resolved).toMatchObject({
      jsonmodel_type: 'archival_object',
      ref_id: 'r1',
    });
  });

  it('finds digital objects, their components and top containers', async () => {
    const object = await made('digital_objects', { title: 'd', digital_object_id: 'D-1' });
    const component = await made('digital_object_components', {
      title: 'p',
      component_id: 'P-1',
      digital_object: { ref: object },
    });
    const box = await made('top_containers', { indicator: '7', type: 'box', barcode: 'BC7' });
    expect((await find('digital_objects', 'digital_object_id[]=D-1')).json).toEqual({
      digital_objects: [{ ref: object }],
    });
    expect((await find('digital_object_components', 'component_id[]=P-1')).json).toEqual({
      digital_object_components: [{ ref: component }],
    });
    expect((await find('top_containers', 'barcode[]=BC7&indicator[]=7')).json).toEqual({
      top_containers: [{ ref: box }],
    });
    expect((await find('top_containers', 'barcode[]=BC7', other)).json).toEqual({ top_containers: [] });
  });
});

describe('by-external-id', () => {
  const accession = (id0: string, ...ids: string[]): object => ({
    id_0: id0,
    accession_date: '2020-01-01',
    external_ids: ids.map((each) => ({ external_id: each, source: 'test' })),
  });

  it('redirects to the one record, lists several, and finds none', async () => {
    const one = await made('accessions', accession('X1', 'ext-1', 'shared'));
    const two = await made('accessions', accession('X2', 'shared'), other);
    const found = await api.get('/by-external-id?eid=ext-1');
    expect([found.status, found.headers.get('location'), found.text]).toEqual([303, one, '']);
    const several = await api.get('/by-external-id?eid=shared');
    expect([several.status, several.json]).toEqual([300, [one, two]]);
    expect((await api.get('/by-external-id?eid=shared&type[]=resource')).status).toBe(404);
    const none = await api.get('/by-external-id?eid=nothing');
    expect([none.status, none.json]).toEqual([404, []]);
  });

  it('no longer finds a record by an id that it lost', async () => {
    const uri = await made('accessions', accession('X3', 'lost'));
    const { json } = await api.get(uri);
    await api.post(uri, { ...json, external_ids: [] });
    expect((await api.get('/by-external-id?eid=lost')).status).toBe(404);
  });
});

describe('slug', () => {
  it('finds a repository, and says -1 for what nobody has', async () => {
    expect((await api.get('/slug?slug=look&controller=repositories&action=show')).json).toEqual({
      id: repoId,
      table: 'repository',
      repo_id: null,
    });
    expect((await api.get('/slug?slug=nobody&controller=resources&action=show')).json).toEqual({
      id: -1,
      table: 'resource',
      repo_id: -1,
    });
  });

  it('finds a record whatever the case of its slug, agents too, and gives no two the same in another case', async () => {
    const uri = await made('resources', resource({ id_0: 'S0', slug: 'Old-Papers', is_slug_auto: false }));
    const other = await made('resources', resource({ id_0: 'S00', slug: 'old-papers', is_slug_auto: false }));
    const names = [{ primary_name: 'Ann', sort_name: 'Ann', name_order: 'direct', source: 'local' }];
    const agent = await api.create('/agents/people', { names, slug: 'Ann', is_slug_auto: false });
    const idOf = async (slug: string, controller: string): Promise<number> =>
      (await api.get(`/slug?slug=${slug}&controller=${controller}&action=show`)).json.id;
    for (const slug of ['Old-Papers', 'old-papers', 'OLD-PAPERS'])
      expect(uri).toMatch(new RegExp(`/${await idOf(slug, 'resources')}$`));
    expect(agent).toMatch(new RegExp(`/${await idOf('ANN', 'agents')}$`));
    expect((await api.get(other)).json.slug).toBe('old-papers_1');
  });

  it('gives each of many that want the same slug at once one of its own', async () => {
    const uris = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        made('resources', resource({ id_0: `C${n}`, slug: 'crowd', is_slug_auto: false })),
      ),
    );
    const slugs = await Promise.all(uris.map(async (uri) => String((await api.get(uri)).json.slug)));
    expect(new Set(slugs).size).toBe(12);
    expect(slugs.every((slug) => /^crowd(_\d+)?$/.test(slug))).toBe(true);
  });

  it('leaves slugs alone where they are off, but gives no two records the same', async () => {
    const first = await made('resources', resource({ id_0: 'S1', slug: 'Papers!', is_slug_auto: false }));
    const second = await made('resources', resource({ id_0: 'S2', slug: 'Papers!', is_slug_auto: false }));
    const plain = await made('resources', resource({ id_0: 'S3' }));
    expect((await api.get(first)).json.slug).toBe('Papers!');
    expect((await api.get(second)).json.slug).toBe('Papers!_1');
    expect((await api.get(plain)).json.slug).toBeUndefined();
  });
});

describe('the plans of lookups', () => {
  const plans: readonly (readonly [string, string, string])[] = [
    [
      'ref_id',
      `r.kind = 'archival_object' AND r.repo_id = 2 AND r.body->>'ref_id' = ANY('{r1}')`,
      'record_archival_object_ref_id_idx',
    ],
    [
      'component_id',
      `r.kind = 'archival_object' AND r.repo_id = 2 AND r.body->>'component_id' = ANY('{c}')`,
      'record_archival_object_component_id_idx',
    ],
    [
      'barcode',
      `r.kind = 'top_container' AND r.repo_id = 2 AND r.body->>'barcode' = ANY('{c}')`,
      'record_top_container_barcode_idx',
    ],
    [
      'external ids',
      `r.kind = ANY('{resource,accession}') AND has_external_ids(r.body) AND external_ids_of(r.body) @> '{x}'`,
      'record_resource_external_ids_idx',
    ],
  ];

  it.each(plans)('by %s use an index', async (_, condition, index) => {
    const plan = await api.database.transaction(async (tx) => {
      await tx.client.query('SET LOCAL enable_seqscan = off');
      // Constants of this test alone.
      const { rows } = await tx.client.query(`EXPLAIN SELECT r.id FROM record r WHERE ${condition}`);
      return rows.map((row: { readonly 'QUERY PLAN': string }) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain(index);
  });
});

describe('identifiers_in_use', () => {
  const ask = (rule: string, values: readonly string[], session?: string): Promise<Reply> =>
    api.get(
      `/repositories/${repoId}/identifiers_in_use?${new URLSearchParams([['rule', rule], ...values.map((value): [string, string] => ['value[]', value])]).toString()}`,
      session,
    );

  it('tells which values records of this repository have, and not those of others', async () => {
    const here = await made('resources', resource({ id_0: 'USED', id_1: '1' }));
    await made('resources', resource({ id_0: 'ELSEWHERE' }), other);
    const [used, free, elsewhere] = [
      ['USED', '1', null, null],
      ['USED', null, null, null],
      ['ELSEWHERE', null, null, null],
    ].map((parts) => JSON.stringify(parts));
    expect((await ask('resource.identifier', [free ?? '', elsewhere ?? '', used ?? ''])).json).toEqual({
      in_use: [{ value: used, ref: here }],
    });
    expect((await ask('resource.ead_id', [used ?? ''])).json).toEqual({ in_use: [] });
  });

  it('names suppressed records only to those who see them, and needs the permission to import', async () => {
    const hidden = await made('accessions', { title: 'Hidden', id_0: 'HIDDEN', accession_date: '2020-01-01' });
    await api.post(`${hidden}/suppressed?suppressed=true`);
    const value = JSON.stringify(['HIDDEN', null, null, null]);
    const importer = await api.userWith(['view_repository', 'import_records'], repoId);
    expect((await ask('accession.identifier', [value], importer)).json).toEqual({ in_use: [{ value, ref: null }] });
    expect((await ask('accession.identifier', [value])).json).toEqual({ in_use: [{ value, ref: hidden }] });
    const reader = await api.userWith(['view_repository'], repoId);
    expect((await ask('accession.identifier', [value], reader)).status).toBe(403);
    const unknown = await ask('user.username', ['admin']);
    expect([unknown.status, unknown.json]).toEqual([
      400,
      { error: { rule: [expect.stringContaining('user.username')] } },
    ]);
  });
});
