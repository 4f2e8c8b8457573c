// What a worker does first with a new database, done once for the template: the reference data goes through the change log into the index and to
// harvesters. Else every clone's worker did it anew, which was a third of what starting a service costs.
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#domain/config.ts';
import { Database } from '#store/connection/database.ts';
import { CountRow } from '#store/connection/columns.ts';
import { Listener } from '#store/connection/listener.ts';
import { sql } from '#store/connection/sql.ts';
import { startWork } from '../../apps/worker/start.ts';
import { untilIndexed } from './indexer.ts';

/** Has a worker at work on the database until none of its followers has anything left to do. Leaves no connection open. */
export async function settle(url: string): Promise<void> {
  await using database = new Database({ url, poolSize: 8 });
  await using listener = new Listener({ url });
  const config = readConfig({ PORT: '0', MUNIMENT_WORKER_THREADS: '1' });
  const log = (): undefined => undefined;
  await using _work = await startWork({ config, database, listener, directUrl: url, log, schedules: false });
  await untilIndexed(database);
  for (;;) {
    const { count } = await database.reader.one(sql.type(CountRow)`
      SELECT 3 - count(*)::int + (SELECT count(*)::int FROM (SELECT FROM oai_due UNION ALL SELECT FROM oai_fan) AS waiting) AS count
      FROM follower f, sequencer s WHERE f.name IN ('search', 'webhooks', 'oai') AND f.n = s.n`);
    if (count === 0) return;
    await sleep(20);
  }
}
