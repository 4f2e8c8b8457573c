// Series of locations, and one change of many, over HTTP (contract 6.9).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const series = (building: string, more: object = {}) => ({
  building,
  coordinate_1_range: { label: 'Shelf', start: '01', end: '03' },
  ...more,
});

it('creates one location for each step', async () => {
  const reply = await api.post(
    '/locations/batch',
    series('A', {
      coordinate_2_range: { label: 'Bay', start: 'a', end: 'b', prefix: 'B-' },
      functions: [{ location_function_type: 'arrivals' }],
    }),
  );
  expect([reply.status, reply.json.length]).toEqual([200, 6]);
  expect((await api.get(reply.json[5])).json).toMatchObject({
    title: 'A [Shelf: 03, Bay: B-b]',
    coordinate_1_indicator: '03',
    coordinate_2_label: 'Bay',
    functions: [{ location_function_type: 'arrivals' }],
    lock_version: 0,
    created_by: 'admin',
  });
});

it('tells the titles and stores nothing in a dry run', async () => {
  const before = (await api.get('/locations?all_ids=true')).json.length;
  expect((await api.post('/locations/batch?dry_run=true', series('D'))).json).toEqual([
    'D [Shelf: 01]',
    'D [Shelf: 02]',
    'D [Shelf: 03]',
  ]);
  expect((await api.get('/locations?all_ids=true')).json).toHaveLength(before);
});

it('makes none from a range that ends before it starts', async () => {
  expect(
    (await api.post('/locations/batch', series('E', { coordinate_1_range: { label: 'x', start: '3', end: '1' } })))
      .json,
  ).toEqual([]);
});

it('refuses texts that are longer than a coordinate before it counts from them', async () => {
  const [start, end] = ['a', 'b'].map((letter) => letter.repeat(256));
  const reply = await api.post('/locations/batch', series('L', { coordinate_1_range: { label: 'x', start, end } }));
  expect([reply.status, reply.json.error]).toEqual([
    400,
    {
      'coordinate_1_range/start': ['Must be 255 characters or fewer'],
      'coordinate_1_range/end': ['Must be 255 characters or fewer'],
    },
  ]);
});

it('stores none where one would not be valid', async () => {
  const before = (await api.get('/locations?all_ids=true')).json.length;
  const reply = await api.post(
    '/locations/batch',
    series('F', { location_profile: { ref: '/location_profiles/9999' } }),
  );
  expect([reply.status, reply.json]).toEqual([
    400,
    { error: "Can't relate to non-existent record: /location_profiles/9999" },
  ]);
  expect(
    (
      await api.post(
        '/locations/batch',
        series('F', { coordinate_1_range: { label: 'x', start: '1', end: '2', prefix: 'p'.repeat(255) } }),
      )
    ).json.error,
  ).toEqual({ coordinate_1_indicator: ['Must be 255 characters or fewer'] });
  expect((await api.get('/locations?all_ids=true')).json).toHaveLength(before);
});

it('refuses more than can be made at once', async () => {
  const range = { label: 'x', start: '1', end: '1000' };
  const reply = await api.post(
    '/locations/batch',
    series('G', { coordinate_1_range: range, coordinate_2_range: range }),
  );
  expect([reply.status, Object.keys(reply.json.error)]).toEqual([400, ['coordinate_1_range']]);
});

it('lays fields over several locations and checks each anew', async () => {
  const uris: readonly string[] = (
    await api.post('/locations/batch', series('H', { functions: [{ location_function_type: 'arrivals' }] }))
  ).json;
  const reply = await api.post('/locations/batch_update', {
    record_uris: [uris[0], uris[1]],
    floor: '2',
    functions: [{ location_function_type: 'shared' }, { location_function_type: 'arrivals' }],
  });
  expect([reply.status, reply.json]).toEqual([200, uris.slice(0, 2)]);
  expect((await api.get(uris[0] ?? '')).json).toMatchObject({
    title: 'H, 2 [Shelf: 01]',
    building: 'H',
    lock_version: 1,
    functions: [{ location_function_type: 'arrivals' }, { location_function_type: 'shared' }],
  });
  expect((await api.get(uris[0] ?? '')).json.functions).toHaveLength(2);
  expect((await api.get(uris[2] ?? '')).json).toMatchObject({ title: 'H [Shelf: 03]', lock_version: 0 });
});

it('changes none where one is not there', async () => {
  const [uri = ''] = (await api.post('/locations/batch', series('J'))).json;
  const reply = await api.post('/locations/batch_update', { record_uris: [uri, '/locations/9999'], floor: '2' });
  expect([reply.status, reply.json]).toEqual([404, { error: 'Location not found' }]);
  expect((await api.get(uri)).json.lock_version).toBe(0);
  expect((await api.post('/locations/batch_update', { floor: '2' })).json).toEqual([]);
});
