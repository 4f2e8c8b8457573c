// What the service tells about itself, and the schemas it publishes (contract 6.17).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { readConfig } from '#domain/config.ts';
import { startSchedules } from '#store/queue/schedule.ts';
import { schedulesOf } from '../../../../apps/worker/start.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    worker: false,
    environment: { MUNIMENT_ADMIN_PASSWORD: 'admin', TYPESENSE_API_KEY: 'a-secret-key' },
  });
});
afterAll(async () => api[Symbol.asyncDispose]());

describe('system', () => {
  it('tells administrators facts, events, log and configuration, without secrets', async () => {
    expect((await api.get('/system/info')).json).toMatchObject({
      database: { server: expect.stringMatching(/^PostgreSQL \d+/) },
      jobs: { queued: 0 },
      records: { user: expect.any(Number) },
    });
    const events = (await api.get('/system/events')).json;
    expect(events.at(-1)).toEqual({
      id: 1,
      title: expect.stringMatching(/^MIGRATION 0001/),
      time: expect.stringMatching(/Z$/),
    });
    expect((await api.get('/system/log')).status).toBe(200);
    const config = await api.post('/system/config');
    expect(config.json).toMatchObject({
      MUNIMENT_RELEASE: 'R-B',
      MUNIMENT_SLUGS: 'off',
      MUNIMENT_GLOBAL_PERMISSIONS_KEY: '_service',
    });
    expect(config.text).not.toContain('a-secret-key');
    expect(Object.keys(config.json)).not.toContain('MUNIMENT_ADMIN_PASSWORD');
  });

  it('tells what runs by the clock, and the newest job of it', async () => {
    expect((await api.get('/system/schedules')).json).toEqual([]);
    const {
      settings: { url },
    } = api.database;
    const stop = await startSchedules({
      database: api.database,
      directUrl: url,
      onError: (error) => expect.fail(String(error)),
      schedules: schedulesOf(readConfig({ MUNIMENT_REINDEX_CRON: '0 2 * * *' })),
    });
    try {
      const { id } = (await api.ask('/system/reindex', { method: 'POST' })).json;
      const [expiry, nightly] = (await api.get('/system/schedules')).json;
      expect(expiry).toMatchObject({ name: 'expire', cron: '*/10 * * * *', timezone: 'UTC' });
      expect(nightly).toEqual({
        name: 'reindex',
        cron: '0 2 * * *',
        timezone: 'UTC',
        last_job: { id, status: 'queued', time_submitted: expect.stringMatching(/Z$/) },
      });
    } finally {
      await stop();
    }
  });

  it('makes no backups over HTTP', async () => {
    const reply = await api.ask('/system/demo_db_snapshot', { method: 'POST', session: null });
    expect([reply.status, reply.json.error]).toEqual([400, expect.stringContaining('npm run backup')]);
  });
});

describe('schemas', () => {
  it('publishes every record type by name', async () => {
    const all = (await api.get('/schemas', null)).json;
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(['accession', 'agent_person', 'date', 'ark_name', 'note_multipart']),
    );
    const { json } = await api.get('/schemas/accession', null);
    expect(json).toEqual(all.accession);
    expect(json).toMatchObject({
      version: 1,
      type: 'object',
      uri: '/repositories/:repo_id/accessions',
      required: expect.arrayContaining(['id_0']),
    });
    expect(json.properties.extents.items).toEqual({ $ref: '/schemas/extent' });
    expect(all.extent.properties.extent_type.dynamic_enum).toBe('extent_extent_type');
  });

  it('does not know other names', async () => {
    const reply = await api.get('/schemas/nothing', null);
    expect([reply.status, reply.json]).toEqual([404, { error: 'NotFoundException' }]);
  });
});

describe('the global repository', () => {
  it('holds no archival records', async () => {
    for (const kind of ['archival_objects', 'top_containers', 'digital_objects']) {
      const bodies: { readonly [kind: string]: object } = {
        archival_objects: { title: 'x', level: 'file', resource: { ref: '/repositories/1/resources/1' } },
        top_containers: { indicator: '1' },
        digital_objects: { title: 'x', digital_object_id: 'x' },
      };
      const reply = await api.post(`/repositories/1/${kind}`, bodies[kind]);
      expect([reply.status, reply.json]).toEqual([
        400,
        { error: 'The global repository cannot contain archival records' },
      ]);
    }
  });
});
