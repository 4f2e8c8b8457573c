// Prefilled templates over HTTP, read as others read CSV.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let uris: string[];
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  resource = (
    await api.post(
      `/repositories/${repoId}/resources`,
      resourceBody('T1', { id_1: '2', title: 'Papers, "old"', ead_id: 'ead.xml' }),
    )
  ).json.uri;
  uris = [];
  for (const title of ['One\ntwo', 'Second'])
    uris.push(
      (
        await api.post(`/repositories/${repoId}/archival_objects`, {
          title,
          level: 'file',
          component_id: 'c',
          resource: { ref: resource },
        })
      ).json.uri,
    );
});
afterAll(() => api[Symbol.asyncDispose]());

const table = (text: string): string[][] => parse(text, { relax_column_count: false });

test('the template for top containers tells components and leaves the rest blank', async () => {
  const reply = await api.get(`${resource}/templates/top_container_creation.csv`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="resource_${resource.split('/').at(-1)}_top_containers.csv"`,
  );
  const rows = table(reply.text);
  expect(rows).toHaveLength(6);
  expect(rows.slice(0, 4).every((row) => row[0] !== '')).toBe(true);
  expect(rows[2]?.slice(1)).toEqual([
    'archival_object_id',
    'ref_id',
    'component_id',
    'archival_object_title',
    'resource_title',
    'ead_id',
    'identifier',
    'instance_type',
    'top_container_id',
    'top_container_type',
    'top_container_indicator',
    'top_container_barcode',
    'container_profile_id',
    'child_type',
    'child_indicator',
    'child_barcode',
    'location_id',
  ]);
  expect(rows[4]).toEqual([
    '',
    uris[0]?.split('/').at(-1),
    expect.any(String),
    'c',
    'One\ntwo',
    'Papers, "old"',
    'ead.xml',
    'T1 2',
    ...Array.from({ length: 10 }, () => ''),
  ]);
});

test('the template for digital objects names resource and component', async () => {
  const rows = table((await api.get(`${resource}/templates/digital_object_creation.csv`)).text);
  const codes = rows[2] ?? [];
  expect(codes.slice(1, 9)).toEqual([
    'collection_id',
    'ead',
    'ref_id',
    'res_uri',
    'ao_ref_id',
    'ao_uri',
    'digital_object_id',
    'digital_object_title',
  ]);
  expect(new Set(codes).size).toBe(codes.length);
  expect([rows[5]?.[codes.indexOf('res_uri')], rows[5]?.[codes.indexOf('ao_uri')]]).toEqual([resource, uris[1]]);
});

test('the template for digital objects has the columns of its release', async () => {
  const codesOf = async (from: TestApi, uri: string): Promise<readonly string[]> =>
    (table((await from.get(`${uri}/templates/digital_object_creation.csv`)).text)[2] ?? []).slice(1);
  const matching = [
    'collection_id',
    'ead',
    'ref_id',
    'res_uri',
    'ao_ref_id',
    'ao_uri',
    'digital_object_id',
    'digital_object_title',
  ];
  const later = await codesOf(api, resource);
  expect(later.slice(0, 12)).toEqual([
    ...matching,
    'digital_object_publish',
    'level',
    'digital_object_type',
    'restrictions',
  ]);
  for (const code of [
    'rep_file_uri',
    'nonrep_publish',
    'note_content_2',
    'people_agent_relator_5',
    'families_agent_header_2',
    'corporate_entities_agent_role_3',
    'subject_2_source',
    'dimensions_2',
  ])
    expect(later).toContain(code);
  await using earlier = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_RELEASE: 'R-A' } });
  const uri = await earlier.create(`/repositories/${await earlier.repository()}/resources`, resourceBody('T1'));
  expect(await codesOf(earlier, uri)).toEqual([
    ...matching,
    'publish',
    'digital_object_link',
    'digital_object_link_publish',
    'thumbnail',
    'thumbnail_publish',
  ]);
  expect((await earlier.get(`${uri}/templates/digital_object_creation.csv`)).headers.get('content-disposition')).toBe(
    `attachment; filename="resource_${uri.split('/').at(-1)}digital_objects.csv"`,
  );
});

test('rows are in the order of ids, whatever the order of the tree', async () => {
  const root = await api.create(`/repositories/${repoId}/resources`, resourceBody('T2'));
  const nodes: string[] = [];
  for (const title of ['a', 'b', 'c'])
    nodes.push(
      await api.create(`/repositories/${repoId}/archival_objects`, {
        title,
        level: 'file',
        resource: { ref: root },
        position: 0,
      }),
    );
  expect((await api.get(`${root}/tree/waypoint?offset=0`)).json.map((node: { title: string }) => node.title)).toEqual([
    'c',
    'b',
    'a',
  ]);
  const rows = table((await api.get(`${root}/templates/top_container_creation.csv`)).text).slice(4);
  expect(rows.map((cells) => [cells[1], cells[4]])).toEqual(
    nodes.map((node, index) => [node.split('/').at(-1), ['a', 'b', 'c'][index]]),
  );
});

test('a resource that is not there has none', async () => {
  expect((await api.get(`/repositories/${repoId}/resources/9999/templates/top_container_creation.csv`)).status).toBe(
    404,
  );
  expect(
    (await api.get(`${resource}/templates/top_container_creation.csv`, await api.userWith(['create_job'], repoId)))
      .status,
  ).toBe(403);
});
