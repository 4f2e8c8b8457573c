// Deleting many records at once: with each one's own permission, all or none.
// Contract: behaviour-records.md, section 5.7.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTrees } from '#store/trees/invariants.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

const remove = (uris: readonly string[], session?: string | null): Promise<Reply> =>
  api.ask('/batch_delete', {
    form: new URLSearchParams(uris.map((uri): [string, string] => ['record_uris[]', uri])),
    ...(session === undefined ? {} : { session }),
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

  it('needs record_uris', async () => {
    expect((await api.ask('/batch_delete', { method: 'POST' })).json).toEqual({
      error: { record_uris: ['Parameter required but no value provided'] },
    });
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
});
