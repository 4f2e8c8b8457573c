// Controlled lists over HTTP (contract 6.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { resourceBody } from '../../../support/records.ts';

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
const denied = [403, { error: 'Access denied' }];

describe('GET /config/enumerations', () => {
  it('lists all lists by id, to anybody', async () => {
    const lists = (await api.get('/config/enumerations', null)).json;
    expect(lists).toHaveLength(101);
    expect(lists[0].uri).toBe('/config/enumerations/1');
    expect((await api.get('/config/enumerations/32', null)).json.name).toBe('archival_record_level');
  });

  it('shows values, read-only ones, suppressed ones and where the list is used', async () => {
    const list = await byName('instance_instance_type');
    expect(list).toMatchObject({
      jsonmodel_type: 'enumeration',
      editable: true,
      relationships: ['instance_type'],
      readonly_values: ['digital_object'],
    });
    expect(list.enumeration_values[0]).toMatchObject({
      jsonmodel_type: 'enumeration_value',
      position: 0,
      suppressed: false,
      value: list.values[0],
    });
    expect((await api.get(list.enumeration_values[0].uri)).json.value).toBe(list.values[0]);
    expect((await byName('extent_portion')).default_value).toBe('whole');
    expect((await api.get('/config/enumerations/9999')).json).toEqual({ error: 'Enumeration not found' });
    expect((await api.get('/config/enumerations/names/nothing')).status).toBe(404);
  });

  it('gives a CSV of what is not suppressed', async () => {
    const reply = await api.get('/config/enumerations/csv', null);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = reply.text.trimEnd().split('\n');
    expect(lines).toHaveLength(1788);
    expect(lines).toContain('instance_instance_type,instance instance type,digital_object,digital object,4,true');
  });
});

describe('POST /config/enumerations/:enum_id', () => {
  it('appends new values, which bodies may hold at once', async () => {
    const list = await byName('accession_resource_type');
    expect((await accession({ resource_type: 'maps' })).status).toBe(400);
    const reply = await api.post(list.uri, { ...list, values: ['maps ', ...list.values] });
    expect(reply.json).toEqual({
      status: 'Updated',
      id: 7,
      lock_version: 1,
      stale: null,
      uri: '/config/enumerations/7',
      warnings: [],
    });
    expect((await byName('accession_resource_type')).values).toEqual([...list.values, 'maps']);
    expect((await accession({ resource_type: 'maps' })).status).toBe(200);
    expect((await api.post(list.uri, list)).status).toBe(409);
  });

  it('removes values that nothing uses, and numbers the places anew', async () => {
    const list = await byName('accession_acquisition_type');
    await accession({ acquisition_type: 'gift' });
    const refused = await api.post(list.uri, { ...list, values: ['deposit', 'purchase', 'transfer'] });
    expect([refused.status, refused.json]).toEqual([409, { error: "Can't delete a value that's in use: gift" }]);
    expect((await api.post(list.uri, { ...list, values: ['gift', 'purchase', 'transfer'] })).status).toBe(200);
    const after = await byName('accession_acquisition_type');
    expect(
      after.enumeration_values.map(({ value, position }: { value: string; position: number }) => [value, position]),
    ).toEqual([
      ['gift', 0],
      ['purchase', 1],
      ['transfer', 2],
    ]);
  });

  it('leaves suppressed values where they are, which clients do not send', async () => {
    const name = 'resource_resource_type';
    const [value] = (await byName(name)).enumeration_values;
    await api.ask(`${value.uri}/suppressed`, { form: new URLSearchParams({ suppressed: 'true' }) });
    const list = await byName(name);
    expect(list.values).not.toContain(value.value);
    expect((await api.post(list.uri, { ...list, values: [...list.values, 'more'] })).status).toBe(200);
    expect((await byName(name)).values).toEqual([...list.values, 'more']);
    expect((await api.get(value.uri)).json).toMatchObject({ value: value.value, suppressed: true });
  });

  it('takes a list as it was fetched whose default is suppressed', async () => {
    const name = 'share';
    await api.create('/config/enumerations', { name, values: ['whole', 'part'], default_value: 'whole' });
    const { uri } = await valueOf(name, 'whole');
    await api.ask(`${uri}/suppressed`, { form: new URLSearchParams({ suppressed: 'true' }) });
    const list = await byName(name);
    expect([list.default_value, list.values]).toEqual(['whole', ['part']]);
    const reply = await api.post(list.uri, list);
    expect([reply.status, reply.json.status]).toEqual([200, 'Updated']);
    expect(await byName(name)).toMatchObject({ default_value: 'whole', values: ['part'] });
    const wrong = await api.post(list.uri, { ...(await byName(name)), default_value: 'nothing' });
    expect([wrong.status, wrong.json.error]).toEqual([
      400,
      { default_value: [`Invalid value 'nothing'.  Must be one of: ${list.values.join(', ')}`] },
    ]);
  });

  it('refuses changes to lists and values that nobody may change', async () => {
    const level = await byName('archival_record_level');
    const added = await api.post(level.uri, { ...level, values: [...level.values, 'x'] });
    expect([added.status, added.json]).toEqual(denied);
    expect((await api.post(level.uri, { ...level, default_value: 'file' })).status).toBe(403);
    expect((await api.post(level.uri, level)).status).toBe(200);
    const instance = await byName('instance_instance_type');
    expect(
      (
        await api.post(instance.uri, {
          ...instance,
          values: instance.values.filter((value: string) => value !== 'digital_object'),
        })
      ).status,
    ).toBe(403);
  });

  it('asks for manage_enumeration_record in any repository', async () => {
    const list = await byName('name_rule');
    const editor = await api.userWith(['manage_enumeration_record'], repoId);
    const viewer = await api.userWith(['view_repository'], repoId);
    expect((await api.post(list.uri, list, viewer)).status).toBe(403);
    expect((await api.post(list.uri, list, editor)).status).toBe(200);
  });
});

describe('POST /config/enumerations', () => {
  it('creates an editable list', async () => {
    const reply = await api.post('/config/enumerations', {
      name: 'colour',
      values: ['red', 'blue'],
      default_value: 'red',
    });
    expect(reply.json).toMatchObject({
      status: 'Created',
      lock_version: 0,
      uri: `/config/enumerations/${reply.json.id}`,
    });
    expect((await api.get(reply.json.uri)).json).toMatchObject({
      name: 'colour',
      editable: true,
      values: ['red', 'blue'],
      default_value: 'red',
      relationships: [],
    });
    const again = await api.post('/config/enumerations', { name: 'colour', values: [] });
    expect([again.status, Object.keys(again.json.error)]).toEqual([400, ['db_error']]);
    expect((await api.post('/config/enumerations', { name: 'x', values: ['a'], default_value: 'b' })).status).toBe(400);
    expect((await api.post('/config/enumerations', { name: 'y' })).json.error).toEqual({
      values: ['Property is required but was missing'],
    });
  });
});

describe('a value of more than 255 characters', () => {
  it('is refused by both, as in a value itself; one of 255 is taken', async () => {
    const tooLong = [400, { values: ['Must be 255 characters or fewer'] }];
    const made = await api.post('/config/enumerations', { name: 'long', values: ['a', 'x'.repeat(256)] });
    expect([made.status, made.json.error]).toEqual(tooLong);
    const list = await byName('extent_extent_type');
    const changed = await api.post(list.uri, { ...list, values: [...list.values, 'x'.repeat(256)] });
    expect([changed.status, changed.json.error]).toEqual(tooLong);
    expect((await byName('extent_extent_type')).values).toEqual(list.values);
    const name = '\u{1f4dc}'.repeat(255);
    expect((await api.post('/config/enumerations', { name: 'long', values: [name] })).status).toBe(200);
  });
});

describe('POST /config/enumerations/migration', () => {
  const migrate = (enum_uri: string, from: string, to: string) =>
    api.post('/config/enumerations/migration', { enum_uri, from, to });

  it('makes all uses of a value another, drops it, and gives the list', async () => {
    const list = await byName('extent_extent_type');
    const made = await accession({
      extents: [
        { portion: 'whole', number: '1', extent_type: 'cassettes' },
        { portion: 'part', number: '2', extent_type: 'reels' },
      ],
    });
    const reply = await migrate(list.uri, 'cassettes', 'reels');
    expect(reply.status).toBe(200);
    expect(reply.json.values).not.toContain('cassettes');
    const after = (await api.get(made.json.uri)).json;
    expect(after.extents.map((extent: { extent_type: string }) => extent.extent_type)).toEqual(['reels', 'reels']);
    expect(after.lock_version).toBe(0);
  });

  it('says why it refuses', async () => {
    const level = await byName('archival_record_level');
    const fixed = await migrate(level.uri, 'file', 'item');
    expect([fixed.status, fixed.json]).toEqual([
      400,
      { error: `Can't migrate values for non-editable enumeration 32` },
    ]);
    const instance = await byName('instance_instance_type');
    const readonly = await migrate(instance.uri, 'digital_object', instance.values[0]);
    expect([readonly.status, readonly.json]).toEqual([
      400,
      { error: "Can't transfer from a read-only enumeration value" },
    ]);
    const missing = await migrate(instance.uri, 'nothing', instance.values[0]);
    expect([missing.status, missing.json]).toEqual([404, { error: "Can't find a value 'nothing' in enumeration 22" }]);
    expect((await migrate('/config/enumerations/9999', 'a', 'b')).status).toBe(404);
    expect((await migrate('elsewhere', 'a', 'b')).status).toBe(400);
  });
});

describe('a migration that would make two records the same', () => {
  const subject = (source: string, term: string) => ({
    source,
    vocabulary: '/vocabularies/1',
    terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const person = (source: string, name: string) => ({
    names: [{ primary_name: name, name_order: 'direct', source, sort_name_auto_generate: true }],
  });
  it.each([
    ['/subjects', subject, 'subject_source', 'aat', 'tgn', { terms: ['Subject must be unique'] }],
    ['/agents/people', person, 'name_source', 'naf', 'ulan', { names: ['Agent must be unique'] }],
  ])('is refused at %s, and names both', async (path, body, name, from, to, error) => {
    // Those that stand first could be migrated.
    await api.create(path, body(from, 'Lakes'));
    const stays = await api.create(path, body(to, 'Rivers'));
    const changes = await api.create(path, body(from, 'Rivers'));
    const reply = await api.post('/config/enumerations/migration', { enum_uri: (await byName(name)).uri, from, to });
    expect([reply.status, reply.json]).toEqual([
      400,
      { error: { ...error, conflicting_record: [stays] }, invalid_object: changes },
    ]);
    expect((await api.get(changes)).status).toBe(200);
    expect((await byName(name)).values).toContain(from);
  });
});

describe('values that stand in lists', () => {
  it('are in use, become others when they are renamed or migrated, and the containers of the records show it', async () => {
    const box = await api.create(`/repositories/${repoId}/top_containers`, { indicator: '1' });
    const restricted = await api.create(`/repositories/${repoId}/resources`, {
      ...resourceBody('closed'),
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: box } } }],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'accessrestrict',
          subnotes: [{ jsonmodel_type: 'note_text', content: 'closed' }],
          rights_restriction: { local_access_restriction_type: ['InProcessSpecColl', 'ColdStorageBrbl'] },
        },
      ],
    });
    const typesOf = async () => [
      (await api.get(restricted)).json.notes[0].rights_restriction.local_access_restriction_type,
      (await api.get(box)).json.active_restrictions[0].local_access_restriction_type,
    ];
    const list = await byName('restriction_type');
    const refused = await api.post(list.uri, {
      ...list,
      values: list.values.filter((value: string) => value !== 'ColdStorageBrbl'),
    });
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: "Can't delete a value that's in use: ColdStorageBrbl" },
    ]);
    const value = await valueOf('restriction_type', 'ColdStorageBrbl');
    expect((await api.post(value.uri, { ...value, value: 'Cold' })).status).toBe(200);
    expect(await typesOf()).toEqual([
      ['InProcessSpecColl', 'Cold'],
      ['InProcessSpecColl', 'Cold'],
    ]);
    const migrated = await api.post('/config/enumerations/migration', {
      enum_uri: list.uri,
      from: 'Cold',
      to: 'RestrictedSpecColl',
    });
    expect([migrated.status, migrated.json.values.includes('Cold')]).toEqual([200, false]);
    expect(await typesOf()).toEqual([
      ['InProcessSpecColl', 'RestrictedSpecColl'],
      ['InProcessSpecColl', 'RestrictedSpecColl'],
    ]);
    expect((await api.post(restricted, (await api.get(restricted)).json)).status).toBe(200);
  });
});
