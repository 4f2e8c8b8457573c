import pg from 'pg';
import { onOwnServer } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { startProcess } from './processes/spawn.ts';
import { importReadData } from './read-data.ts';
await onOwnServer(async ({ url, folder }) => {
  const settings = { MUNIMENT_POOL_SIZE: '10', DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
  await using a = await startProcess('apps/api/main.ts', settings);
  const client = await connectClient(a.url);
  { await using _w = await startProcess('apps/worker/main.ts', settings); await importReadData(client, 5000, 100); }
  const db = new pg.Client({ connectionString: url }); await db.connect();
  await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'); await db.query('VACUUM ANALYZE');
  const { rows: [r] } = await db.query("SELECT repo_id FROM record WHERE kind='archival_object' LIMIT 1");
  const path = `/repositories/${r.repo_id}/archival_objects?page=7&page_size=100`;
  for (let i = 0; i < 10; i++) await client.get(path);
  await db.query('SELECT pg_stat_statements_reset()');
  const c0 = a.cpuSeconds(); const t0 = performance.now();
  for (let i = 0; i < 60; i++) await client.get(path.replace('page=7', `page=${1 + (i % 40)}`));
  console.log('wall ms', (performance.now() - t0) / 60, 'node cpu ms', (a.cpuSeconds() - c0) * 1000 / 60);
  console.table((await db.query("SELECT left(query, 60) q, calls, mean_exec_time FROM pg_stat_statements WHERE dbid=(SELECT oid FROM pg_database WHERE datname=current_database()) ORDER BY total_exec_time DESC LIMIT 6")).rows);
  const { rows: [s] } = await db.query("SELECT query FROM pg_stat_statements WHERE query LIKE 'SELECT r.kind, r.id%' ORDER BY total_exec_time DESC LIMIT 1");
  const ids = (await db.query("SELECT array_agg(id) a FROM (SELECT id FROM record WHERE kind='archival_object' ORDER BY id OFFSET 600 LIMIT 100) x")).rows[0].a;
  console.log(s.query);
  await db.query('PREPARE q AS ' + s.query);
  const ex = await db.query(`EXPLAIN (ANALYZE, TIMING ON) EXECUTE q('{${ids.join(',')}}')`);
  console.log(ex.rows.map((x: any) => x['QUERY PLAN']).join('\n'));
  await db.end();
});
