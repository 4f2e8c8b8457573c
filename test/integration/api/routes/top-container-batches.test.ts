// Bulk changes of top containers over HTTP (contract 6.7): within the repository, all or nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, startTestApi } from '../../../support/api.ts';
import type { Reply, TestApi } from '../../../support/api.ts';
import { httpRecords } from '../../../support/make/http-records.ts';
import type { HttpRecords } from '../../../support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
let base: string;
let stranger: string;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  records = await httpRecords(api);
  base = `/repositories/${records.repoId}/top_containers`;
  const other = await api.repository();
  stranger = (await api.post(`/repositories/${other}/top_containers`, { indicator: 'x', barcode: 'other' })).json.uri;
});
afterAll(() => api[Symbol.asyncDispose]());

const make = (more: object = {}): Promise<string> => records.make('top_container', { ...more });
const batch = (name: string, uris: readonly string[], field: string, value: string): Promise<Reply> =>
  api.ask(`${base}/batch/${name}`, {
    form: new URLSearchParams([...uris.map((uri): [string, string] => ['ids[]', String(idOf(uri))]), [field, value]]),
  });
const bulk = (name: string, body: object): Promise<Reply> => api.post(`${base}/bulk/${name}`, body);
const shown = async (uri: string) => (await api.get(uri)).json;
const today = new Date().toISOString().slice(0, 10);

describe('batch', () => {
  it('sets and clears the holding id of a list', async () => {
    const [a, b] = [await make(), await make()];
    const reply = await batch('ils_holding_id', [a, b, a], 'ils_holding_id', 'H1');
    expect([reply.status, reply.json]).toEqual([200, { records_updated: 2 }]);
    expect([await shown(a), await shown(b)]).toMatchObject([
      { ils_holding_id: 'H1', lock_version: 1, last_modified_by: 'admin' },
      { ils_holding_id: 'H1' },
    ]);
    await batch('ils_holding_id', [a], 'ils_holding_id', '');
    expect(await shown(a)).not.toHaveProperty('ils_holding_id');
  });

  it('changes nothing where one of the ids is of another repository', async () => {
    const a = await make();
    const reply = await batch('ils_holding_id', [a, stranger], 'ils_holding_id', 'H2');
    expect([reply.status, reply.json]).toEqual([200, { error: `Top container not found: ${base}/${idOf(stranger)}` }]);
    expect(await shown(a)).toMatchObject({ lock_version: 0 });
    expect(await shown(stranger)).toMatchObject({ lock_version: 0 });
  });

  it('sets and removes the profile, and tells of one that is not there', async () => {
    const [a, profile] = [await make(), await records.make('container_profile')];
    expect((await batch('container_profile', [a], 'container_profile_uri', profile)).json).toEqual({
      records_updated: 1,
    });
    expect(await shown(a)).toMatchObject({ container_profile: { ref: profile } });
    const missing = await batch('container_profile', [a], 'container_profile_uri', '/container_profiles/9999');
    expect([missing.status, missing.text]).toEqual([
      200,
      '{"records_updated":0,"error":"Container profile not found: /container_profiles/9999"}\n',
    ]);
    await batch('container_profile', [a], 'container_profile_uri', '');
    expect(await shown(a)).not.toHaveProperty('container_profile');
    // The link is gone with it, so the profile has no user.
    expect((await api.del(profile)).status).toBe(200);
  });

  it('puts containers at a location from today on; previous ones stay', async () => {
    const [old, now] = [await records.make('location', { temporary: 'conservation' }), await records.make('location')];
    const a = await make({
      container_locations: [
        { ref: old, status: 'previous', start_date: '2000-01-01', end_date: '2001-01-01' },
        { ref: old, status: 'current', start_date: '2001-01-01' },
      ],
    });
    expect((await batch('location', [a], 'location_uri', now)).json).toEqual({ records_updated: 1 });
    expect((await shown(a)).container_locations).toMatchObject([
      { ref: now, status: 'current', start_date: today },
      { ref: old, status: 'previous', end_date: '2001-01-01' },
    ]);
    expect((await batch('location', [a], 'location_uri', '/locations/9999')).json).toEqual({
      records_updated: 0,
      error: 'Location not found: /locations/9999',
    });
    await batch('location', [a], 'location_uri', '');
    expect((await shown(a)).container_locations).toMatchObject([{ status: 'previous' }]);
    expect((await api.del(now)).status).toBe(200);
  });
});

describe('bulk barcodes', () => {
  it('lets containers exchange theirs', async () => {
    const [a, b] = [await make({ barcode: 'A' }), await make({ barcode: 'B' })];
    const reply = await bulk('barcodes', { [b]: 'A', [a]: 'B' });
    expect([reply.status, reply.json]).toEqual([200, { updated: [idOf(b), idOf(a)] }]);
    expect([(await shown(a)).barcode, (await shown(b)).barcode]).toEqual(['B', 'A']);
  });

  it('changes nothing where one is taken, by another or by one of the list', async () => {
    const [a, b, c] = [await make({ barcode: 'X1' }), await make({ barcode: 'X2' }), await make({ barcode: 'X3' })];
    const taken = await bulk('barcodes', { [a]: 'NEW', [b]: 'X3' });
    expect([taken.status, taken.json]).toEqual([
      400,
      { error: { barcode: ['A barcode must be unique within a repository'] }, uri: b },
    ]);
    const twice = await bulk('barcodes', { [a]: 'SAME', [c]: 'SAME' });
    expect([twice.status, twice.json.uri]).toEqual([400, c]);
    expect([(await shown(a)).barcode, (await shown(b)).barcode, (await shown(c)).barcode]).toEqual(['X1', 'X2', 'X3']);
  });

  it('gives a container that is named twice the last text, and keeps others from having that one', async () => {
    const a = await make({ barcode: 'V1' });
    const reply = await bulk('barcodes', { [a]: 'V2', [`${base}/0${idOf(a)}`]: 'V3' });
    expect([reply.status, reply.json]).toEqual([200, { updated: [idOf(a)] }]);
    expect(await shown(a)).toMatchObject({ barcode: 'V3', lock_version: 1 });
    expect((await bulk('barcodes', { [await make()]: 'V3' })).status).toBe(400);
  });

  it('clears one with null or an empty text, and another may have it at once', async () => {
    const [a, b] = [await make({ barcode: 'Y1' }), await make()];
    expect((await bulk('barcodes', { [b]: 'Y1', [a]: null })).status).toBe(200);
    expect(await shown(a)).not.toHaveProperty('barcode');
    expect((await shown(b)).barcode).toBe('Y1');
  });

  it('refuses containers of other repositories and what is no container', async () => {
    for (const uri of [stranger, '/agents/people/1', 'x'])
      expect((await bulk('barcodes', { [uri]: 'Z' })).json).toEqual({
        error: { barcode_data: [`Not a top container of this repository: '${uri}'`] },
        uri,
      });
    expect((await shown(stranger)).barcode).toBe('other');
    expect((await bulk('barcodes', { [`${base}/9999`]: 'Z' })).status).toBe(404);
  });
});

describe('bulk indicators', () => {
  it('sets them, and leaves out null', async () => {
    const [a, b] = [await make(), await make()];
    expect((await bulk('indicators', { [a]: '77', [b]: null })).json).toEqual({ updated: [idOf(a)] });
    expect([(await shown(a)).display_string, (await shown(b)).lock_version]).toEqual(['Box 77', 0]);
  });

  it('names the container whose indicator is not valid, and changes none', async () => {
    const [a, b] = [await make(), await make()];
    const reply = await bulk('indicators', { [a]: '78', [b]: '' });
    expect([reply.status, reply.json]).toEqual([
      400,
      { error: { indicator: ['Property is required but was missing'] }, uri: b },
    ]);
    expect((await shown(a)).indicator).toBe('1');
  });
});

it('bulk changes refuse what is no object of texts', async () => {
  const a = await make();
  for (const [name, data] of [
    ['barcodes', 'barcode_data'],
    ['indicators', 'indicator_data'],
  ] as const) {
    const none = await bulk(name, [a]);
    expect([name, none.status, none.json]).toEqual([
      name,
      400,
      { error: { [data]: ['Wanted an object of texts by uri'] } },
    ]);
    const number = await bulk(name, { [a]: 5 });
    expect([name, number.status, number.json]).toEqual([
      name,
      400,
      { error: { [data]: [`Wanted a text for '${a}'`] }, uri: a },
    ]);
  }
  // Of locations the interface has failures in a 200.
  expect((await bulk('locations', { [a]: 5 })).json).toMatchObject({
    records_updated: 0,
    error: `{"location_data":["Wanted a text for '${a}'"]}`,
  });
  expect((await shown(a)).lock_version).toBe(0);
});

describe('bulk locations', () => {
  it('sets them all or none', async () => {
    const [a, b, place] = [await make(), await make(), await records.make('location')];
    const bad = await bulk('locations', { [a]: place, [b]: '/locations/9999' });
    expect([bad.status, bad.json]).toEqual([
      200,
      { records_ids_updated: [], records_updated: 0, error: 'Location not found: /locations/9999' },
    ]);
    expect((await shown(a)).container_locations).toEqual([]);
    expect((await bulk('locations', { [a]: place, [b]: place })).json).toEqual({
      records_ids_updated: [idOf(a), idOf(b)],
      records_updated: 2,
    });
    expect((await shown(b)).container_locations).toMatchObject([{ ref: place, status: 'current', start_date: today }]);
    expect((await api.del(place)).json).toEqual({ error: 'Location cannot be deleted if linked' });
  });
});

it('takes thousands at once', async () => {
  const made = await api.post(`/repositories/${records.repoId}/top_containers`, { indicator: '0' });
  expect(made.status).toBe(200);
  await api.database.transaction((tx) =>
    tx.run({
      sql: `INSERT INTO record (kind, id, repo_id, label, body) SELECT 'top_container', nextval('top_container_id_seq')::int, ${records.repoId}, 'Box', '{"jsonmodel_type":"top_container","indicator":"1","container_locations":[]}' FROM generate_series(1, 3000)`,
      values: [],
    }),
  );
  const ids: readonly number[] = (await api.get(`${base}?all_ids=true`)).json;
  const reply = await bulk('barcodes', Object.fromEntries(ids.map((id) => [`${base}/${id}`, `many${id}`])));
  expect(reply.json.updated).toHaveLength(ids.length);
});
