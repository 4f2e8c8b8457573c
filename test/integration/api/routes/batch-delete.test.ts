// Deleting many records at once: with each one's own permission, all or none.
// Contract: behaviour-records.md, section 5.7.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directlyDeleted } from '#domain/jobs/delete-record.ts';
import { CountRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { holding } from '#test/support/held-table.ts';
import { largeTree } from '#test/support/large-tree.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

const remove = (
  uris: readonly string[],
  session: string | null = api.session,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  api.ask('/batch_delete', {
    form: new URLSearchParams(uris.map((uri): [string, string] => ['record_uris[]', uri])),
    session,
    headers,
  });
const exists = async (uri: string): Promise<boolean> => (await api.get(uri)).status === 200;

describe('POST /batch_delete', () => {
  it('deletes records of several kinds and answers for each, in the order given', async () => {
    const uris = [
      await records.make('accession'),
      await records.make('subject'),
      await records.make('resource'),
      await records.make('agent_person'),
    ];
    expect((await remove(uris)).json).toEqual({
      status: 'OK',
      results: uris.map((uri) => ({ status: 'Deleted', id: idOf(uri), uri })),
    });
    expect(await Promise.all(uris.map(exists))).toEqual([false, false, false, false]);
  });

  it('deletes hundreds of nodes of several trees, also a node with what is below it', async () => {
    const roots = [await records.make('resource'), await records.make('resource')];
    const uris: string[] = [];
    for (const root of roots) {
      const parent = await records.make('archival_object', { resource: { ref: root } });
      const children = await api.post(`${parent}/children`, {
        children: Array.from({ length: 100 }, (_, n) => ({
          jsonmodel_type: 'archival_object',
          title: `n${n}`,
          level: 'file',
          resource: { ref: root },
        })),
      });
      expect(children.status).toBe(200);
      uris.push(parent, ...(await api.get(`${parent}/children`)).json.map((child: { uri: string }) => child.uri));
    }
    const query = uris.map((uri) => `record_uris%5B%5D=${encodeURIComponent(uri)}`).join('&');
    const reply = await api.ask(`/batch_delete?${query}`, { method: 'POST' });
    expect([reply.status, reply.json.results?.length]).toEqual([200, 202]);
    expect(await checkTrees(api.database.reader, [{ code: 1, node: 'archival_object', root: 'resource' }])).toEqual([]);
  });

  it('deletes nothing where one is missing, and says which', async () => {
    const stays = await records.make('accession');
    const missing = `/repositories/${records.repoId}/archival_objects/99999999`;
    const reply = await remove([stays, missing, '/nonsense/1']);
    expect(reply.status).toBe(403);
    expect(reply.json).toEqual({
      error: { failures: [{ response: ['{"error":"Not found"}\n'], uri: '/nonsense/1' }] },
    });
    expect((await remove([stays, missing])).json).toEqual({
      error: { failures: [{ response: ['{"error":"ArchivalObject not found"}\n'], uri: missing }] },
    });
    expect(await exists(stays)).toBe(true);
  });

  it('asks for the permission of each record', async () => {
    const [accession, event] = [await records.make('accession'), await records.make('event')];
    const session = await api.userWith(['view_repository', 'delete_event_record'], records.repoId);
    const reply = await remove([event, accession], session);
    expect([reply.status, reply.json]).toEqual([
      403,
      { error: { failures: [{ response: ['{"error":"Access denied"}\n'], uri: accession }] } },
    ]);
    expect((await remove([accession, event], null)).json.error.failures).toHaveLength(2);
    expect(await exists(event)).toBe(true);
    expect((await remove([event], session)).status).toBe(200);
  });

  it('asks of a preference whose it is, as its own DELETE does, and tells of it', async () => {
    const preferences = `/repositories/${records.repoId}/preferences`;
    const session = await api.userWith(['view_repository', 'delete_archival_record'], records.repoId);
    const other = await api.userWith(['view_repository'], records.repoId);
    const made = async (whose: string, defaults: object): Promise<string> => {
      const { uri } = (await api.get('/users/current-user', whose)).json;
      return api.create(preferences, { user_id: idOf(uri), defaults }, whose);
    };
    const [own, others] = [await made(session, { locale: 'de' }), await made(other, {})];
    const ofAll = await api.create(preferences, { defaults: {} });
    expect((await remove([own, others, ofAll, `${preferences}/99999999`], session)).json.error.failures).toEqual([
      { response: ['{"error":"Access denied"}\n'], uri: others },
      { response: ['{"error":"Access denied"}\n'], uri: ofAll },
      { response: ['{"error":"Preference not found"}\n'], uri: `${preferences}/99999999` },
    ]);
    expect(await Promise.all([own, others, ofAll].map(exists))).toEqual([true, true, true]);
    // Nobody copies into the feed here: what clients are told stands in the log of changes.
    const told = async (): Promise<number> =>
      (
        await api.database.reader.one(
          sql.type(CountRow)`SELECT count(*) AS count FROM change WHERE op = 'REFRESH_PREFERENCES'`,
        )
      ).count;
    const before = await told();
    expect((await remove([own], session)).status).toBe(200);
    expect(await told()).toBe(before + 1);
  });

  it('refuses a location that is in use, with its reason', async () => {
    const location = await records.make('location');
    await records.make('top_container', {
      container_locations: [{ status: 'current', start_date: '2020-01-01', ref: location }],
    });
    const accession = await records.make('accession');
    expect((await remove([accession, location])).json).toEqual({
      error: { failures: [{ response: ['{"error":"Location cannot be deleted if linked"}\n'], uri: location }] },
    });
    expect(await exists(accession)).toBe(true);
  });

  it('deletes groups and repositories with what belongs to them', async () => {
    const repoId = await api.repository();
    const group = await records.make('group');
    const reply = await remove([`/repositories/${repoId}`, group]);
    expect(reply.json).toMatchObject({ status: 'OK' });
    expect([await exists(`/repositories/${repoId}`), await exists(group)]).toEqual([false, false]);
  });

  it('deletes a repository beside a group and preferences of its own, in whatever order they are named', async () => {
    const repository = `/repositories/${await api.repository()}`;
    const [group] = (await api.get(`${repository}/groups`)).json;
    const preferences = await api.create(`${repository}/preferences`, { defaults: { publish: true } });
    const uris = [repository, group.uri, preferences];
    expect((await remove(uris)).json).toEqual({
      status: 'OK',
      results: uris.map((uri) => ({ status: 'Deleted', id: idOf(uri), uri })),
    });
    expect(await exists(repository)).toBe(false);
  });

  it('needs record_uris', async () => {
    expect((await api.ask('/batch_delete', { method: 'POST' })).json).toEqual({
      error: { record_uris: ['Parameter required but no value provided'] },
    });
  });
});

describe('POST /batch_delete of much', () => {
  let made = 0;
  const tree = (count: number): Promise<string> => largeTree(api, records.repoId, { code: `BD${(made += 1)}`, count });
  const jobs = async (): Promise<number> =>
    (
      await api.database.reader.one(
        sql.type(CountRow)`SELECT count(*)::int AS count FROM job WHERE type = 'delete-records'`,
      )
    ).count;

  it('is a job where with all below them they are more than a request deletes, with the same reply', async () => {
    const half = directlyDeleted / 2;
    const [few, much] = [
      [await tree(half), await tree(half - 2)],
      [await tree(half), await tree(half - 1)],
    ];
    const before = await jobs();
    const replies = [await remove(few), await jobs(), await remove(much), await jobs()];
    const done = (uris: readonly string[]) => ({
      status: 200,
      json: { status: 'OK', results: uris.map((uri) => ({ status: 'Deleted', id: idOf(uri), uri })) },
    });
    expect(replies).toMatchObject([done(few), before, done(much), before + 1]);
    expect(await Promise.all([...few, ...much].map(exists))).toEqual([false, false, false, false]);
    expect(await checkTrees(api.database.reader)).toEqual([]);
  });

  it('deletes nothing where one of them may not go, in the words of a request', async () => {
    const location = await records.make('location');
    await records.make('top_container', {
      container_locations: [{ status: 'current', start_date: '2020-01-01', ref: location }],
    });
    const [few, many] = [await tree(1), await tree(directlyDeleted + 1)];
    const [direct, byJob] = [await remove([few, location]), await remove([many, location])];
    expect([byJob.status, byJob.json]).toEqual([direct.status, direct.json]);
    expect(byJob.json.error.failures).toEqual([
      { response: ['{"error":"Location cannot be deleted if linked"}\n'], uri: location },
    ]);
    expect(await Promise.all([few, many, location].map(exists))).toEqual([true, true, true]);
  });

  it('tells the audit log of accounts among them, and is followed by whoever does not wait', async () => {
    const [resource, group] = [await tree(directlyDeleted + 1), await records.make('group')];
    const asked = await remove([resource, group], api.session, { prefer: 'respond-async' });
    expect([asked.status, asked.json.status]).toEqual([202, 'Accepted']);
    await expect
      .poll(async () => (await api.get(asked.json.uri)).json)
      .toMatchObject({ status: 'completed', result: { deleted: 2 } });
    expect(await Promise.all([resource, group].map(exists))).toEqual([false, false]);
    const told = (await api.get(`/system/audit?page=1&event=group_deleted`)).json.results[0];
    expect(told).toMatchObject({ actor: 'admin', subject: group, request_id: asked.headers.get('x-request-id') });
    expect(told.address).toMatch(/127.0.0.1|::1/u);
  });
});

describe('DELETE', () => {
  it('re-dates the containers and the root of what is deleted', async () => {
    const [resource, container] = [await records.make('resource'), await records.make('top_container')];
    const node = await records.make('archival_object', {
      resource: { ref: resource },
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const before = [(await api.get(resource)).json.system_mtime, (await api.get(container)).json.system_mtime];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await api.del(node);
    const after = [(await api.get(resource)).json.system_mtime, (await api.get(container)).json.system_mtime];
    expect(after.every((time, index) => time > before[index])).toBe(true);
  });

  it('is not refused where the database does not say what the caller may, but unavailable', async () => {
    await using hasty = await startTestApi({
      url: api.databaseUrl,
      worker: false,
      database: { statementTimeoutMs: 300 },
    });
    const session = await api.userWith(['manage_users'], 1);
    const body = { form: new URLSearchParams([['record_uris[]', '/users/999']]), session };
    // The session is remembered from here on, and not asked for below.
    expect((await hasty.ask('/batch_delete', body)).json.error).toHaveProperty('failures');
    const reply = await holding(api.database, { table: 'record_user', against: 'all' }, () =>
      hasty.ask('/batch_delete', body),
    );
    expect(reply.status).toBe(503);
  });
});
