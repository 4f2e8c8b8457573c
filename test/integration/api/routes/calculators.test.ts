// The calculators over HTTP: trees, labels, units, both releases, and who may ask.
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { TestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let series: string;
let file: string;
let accession: string;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = idOf(await api.create('/repositories', { repo_code: 'CALC', name: 'Archive', publish: true }));
  const profile = await api.create('/container_profiles', {
    name: 'Box',
    dimension_units: 'inches',
    extent_dimension: 'width',
    width: '5',
    height: '10',
    depth: '12',
  });
  const box = await api.create(`/repositories/${repoId}/top_containers`, {
    indicator: '1',
    type: 'box',
    container_profile: { ref: profile },
  });
  const bare = await api.create(`/repositories/${repoId}/top_containers`, { indicator: '2', type: 'box' });
  const inBox = (ref: string) => ({ instance_type: 'mixed_materials', sub_container: { top_container: { ref } } });
  resource = await api.create(
    `/repositories/${repoId}/resources`,
    resourceBody('C1', { publish: true, instances: [inBox(box)] }),
  );
  const component = (title: string, more: object) =>
    api.create(`/repositories/${repoId}/archival_objects`, {
      title,
      level: 'file',
      publish: true,
      resource: { ref: resource },
      ...more,
    });
  series = await component('Series', {
    dates: [{ date_type: 'single', label: 'creation', begin: '1839' }],
    instances: [inBox(box)],
  });
  file = await component('File', {
    parent: { ref: series },
    publish: false,
    dates: [
      { date_type: 'inclusive', label: 'issued', begin: '1850-02', end: '1903' },
      { date_type: 'single', label: 'creation', expression: 'long ago' },
    ],
    instances: [inBox(box), inBox(bare)],
  });
  accession = await api.create(`/repositories/${repoId}/accessions`, {
    title: 'An accession',
    id_0: 'A1',
    accession_date: '2020-01-01',
    instances: [inBox(box)],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

const ask = (
  name: string,
  query: Record<string, string>,
  session?: string | null,
  headers: Record<string, string> = {},
) =>
  api.ask(`/${name}_calculator?${new URLSearchParams(query)}`, {
    headers,
    ...(session === undefined ? {} : { session }),
  });

describe('the date calculator', () => {
  it('spans the dates of all components of a resource', async () => {
    const reply = await ask('date', { record_uri: resource });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text.trimEnd()).toBe(
      JSON.stringify({
        object: {
          uri: resource,
          jsonmodel_type: 'resource',
          title: 'Resource C1',
          id: Number(resource.split('/').at(-1)),
        },
        resource: { uri: resource, title: 'Resource C1' },
        label: null,
        min_begin_date: '1839-01-01',
        min_begin: '1839',
        max_end_date: '1903-12-31',
        max_end: '1903',
      }),
    );
  });

  it('leaves out the own dates of an archival object, and other labels', async () => {
    expect((await ask('date', { record_uri: series })).json).toMatchObject({
      object: { title: 'Series', jsonmodel_type: 'archival_object' },
      resource: { uri: resource },
      min_begin: '1850-02',
      max_end: '1903',
    });
    expect((await ask('date', { record_uri: resource, label: 'creation' })).json).toMatchObject({
      label: 'creation',
      min_begin: '1839',
      max_end_date: '1839-12-31',
    });
    expect((await ask('date', { record_uri: file })).json).toMatchObject({
      min_begin_date: null,
      min_begin: null,
      max_end_date: null,
      max_end: null,
    });
  });

  it('counts dates of all labels and types, of suppressed and unpublished components too, and none of a label that there is not', async () => {
    const root = await api.create(
      `/repositories/${repoId}/resources`,
      resourceBody('C2', { dates: [{ date_type: 'single', label: 'creation', begin: '1500' }] }),
    );
    const component = (dates: object[]) =>
      api.create(`/repositories/${repoId}/archival_objects`, {
        title: 'x',
        level: 'file',
        resource: { ref: root },
        dates,
      });
    await component([{ date_type: 'bulk', label: 'usage', begin: '1700-02', end: '1710-02' }]);
    const hidden = await component([{ date_type: 'inclusive', label: 'issued', begin: '1650-03-04', end: '1720' }]);
    expect((await api.ask(`${hidden}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(200);
    expect((await ask('date', { record_uri: root })).json).toMatchObject({
      min_begin_date: '1650-03-04',
      min_begin: '1650-03-04',
      max_end_date: '1720-12-31',
      max_end: '1720',
    });
    expect((await ask('date', { record_uri: root, label: 'usage' })).json).toMatchObject({
      label: 'usage',
      min_begin_date: '1700-02-01',
      max_end_date: '1710-02-28',
    });
    expect((await ask('date', { record_uri: root, label: 'nonsense' })).json).toMatchObject({
      label: 'nonsense',
      min_begin_date: null,
      min_begin: null,
      max_end_date: null,
      max_end: null,
    });
  });

  it('counts the own dates of a record in R-A', async () => {
    await using earlier = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: 'R-A' } });
    const at = `/repositories/${await earlier.repository()}`;
    const root = await earlier.create(
      `${at}/resources`,
      resourceBody('C3', { dates: [{ date_type: 'single', label: 'creation', begin: '1500' }] }),
    );
    const own = await earlier.create(`${at}/archival_objects`, {
      title: 'x',
      level: 'file',
      resource: { ref: root },
      dates: [{ date_type: 'inclusive', label: 'creation', begin: '1600', end: '1610' }],
    });
    await earlier.create(`${at}/archival_objects`, {
      title: 'y',
      level: 'file',
      resource: { ref: root },
      parent: { ref: own },
      dates: [{ date_type: 'single', label: 'creation', begin: '1605' }],
    });
    expect((await earlier.get(`/date_calculator?record_uri=${root}`)).json).toMatchObject({
      min_begin: '1500',
      max_end: '1610',
    });
    expect((await earlier.get(`/date_calculator?record_uri=${own}`)).json).toMatchObject({
      min_begin: '1600',
      max_end: '1610',
    });
  });

  it('refuses who may not view the repository, other kinds, and uris that lead nowhere', async () => {
    expect((await ask('date', { record_uri: resource }, null)).status).toBe(403);
    expect((await ask('date', { record_uri: accession })).status).toBe(400);
    expect((await ask('date', { record_uri: resource.replace(/\d+$/, '99999999') })).json).toEqual({
      error: 'Resource not found',
    });
    expect((await ask('date', {})).json).toEqual({
      error: { record_uri: ['Parameter required but no value provided'] },
    });
  });
});

describe('the extent calculator', () => {
  it('counts each container of the tree once', async () => {
    const reply = await ask('extent', { record_uri: resource });
    expect(reply.status, reply.text).toBe(200);
    expect(Object.keys(reply.json)).toEqual([
      'object',
      'resource',
      'total_extent',
      'container_count',
      'container_without_profile_count',
      'units',
      'volume',
      'containers',
      'timestamp',
    ]);
    expect(reply.json).toMatchObject({
      object: { uri: resource, jsonmodel_type: 'resource', title: 'Resource C1' },
      resource: null,
      total_extent: 5,
      container_count: 2,
      container_without_profile_count: 1,
      units: 'inches',
      volume: false,
      containers: { 'Box [12d, 10h, 5w inches] extent measured by width': { count: 1, extent: 5 } },
    });
    expect(reply.json.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    // Decimals are written as such, for clients with types (recorded).
    expect(reply.text).toContain('"total_extent":5.0,');
    expect(reply.text).toContain('"extent":5.0}');
  });

  it('reads its parameters from the form of a GET as well', async () => {
    const form = new URLSearchParams({ record_uri: resource, unit: 'feet' }).toString();
    const url = new URL('/extent_calculator', api.url);
    const headers = {
      'x-service-session': api.session,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(form.length),
    };
    const sent = request(url, { method: 'GET', headers }).end(form);
    const [reply] = await once(sent, 'response');
    expect(await json(reply)).toMatchObject({ total_extent: 0.42, units: 'feet' });
  });

  it('converts, and takes archival objects and accessions', async () => {
    expect((await ask('extent', { record_uri: series, unit: 'feet' })).json).toMatchObject({
      resource: { uri: resource, title: 'Resource C1' },
      total_extent: 0.42,
      units: 'feet',
      container_count: 2,
    });
    expect((await ask('extent', { record_uri: accession, unit: 'centimeters' })).json).toMatchObject({
      resource: null,
      total_extent: 12.7,
    });
    expect((await ask('extent', { record_uri: resource, unit: 'furlongs' })).json).toEqual({
      error: { unit: ['Must be one of: inches, feet, centimeters, meters'] },
    });
  });

  it('rounds total and groups each by itself, half away from zero, and has the asked unit where there is nothing to measure', async () => {
    const at = `/repositories/${repoId}`;
    const boxes: string[] = [];
    for (const index of [0, 1, 2]) {
      const profile = await api.create('/container_profiles', {
        name: `Thin ${index}`,
        dimension_units: 'inches',
        extent_dimension: 'depth',
        width: '9',
        height: '9',
        depth: '4',
      });
      boxes.push(
        await api.create(`${at}/top_containers`, {
          indicator: `thin ${index}`,
          type: 'box',
          container_profile: { ref: profile },
        }),
      );
    }
    const root = await api.create(`${at}/accessions`, {
      title: 'Thin',
      id_0: 'thin',
      accession_date: '2020-01-01',
      instances: boxes.map((ref) => ({ instance_type: 'text', sub_container: { top_container: { ref } } })),
    });
    const { json } = await ask('extent', { record_uri: root, unit: 'feet' });
    expect([json.total_extent, json.units, Object.values(json.containers).map((group: any) => group.extent)]).toEqual([
      1,
      'feet',
      [0.33, 0.33, 0.33],
    ]);
    const bare = await api.create(`${at}/accessions`, { title: 'Bare', id_0: 'bare', accession_date: '2020-01-01' });
    expect((await ask('extent', { record_uri: bare })).json).toMatchObject({
      total_extent: 0,
      container_count: 0,
      container_without_profile_count: 0,
      units: null,
      containers: {},
    });
    expect((await ask('extent', { record_uri: bare, unit: 'meters' })).json).toMatchObject({
      total_extent: 0,
      units: 'meters',
    });
  });

  it('is open for published records alone', async () => {
    expect((await ask('extent', { record_uri: resource }, null)).status).toBe(200);
    expect((await ask('extent', { record_uri: series }, null)).status).toBe(200);
    expect((await ask('extent', { record_uri: file }, null)).status).toBe(403);
    expect((await ask('extent', { record_uri: accession }, null)).status).toBe(403);
  });

  it('is closed for those of a repository that is not published', async () => {
    const kept = await api.repository();
    const record = await api.create(`/repositories/${kept}/resources`, resourceBody('C8', { publish: true }));
    const reader = await api.userWith(['view_repository'], kept);
    const statuses = async () => [
      (await ask('extent', { record_uri: record }, null)).status,
      (await ask('extent', { record_uri: record }, reader)).status,
    ];
    expect(await statuses()).toEqual([403, 200]);
  });
});

describe('suppressed records', () => {
  it('count, and are found by those alone who see them', async () => {
    const at = `/repositories/${repoId}`;
    const box = await api.create(`${at}/top_containers`, { indicator: 'hidden', type: 'box' });
    const root = await api.create(`${at}/resources`, resourceBody('C9', { publish: true }));
    const component = (begin: string, more: object = {}) =>
      api.create(`${at}/archival_objects`, {
        title: `From ${begin}`,
        level: 'file',
        publish: true,
        resource: { ref: root },
        dates: [{ date_type: 'single', label: 'creation', begin }],
        ...more,
      });
    const shown = await component('1700');
    const hidden = await component('1650', {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: box } } }],
    });
    const suppress = (uri: string, suppressed: boolean) =>
      api.ask(`${uri}/suppressed?suppressed=${suppressed}`, { method: 'POST' });
    expect((await suppress(hidden, true)).status).toBe(200);
    const reader = await api.userWith(['view_repository'], repoId);
    const archivist = await api.userWith(['view_repository', 'view_suppressed'], repoId);
    const user = (await api.get('/users/current-user', archivist)).json.uri;
    const wanted = await api.post(
      `${at}/preferences`,
      { user_id: idOf(user), defaults: { show_suppressed: true } },
      archivist,
    );
    expect(wanted.status, wanted.text).toBe(200);

    const told = async (session?: string) => [
      (await ask('date', { record_uri: root }, session)).json.min_begin,
      (await ask('extent', { record_uri: root }, session)).json.container_count,
    ];
    // Contract 5.1: unpublished and suppressed records count.
    for (const session of [reader, archivist, undefined]) expect(await told(session)).toEqual(['1650', 1]);
    for (const name of ['date', 'extent']) {
      const refused = await ask(name, { record_uri: hidden }, reader);
      expect([refused.status, refused.json]).toEqual([404, { error: 'ArchivalObject not found' }]);
      expect((await ask(name, { record_uri: hidden }, archivist)).status).toBe(200);
    }
    expect((await ask('extent', { record_uri: hidden }, null)).status).toBe(403);

    // One that is seen below a resource that is not tells nothing of it.
    expect([(await suppress(root, true)).status, (await suppress(shown, false)).status]).toEqual([200, 200]);
    for (const name of ['date', 'extent']) {
      expect((await ask(name, { record_uri: shown }, reader)).json).toMatchObject({
        object: { uri: shown },
        resource: null,
      });
      expect((await ask(name, { record_uri: shown })).json.resource).toEqual({ uri: root, title: 'Resource C9' });
      expect((await ask(name, { record_uri: root }, reader)).status).toBe(404);
    }
  });
});
