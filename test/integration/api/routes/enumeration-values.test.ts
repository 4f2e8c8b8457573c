// Values of controlled lists over HTTP (contract 6.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byJob } from '../../../../apps/api/record-routes/lists.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const byName = async (name: string) => (await api.get(`/config/enumerations/names/${name}`)).json;
const accession = (more: object) =>
  api.post(`/repositories/${repoId}/accessions`, {
    id_0: `a${Math.random()}`,
    title: 't',
    accession_date: '2020-01-01',
    ...more,
  });
const valueOf = async (list: string, value: string) =>
  (await byName(list)).enumeration_values.find((each: { value: string }) => each.value === value);

describe('/config/enumeration_values/:enum_val_id', () => {
  it('renames a value in the list and in the records that use it', async () => {
    const made = await accession({ dates: [{ date_type: 'single', label: 'broadcast', begin: '1900' }] });
    const value = await valueOf('date_label', 'broadcast');
    const reply = await api.post(value.uri, { ...value, value: ' aired ' });
    expect(reply.json).toMatchObject({ status: 'Updated', id: value.id, lock_version: 1, uri: value.uri });
    expect((await api.get(made.json.uri)).json.dates[0].label).toBe('aired');
    expect((await byName('date_label')).values).toContain('aired');
    expect((await api.post(value.uri, value)).status).toBe(409);
  });

  it('does not become nothing where blanks alone are sent, nor do the records that use it', async () => {
    const made = await accession({ dates: [{ date_type: 'single', label: 'issued', begin: '1900' }] });
    const value = await valueOf('date_label', 'issued');
    const reply = await api.post(value.uri, { ...value, value: ' \t ' });
    expect([reply.status, reply.json]).toEqual([400, { error: { value: ['Property is required but was missing'] } }]);
    expect(await valueOf('date_label', 'issued')).toEqual(value);
    expect((await api.get(made.json.uri)).json.dates[0].label).toBe('issued');
  });

  it('suppresses a value: lists leave it out, bodies may still hold it, and it cannot be changed', async () => {
    const value = await valueOf('name_source', 'naf');
    const suppress = (suppressed: boolean) =>
      api.ask(`${value.uri}/suppressed`, { form: new URLSearchParams({ suppressed: String(suppressed) }) });
    expect((await suppress(true)).json).toEqual({ status: 'Suppressed', id: value.id, suppressed_state: true });
    const list = await byName('name_source');
    expect(list.values).not.toContain('naf');
    expect(list.enumeration_values.map((each: { value: string }) => each.value)).toContain('naf');
    const person = {
      names: [
        { primary_name: 'Suppressed Source', name_order: 'direct', source: 'naf', sort_name_auto_generate: true },
      ],
    };
    expect((await api.post('/agents/people', person)).status).toBe(200);
    expect((await api.post(value.uri, value)).json).toEqual({
      error: "Can't update an object that has been suppressed",
    });
    expect((await suppress(false)).json.suppressed_state).toBe(false);
    expect((await byName('name_source')).values).toContain('naf');
  });

  it.each(['-1', '2147483648', '1e30'])('has no place %s', async (position) => {
    const [{ uri }] = (await byName('event_outcome')).enumeration_values;
    const value = (await api.get(uri)).json;
    const replies = [
      await api.post(uri, { ...value, position: Number(position) }),
      await api.ask(`${uri}/position`, { form: new URLSearchParams({ position }) }),
    ];
    expect(replies.map(({ status, json }) => [status, Object.keys(json.error)])).toEqual([
      [400, ['position']],
      [400, ['position']],
    ]);
    expect((await api.get(uri)).json).toEqual(value);
  });

  it('leaves room for new values behind one that stands at the last place that there is', async () => {
    const { uri } = (await api.post('/config/enumerations', { name: 'last_place', values: ['a', 'b'] })).json;
    const [first] = (await api.get(uri)).json.enumeration_values;
    await api.ask(`${first.uri}/position`, { form: new URLSearchParams({ position: '2147483647' }) });
    const list = (await api.get(uri)).json;
    expect((await api.post(uri, { ...list, values: [...list.values, 'c'] })).status).toBe(200);
    const after = (await api.get(uri)).json.enumeration_values;
    expect(after.map(({ value, position }: { value: string; position: number }) => [value, position])).toEqual([
      ['b', 0],
      ['a', 1],
      ['c', 2],
    ]);
  });

  it('moves a value: it swaps places with the one that is there', async () => {
    const list = await byName('date_era');
    const [first, second] = (await byName('collection_management_processing_priority')).enumeration_values;
    const reply = await api.ask(`${first.uri}/position`, { form: new URLSearchParams({ position: '1' }) });
    expect(reply.json).toEqual({ status: 'Updated', id: first.id, lock_version: 0, stale: null });
    expect((await byName('collection_management_processing_priority')).values.slice(0, 2)).toEqual([
      second.value,
      first.value,
    ]);
    expect(await byName('date_era')).toEqual(list);
    // A save that names another place moves it as well.
    const { lock_version } = (await api.get(first.uri)).json;
    expect((await api.post(first.uri, { ...first, lock_version, position: 0 })).status).toBe(200);
    const { values } = await byName('collection_management_processing_priority');
    expect(values.slice(0, 2)).toEqual([first.value, second.value]);
  });

  it('is renamed by a job that can be followed, as the documentation says; its place is not', async () => {
    const value = await valueOf('extent_extent_type', 'megabytes');
    expect((await api.ask(value.uri, { json: value, headers: { prefer: 'respond-async' } })).status).toBe(200);
    const current = await valueOf('extent_extent_type', 'megabytes');
    const asked = await api.ask(value.uri, {
      json: { ...current, value: 'prints' },
      headers: { prefer: 'respond-async' },
    });
    expect([asked.status, asked.json.status]).toEqual([202, 'Accepted']);
    await expect.poll(async () => (await api.get(String(asked.json.uri))).json.status).toBe('completed');
    expect((await api.get(value.uri)).json).toMatchObject({ value: 'prints', lock_version: current.lock_version + 1 });
    const { paths } = (await api.get('/openapi.json')).json;
    for (const path of ['/config/enumeration_values/{enum_val_id}', '/config/enumerations/migration'])
      expect(paths[path].post.description).toContain(byJob);
  });
});
