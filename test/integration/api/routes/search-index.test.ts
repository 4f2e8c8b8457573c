// The index as operators see it over HTTP: how far it is behind, and made anew.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { AnyRow } from '#test/support/rows.ts';
import { toQuery } from '#test/support/search-query.ts';
import { searchedService } from '#test/support/searched-service.ts';

const { api, viewer } = await searchedService();

describe('the index', () => {
  it('tells how far it is behind, to operators alone', async () => {
    expect((await api.get('/system/index-status')).json).toEqual({
      waiting_seconds: 0,
      changes: 0,
      due: 0,
      due_bulk: 0,
      fans: 0,
      records: 0,
      seconds_left: 0,
      job: null,
    });
    expect((await api.get('/system/index-status', viewer)).status).toBe(403);
  });

  it('is made anew by a job', async () => {
    await api.database.transaction((tx) => tx.run(sql`DELETE FROM search_doc WHERE kind = 'resource'`));
    expect((await api.get(`/search?${toQuery({ q: 'title:wallaby', type: ['resource'] })}`)).json.total_hits).toBe(0);
    const { status, json } = await api.ask('/system/reindex?kind[]=resource', { method: 'POST' });
    expect(status).toBe(202);
    await expect
      .poll(
        async () =>
          (
            await api.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
            SELECT status FROM job WHERE id = ${json.id}`)
          ).status,
        { interval: 50 },
      )
      .toBe('completed');
    expect((await api.get(`/search?${toQuery({ q: 'title:wallaby', type: ['resource'] })}`)).json.total_hits).toBe(3);
    expect((await api.ask('/system/reindex?kind[]=nonsense', { method: 'POST' })).status).toBe(400);
  });

  it('is made anew where something has changed, or all of it where that is asked', async () => {
    const writers = async (): Promise<unknown> =>
      api.database.reader.any(sql.type(AnyRow)`
        SELECT id, xmin::text FROM search_doc WHERE kind = 'resource' ORDER BY id, audience`);
    const reindexed = async (how: string): Promise<unknown> => {
      const { json } = await api.ask(`/system/reindex?kind[]=resource${how}`, { method: 'POST' });
      await expect.poll(async () => (await api.get(json.uri)).json.status).toBe('completed');
      return writers();
    };
    const before = await reindexed('');
    expect(await reindexed('&rewrite=false')).toEqual(before);
    expect(await reindexed('&rewrite=true')).not.toEqual(before);
  });

  it('may be made anew by administrators alone', async () => {
    expect((await api.ask('/system/reindex', { method: 'POST', session: viewer })).status).toBe(403);
  });
});
