// Takes every kind of the registry through what all kinds do: create, read, list, resolve, send back, stale update, refused caller,
// delete. A kind that is added is in here by being declared.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { changeOf } from '#test/support/make/distinct.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

/** Without kinds that no route makes by themselves (terms come with subjects), and those of which there is one for each owner (preferences). */
const made = allKinds.filter((kind) => kind.may.create !== undefined && kind.name !== 'preference');
/** Kinds that are made and deleted, and never changed. */
const fixed = new Set(['rde_template']);
const withoutDelete = new Set(['vocabulary']);
/** Kinds of lists without pages (contract 4.2). */
const arrays = new Set(['repository', 'group', 'vocabulary', 'rde_template']);
/** Kinds whose GET of one takes no resolve (contract 4.1). */
const withoutResolve = new Set(['subject', 'user', 'group', 'repository', 'vocabulary', 'rde_template']);

/** Kinds whose deleted records do not come back: they are more than their record. */
const goneForGood = new Set(['user', 'group', 'repository']);

/** What differs between two reads of a record that was sent back unchanged. */
const moving = new Set(['lock_version', 'system_mtime', 'user_mtime', 'create_time', 'last_modified_by']);

let api: TestApi;
let records: HttpRecords;
let stranger = '';
let otherRepoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  records = await httpRecords(api);
  stranger = await api.userWith(['view_repository'], records.repoId);
  otherRepoId = await api.repository();
});
afterAll(async () => api[Symbol.asyncDispose]());

describe.each(made.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  it('is created from its example', async () => {
    const reply = await api.post(records.collection(kind), await records.body(name));
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['status', 'id', 'lock_version', 'stale', 'uri', 'warnings']);
    expect(reply.json).toMatchObject({
      status: 'Created',
      lock_version: 0,
      stale: kind.stale ? true : null,
      warnings: [],
    });
    expect(reply.json.uri).toBe(
      kind.uri.replace(':repo_id', String(records.repoId)).replace(':id', String(reply.json.id)),
    );
  });

  it('keeps its content when it is sent back as it was read', async () => {
    if (fixed.has(name)) return;
    const uri = await records.make(name);
    const before = await api.get(uri);
    expect(before.json).toMatchObject({ jsonmodel_type: name, uri });
    // Nothing that replies show is unknown where unknown properties are refused.
    const reply = await api.ask(uri, { json: before.json, headers: { prefer: 'handling=strict' } });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toMatchObject({
      status: 'Updated',
      lock_version: Number(before.json.lock_version) + 1,
      stale: kind.stale ? true : null,
      uri,
    });
    expect(settled((await api.get(uri)).json)).toEqual(settled(before.json));
  });

  it('shows every list property and no empty value', async () => {
    const { json } = await api.get(await records.make(name));
    const lists = Object.entries(kind.properties).filter(([, property]) => property.type === 'list');
    expect(
      lists
        .map(([property]) => property)
        .filter((property) => !Array.isArray(json[property]) && kind.properties[property]?.readonly !== true),
    ).toEqual([]);
    expect(emptyPaths(json)).toEqual([]);
  });

  it('refuses an update with an old lock_version, and one without', async () => {
    if (fixed.has(name)) return;
    const uri = await records.make(name);
    const { json } = await api.get(uri);
    expect((await api.post(uri, json)).status).toBe(200);
    expect(await answer(api.post(uri, json))).toEqual([
      409,
      { error: 'The record you tried to update has been modified since you fetched it.' },
    ]);
    const { lock_version: _, ...unversioned } = json;
    expect(await answer(api.post(uri, unversioned))).toEqual([
      409,
      { error: 'You must provide a lock_version in your request' },
    ]);
  });

  it('is refused to callers without permission, and unknown under other ids', async () => {
    const uri = await records.make(name);
    const { json } = await api.get(uri);
    // Anybody may make a user (contract 2.3).
    if (kind.may.create !== 'public')
      expect((await api.post(records.collection(kind), await records.body(name), stranger)).json).toEqual({
        error: 'Access denied',
      });
    for (const session of [stranger, null]) {
      if (!fixed.has(name))
        expect(await answer(api.post(uri, json, session))).toEqual([403, { error: 'Access denied' }]);
      if (kind.may.delete !== undefined && !withoutDelete.has(name))
        expect(await answer(api.del(uri, session))).toEqual([403, { error: 'Access denied' }]);
    }
    if (kind.may.read !== 'public') expect(await answer(api.get(uri, null))).toEqual([403, { error: 'Access denied' }]);
    const unknown = uri.replace(/\d+$/, '99999999');
    const words = { error: name === 'user' ? "User wasn't found" : `${kind.model} not found` };
    expect(await answer(api.get(unknown))).toEqual([404, words]);
    if (!fixed.has(name)) expect(await answer(api.post(unknown, json))).toEqual([404, words]);
  });

  it('is not found below another repository', async () => {
    if (kind.scope !== 'repository') return;
    const uri = await records.make(name);
    const elsewhere = uri.replace(/^\/repositories\/\d+/, `/repositories/${otherRepoId}`);
    expect(await answer(api.get(elsewhere))).toEqual([404, { error: `${kind.model} not found` }]);
    expect(await answer(api.del(elsewhere))).toEqual([404, { error: `${kind.model} not found` }]);
  });

  it('is listed by page, by ids, by all ids and by time', async () => {
    const uri = await records.make(name);
    const id = Number(uri.split('/').at(-1));
    const address = records.collection(kind).split('?')[0] ?? '';
    if (arrays.has(name)) {
      expect((await api.get(address)).json.map((record: JsonObject) => record['uri'])).toContain(uri);
      const future = '4102444800';
      expect((await api.get(`${address}?modified_since=${future}`)).json).toEqual([]);
      expect((await api.get(`${address}?modified_since=1`)).json.map((record: JsonObject) => record['uri'])).toContain(
        uri,
      );
      return;
    }
    const page = await api.get(`${address}?page=1&page_size=2`);
    expect(Object.keys(page.json)).toEqual(['first_page', 'last_page', 'this_page', 'total', 'results']);
    expect(page.json.results.length).toBeGreaterThan(0);
    expect(page.json.last_page).toBe(Math.max(1, Math.ceil(page.json.total / 2)));
    const last = await api.get(`${address}?page=${page.json.last_page}&page_size=2`);
    expect(last.json.results.at(-1)).toEqual(
      name === 'user' ? expect.objectContaining({ uri }) : (await api.get(uri)).json,
    );
    const all = await api.get(`${address}?all_ids=true`);
    expect(all.json).toHaveLength(page.json.total);
    expect(all.json.at(-1)).toBe(id);
    expect(
      (await api.get(`${address}?id_set=${id},99999999,${id}`)).json.map((record: JsonObject) => record['uri']),
    ).toEqual([uri]);
    expect((await api.get(`${address}?page=1&modified_since=4102444800`)).json).toEqual({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 0,
      results: [],
    });
    expect((await api.get(`${address}?page=77`)).json).toMatchObject({
      this_page: 77,
      results: [],
      total: page.json.total,
    });
  });

  it('resolves its refs, and is accepted back with them inside', async () => {
    if (withoutResolve.has(name)) return;
    const uri = await records.make(name);
    const plain = (await api.get(uri)).json;
    const names = refNames(plain);
    const query = names.map((property) => `resolve[]=${property}`).join('&');
    const reply = await api.get(`${uri}?${query}`);
    for (const property of names)
      expect([reply.json[property]].flat()[0]?._resolved, property).toMatchObject({
        uri: [plain[property]].flat()[0]?.ref,
      });
    expect(without(reply.json, '_resolved')).toEqual(plain);
    expect((await api.post(uri, reply.json)).status).toBe(200);
    expect(settled((await api.get(uri)).json)).toEqual(settled(plain));
  });

  it('has a tag that a read can be answered with, and that changes with the record', async () => {
    if (fixed.has(name)) return;
    const uri = await records.make(name);
    const { headers, text, json } = await api.get(uri);
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^"0-[\w-]{27}"$/);
    const again = await api.ask(uri, { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect([again.status, again.text, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([
      304,
      '',
      tag,
      'no-store',
    ]);
    expect((await api.ask(uri, { headers: { 'if-none-match': '"0-other"' } })).text).toBe(text);
    expect((await api.post(uri, json)).status).toBe(200);
    expect((await api.ask(uri, { headers: { 'if-none-match': tag } })).status).toBe(200);
    const stale = await api.ask(uri, { json, headers: { 'if-match': tag } });
    expect([stale.status, stale.json]).toEqual([
      412,
      { code: 'PRECONDITION_FAILED', error: 'The record has another version than If-Match names' },
    ]);
    if (kind.may.delete !== undefined && !withoutDelete.has(name)) {
      expect((await api.ask(uri, { method: 'DELETE', headers: { 'if-match': tag } })).json.code).toBe(
        'PRECONDITION_FAILED',
      );
      expect(
        (
          await api.ask(uri, {
            method: 'DELETE',
            headers: { 'if-match': (await api.get(uri)).headers.get('etag') ?? '' },
          })
        ).status,
      ).toBe(200);
    }
  });

  it('takes a merge patch with the version that was read, or its tag', async () => {
    if (fixed.has(name)) return;
    const uri = await records.make(name);
    const before = await api.get(uri);
    const change = changeOf(kind, 1);
    const patch = (
      json: JsonObject,
      headers: { readonly [name: string]: string } = {},
      session?: string,
    ): ReturnType<TestApi['get']> =>
      api.ask(uri, {
        method: 'PATCH',
        json,
        headers: { 'content-type': 'application/merge-patch+json', ...headers },
        ...(session === undefined ? {} : { session }),
      });
    expect(await answer(patch(change))).toEqual([409, { error: 'You must provide a lock_version in your request' }]);
    expect(await answer(patch({ ...change, lock_version: 0 }, {}, stranger))).toEqual([
      403,
      { error: 'Access denied' },
    ]);
    const reply = await patch({ ...change, lock_version: 0 });
    expect([reply.status, reply.json]).toEqual([
      200,
      expect.objectContaining({ status: 'Updated', lock_version: 1, uri }),
    ]);
    const after = (await api.get(uri)).json;
    expect(after).toMatchObject(change);
    expect(settled(unchanged(after, change))).toEqual(settled(unchanged(before.json, change)));
    expect((await patch({ ...change, lock_version: 0 })).json).toEqual({
      error: 'The record you tried to update has been modified since you fetched it.',
    });
    expect((await patch(change, { 'if-match': before.headers.get('etag') ?? '' })).json.code).toBe(
      'PRECONDITION_FAILED',
    );
    expect((await patch(change, { 'if-match': (await api.get(uri)).headers.get('etag') ?? '' })).json).toMatchObject({
      lock_version: 2,
    });
  });

  it('tells its history, and goes back to an earlier version', async () => {
    if (fixed.has(name)) return;
    const uri = await records.make(name);
    const before = (await api.get(uri)).json;
    const change = changeOf(kind, 2);
    expect((await api.ask(uri, { method: 'PATCH', json: { ...change, lock_version: 0 } })).status).toBe(200);
    const history = await api.get(`${uri}/history`);
    expect(history.json).toMatchObject({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 2,
      results: [
        { version: 1, op: 'update', by: 'admin' },
        { version: 0, op: 'create', by: 'admin', changes: [] },
      ],
    });
    const [property = ''] = Object.keys(change);
    expect(history.json.results[0].changes.map((each: JsonObject) => each['path'])).toContain(`/${property}`);
    expect((await api.get(`${uri}/history?page=2&page_size=1`)).json.results).toEqual([history.json.results[1]]);
    const old = (await api.get(`${uri}/history/0`)).json;
    expect(old).toMatchObject({ jsonmodel_type: name, uri, lock_version: 0 });
    expect(old[property]).toEqual(before[property]);
    expect(await answer(api.get(`${uri}/history/7`))).toEqual([404, { error: `${kind.model} has no version 7` }]);
    expect((await api.post(`${uri}/history/0/restore`)).json).toEqual({
      error: 'You must provide a lock_version in your request',
    });
    expect((await api.post(`${uri}/history/0/restore?lock_version=0`)).status).toBe(409);
    expect(await answer(api.post(`${uri}/history/0/restore?lock_version=1`, undefined, stranger))).toEqual([
      403,
      { error: 'Access denied' },
    ]);
    // Earlier versions hold what was taken away since: who may only read the record does not see them.
    for (const session of [stranger, null])
      for (const path of [`${uri}/history`, `${uri}/history/0`])
        expect([path, (await api.get(path, session)).status]).toEqual([path, 403]);
    const restored = await api.post(`${uri}/history/0/restore`, { lock_version: 1 });
    expect([restored.status, restored.json]).toEqual([
      200,
      expect.objectContaining({ status: 'Updated', lock_version: 2, uri }),
    ]);
    expect(settled((await api.get(uri)).json)).toEqual(settled(before));
    expect((await api.get(`${uri}/history`)).json.total).toBe(3);
  });

  it('comes back after it was deleted', async () => {
    if (kind.may.delete === undefined || withoutDelete.has(name) || fixed.has(name) || name === 'repository') return;
    const uri = await records.make(name);
    const before = (await api.get(uri)).json;
    expect((await api.del(uri)).status).toBe(200);
    if (name !== 'user')
      expect(
        (await api.get(`${uri}/history`)).json.results.map((entry: JsonObject) => [entry['version'], entry['op']]),
      ).toEqual([
        [1, 'delete'],
        [0, 'create'],
      ]);
    const place = kind.tree === undefined ? {} : { [kind.tree.rootProperty]: before[kind.tree.rootProperty] };
    const reply = await api.post(`${uri}/history/0/restore`, place);
    if (goneForGood.has(name)) {
      expect(reply.status).toBe(409);
      return;
    }
    expect([reply.status, reply.json]).toEqual([
      200,
      expect.objectContaining({ status: 'Restored', lock_version: 2, uri }),
    ]);
    expect(settled((await api.get(uri)).json)).toEqual(settled(before));
    expect((await api.get(`${uri}/history`)).json.results.map((entry: JsonObject) => entry['op'])).toEqual([
      'undelete',
      'delete',
      'create',
    ]);
    expect((await api.post(uri, (await api.get(uri)).json)).status).toBe(200);
  });

  it('is deleted', async () => {
    if (kind.may.delete === undefined || withoutDelete.has(name)) return;
    const uri = await records.make(name);
    const reply = await api.del(uri);
    expect([reply.status, reply.text]).toEqual([200, `{"status":"Deleted","id":${uri.split('/').at(-1)}}\n`]);
    expect((await api.get(uri)).status).toBe(404);
    // A repository is a parameter of its own address, which must exist (contract 1.3).
    expect((await api.del(uri)).status).toBe(name === 'repository' ? 400 : 404);
  });
});

const answer = async (reply: ReturnType<TestApi['get']>): Promise<readonly [number, unknown]> => {
  const { status, json } = await reply;
  return [status, json];
};

/** A value without what moves from save to save, at every depth. */
const settled = (value: unknown): unknown => mapped(value, (key) => !moving.has(key));
/** A record without the changed properties, and what follows from them. */
const unchanged = (record: JsonObject, change: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([key]) =>
        !(key in change) && !['title', 'display_string', 'long_display_string', 'path_from_root'].includes(key),
    ),
  );
const without = (value: unknown, name: string): unknown => mapped(value, (key) => key !== name);

function mapped(value: unknown, keep: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, keep));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => keep(key))
      .map(([key, item]) => [key, mapped(item, keep)]),
  );
}

/** The properties of a record that hold refs to records. `tree` is no record. */
function refNames(record: JsonObject): readonly string[] {
  return Object.entries(record)
    .filter(([key, value]) => key !== 'tree' && isObject([value].flat()[0]) && 'ref' in Object([value].flat()[0]))
    .map(([key]) => key);
}

/** Paths of null, '' and {} in a record: none is sent (contract 1.2). */
function emptyPaths(value: unknown, at = ''): readonly string[] {
  if (value === null || value === '') return [at];
  if (Array.isArray(value)) return value.flatMap((item, index) => emptyPaths(item, `${at}/${index}`));
  if (typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return entries.length === 0 && at !== '/permissions'
    ? [at]
    : entries.flatMap(([key, item]) => emptyPaths(item, `${at}/${key}`));
}
