// What runs by the clock, and how it is seen.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { pruneJobs } from '#store/maintenance/expire.ts';
import { sql } from '#store/connection/sql.ts';
import { schedulesOf } from '../../../../apps/worker/start.ts';
import { ok, startTestApi } from '#test/support/api.ts';

it('makes the search index anew by the clock where one line of the configuration says when', () => {
  const names = (environment: { readonly [name: string]: string }): readonly string[] =>
    schedulesOf(readConfig(environment)).map(({ name, cron }) => `${name} ${cron}`);
  expect(names({})).toEqual(['expire */10 * * * *']);
  expect(names({ MUNIMENT_REINDEX_CRON: '0 2 * * *' })).toEqual(['expire */10 * * * *', 'reindex 0 2 * * *']);
  expect(() => names({ MUNIMENT_REINDEX_CRON: 'nightly' })).toThrow('MUNIMENT_REINDEX_CRON: must be five cron fields');
});

it('lists what the clock has made anew among the jobs of no repository, for administrators, for a week after its end', async () => {
  await using api = await startTestApi({ worker: false });
  const [, reindexing] = schedulesOf(readConfig({ MUNIMENT_REINDEX_CRON: '0 2 * * *' }));
  const [expiry] = schedulesOf(readConfig({}));
  await api.database.transaction(async (tx) => {
    await reindexing?.enqueue(tx);
    await expiry?.enqueue(tx);
  });
  const repoId = await api.repository();
  const operator = await api.userWith(['index_system'], 1);
  const asked = (await api.ask('/system/reindex?kind[]=subject', { method: 'POST', session: operator })).json;
  const listed = async (session?: string) => ok(await api.get('/jobs?page=1', session));
  const all = await listed();
  expect(all).toMatchObject({
    this_page: 1,
    total: 2,
    results: [{ job_type: 'reindex', status: 'queued' }, { uri: asked.uri }],
  });
  expect(await listed(operator)).toMatchObject({ total: 1, results: [{ uri: asked.uri }] });
  expect((await api.get('/jobs?all_ids=true')).json).toEqual(
    all.results.map(({ uri }: { uri: string }) => Number(uri.split('/').at(-1))),
  );
  expect((await listed(await api.userWith(['view_repository'], repoId))).total).toBe(0);
  expect((await api.get('/jobs?page=1', null)).status).toBe(403);
  const first = all.results[0].uri;
  expect((await api.get('/system/index-status')).json.job).toEqual({
    id: Number(first.split('/').at(-1)),
    uri: first,
    status: 'queued',
  });
  expect(await fetch(`${api.url}/metrics`).then((reply) => reply.text())).toContain(
    'muniment_jobs{type="reindex",state="queued"} 2',
  );
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE job SET status = 'completed', time_finished = now() - interval '6 days' WHERE type = 'reindex'`),
  );
  await pruneJobs(api.database, 0);
  expect((await listed()).total).toBe(2);
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE job SET time_finished = now() - interval '8 days' WHERE type = 'reindex'`),
  );
  await pruneJobs(api.database, 0);
  // What somebody asked for stays.
  expect((await listed()).results).toMatchObject([{ uri: asked.uri }]);
  expect((await api.get('/system/index-status')).json.job).toBeNull();
});
