// Indexing anew that is canceled while the indexer is at it: its job ends like others (jobs-canceled.test.ts), what was due goes from the lane, and the
// indexer goes no further.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { finished, isCanceled, jobPlace } from '#test/support/canceled-jobs.ts';
import { holding } from '#test/support/held-table.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { AnyRow } from '#test/support/rows.ts';

const api = await startTestApi();
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

describe('indexing anew that is canceled', () => {
  const fans = async (): Promise<number> =>
    (
      await api.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM reindex_fan WHERE way = 'kind'`)
    ).n;
  const indexed = async (): Promise<number> =>
    (
      await api.database.reader.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM search_doc WHERE kind = 'location'`)
    ).n;
  // More than three loops can make due that fill the lane one after another.
  const count = 20_000;
  beforeAll(async () => {
    // The indexer is to stand still at this, and not at what the service itself has made.
    await untilIndexed(api.database);
    await api.database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO record (kind, id, label, body) SELECT 'location', 1000 + n, 'Shelf ' || n, json_build_object('jsonmodel_type', 'location', 'building', 'Depot') FROM generate_series(1, ${count}::int) AS n`,
      ),
    );
  });
  afterEach(() =>
    expect
      .poll(async () =>
        api.database.reader.one(sql.type(AnyRow)`
          SELECT (SELECT count(*)::int FROM reindex_fan) AS fans, (SELECT count(*)::int FROM reindex_due) AS due`),
      )
      .toEqual({ fans: 0, due: 0 }),
  );

  /** Cancels while the indexer stands still; `during` runs with a fan left, and its end is waited for before the indexer goes on. */
  const canceled = (during: (cancel: () => Promise<void>) => Promise<void>): Promise<void> =>
    holding(api.database, { table: 'search_doc', against: 'all' }, async (isMet) => {
      const { uri } = (await api.post('/system/reindex?kind[]=location')).json;
      // All of its loops: one that still fills the lane holds the fan, which then stays until it comes to it again. The first indexes the job.
      await isMet(4);
      await expect.poll(async () => (await api.get(uri)).json.progress?.label).toBe('Indexing');
      await expect.poll(fans).toBe(1);
      await during(async () => {
        ok(await api.post(`${uri}/cancel`));
        await expect.poll(async () => (await api.get(uri)).json.time_finished).toMatch(finished);
      });
    });

  it('ends like any job', async () => {
    const place = jobPlace(api, await api.repository());
    await isCanceled(place, {
      name: 'reindex',
      hold: { table: 'search_doc', against: 'all' },
      prepare: async ({ tree, later }) => {
        await tree();
        return later('/system/reindex?kind[]=resource');
      },
    });
  });

  it('leaves the lane with what it had not come to', async () => {
    await canceled(async (cancel) => {
      await cancel();
      await expect.poll(fans).toBe(0);
    });
  });

  it('ends at once while the indexer is at it, and goes no further', async () => {
    await canceled((cancel) =>
      api.database.withClient(async (client) => {
        await client.query('BEGIN READ WRITE');
        await client.query('SELECT FROM reindex_fan FOR UPDATE');
        await cancel();
        await client.query('ROLLBACK');
        expect(await fans()).toBe(1);
      }),
    );
    await expect.poll(fans).toBe(0);
    expect(await indexed()).toBeLessThan(count);
  });
});
