// The space calculator over HTTP, in the forms of both releases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
let box: string;
let shelf: string;
let empty: string;
let bare: string;
let container: string;

beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
  box = await api.create('/container_profiles', {
    name: 'Box',
    dimension_units: 'inches',
    extent_dimension: 'width',
    width: '5',
    height: '10',
    depth: '12',
  });
  const profile = await api.create('/location_profiles', {
    name: 'Shelf',
    dimension_units: 'feet',
    width: '3',
    height: '1',
    depth: '1',
  });
  shelf = await api.create('/locations', {
    building: 'Main',
    floor: '1',
    room: '101',
    area: 'N',
    barcode: 's1',
    location_profile: { ref: profile },
  });
  empty = await api.create('/locations', {
    building: 'Main',
    floor: '2',
    barcode: 's2',
    location_profile: { ref: profile },
  });
  bare = await api.create('/locations', { building: 'Annex', barcode: 's3' });
  const at = (status: string) => ({
    ref: shelf,
    status,
    start_date: '2020-01-01',
    ...(status === 'previous' ? { end_date: '2021-01-01' } : {}),
  });
  container = await api.create(`/repositories/${repoId}/top_containers`, {
    indicator: '1',
    container_profile: { ref: box },
    container_locations: [at('current')],
  });
  await api.create(`/repositories/${repoId}/top_containers`, {
    indicator: '2',
    container_profile: { ref: box },
    container_locations: [at('current')],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

const by = (way: string, query: readonly (readonly [string, string])[]) =>
  api.get(
    `/space_calculator/${way}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`,
    null,
  );

describe('by location', () => {
  it('counts what fits beside what stands there, without a session', async () => {
    const reply = await by('by_location', [
      ['container_profile_uri', box],
      ...[shelf, empty, bare].map((uri) => ['location_uris[]', uri] as const),
    ]);
    expect(reply.status, reply.text).toBe(200);
    expect(Object.keys(reply.json)).toEqual([
      'container_profile',
      'total_spaces_available',
      'total_containers_of_type',
      'locations_with_space',
      'locations_without_space',
      'uncalculatable_locations',
    ]);
    expect(reply.json).toMatchObject({
      container_profile: { ref: box },
      total_spaces_available: 12,
      total_containers_of_type: 2,
      locations_without_space: [],
      locations_with_space: [
        { ref: shelf, count: 5, _resolved: { uri: shelf, location_profile: { _resolved: { name: 'Shelf' } } } },
        { ref: empty, count: 7 },
      ],
      uncalculatable_locations: [{ ref: bare, reason: 'location_lacks_a_profile' }],
    });
  });

  it('does not count containers that stood there before', async () => {
    const temporary = await api.create('/locations', {
      building: 'Main',
      floor: '3',
      barcode: 's4',
      temporary: 'conservation',
      location_profile: (await api.get(shelf)).json.location_profile,
    });
    await api.create(`/repositories/${repoId}/top_containers`, {
      indicator: '3',
      container_locations: [{ ref: temporary, status: 'previous', start_date: '2020-01-01', end_date: '2021-01-01' }],
    });
    expect(
      (
        await by('by_location', [
          ['container_profile_uri', box],
          ['location_uris[]', temporary],
        ])
      ).json,
    ).toMatchObject({ total_spaces_available: 7 });
    await api.create(`/repositories/${repoId}/top_containers`, {
      indicator: '4',
      container_locations: [{ ref: temporary, status: 'current', start_date: '2020-01-01' }],
    });
    expect(
      (
        await by('by_location', [
          ['container_profile_uri', box],
          ['location_uris[]', temporary],
        ])
      ).json.uncalculatable_locations,
    ).toMatchObject([{ reason: 'container_at_location_lacks_profile' }]);
  });

  it('tells uris that lead nowhere', async () => {
    expect(
      (
        await by('by_location', [
          ['container_profile_uri', '/container_profiles/9999'],
          ['location_uris[]', shelf],
        ])
      ).json,
    ).toEqual({ error: 'ContainerProfile not found' });
    expect(
      (
        await by('by_location', [
          ['container_profile_uri', container],
          ['location_uris[]', shelf],
        ])
      ).status,
    ).toBe(400);
    expect(
      (
        await by('by_location', [
          ['container_profile_uri', box],
          ['location_uris[]', 'x'],
        ])
      ).json,
    ).toEqual({ error: { location_uris: ['Must be a JSONModel(:location) uri'] } });
  });
});

describe('by building', () => {
  it.each([
    [
      [
        ['building', 'Main'],
        ['floor', '1'],
      ],
      5,
    ],
    [
      [
        ['building', 'Main'],
        ['floor', '1'],
        ['room', ''],
      ],
      5,
    ],
    [
      [
        ['building', 'Main'],
        ['floor', '1'],
        ['room', '102'],
      ],
      0,
    ],
    [[['building', 'Annex']], 0],
  ] as const)('takes the locations at %j', async (where, spaces) => {
    expect((await by('by_building', [['container_profile_uri', box], ...where])).json).toMatchObject({
      total_spaces_available: spaces,
    });
  });
});

it('lists the buildings', async () => {
  expect((await api.get('/space_calculator/buildings', null)).json).toMatchObject({
    Annex: { '[no floor]': { '[no room]': [] } },
    Main: { 1: { 101: ['N'] }, 2: { '[no room]': [] } },
  });
});

it('lists them without placeholders in the earlier release', async () => {
  await using earlier = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: 'R-A' } });
  await earlier.post('/locations', { building: 'Annex', barcode: 'x' });
  expect((await earlier.get('/space_calculator/buildings', null)).json).toEqual({ Annex: {} });
});
