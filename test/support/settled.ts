// What a worker does first with a new database, done once for the template: the reference data goes through the change log into the index and to
// harvesters. Else every clone's worker did it anew, which was a third of what starting a service costs.
import { readConfig } from '#domain/config.ts';
import { readFollowerLags } from '#store/change-log/followers.ts';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { readOaiLag } from '#store/oai/lag.ts';
import { startWork } from '../../apps/worker/start.ts';
import { untilIndexed } from './indexer.ts';
import { patience } from './patience.ts';

async function isFollowed(database: Database): Promise<boolean> {
  const [lags, { due }] = await Promise.all([readFollowerLags(database), readOaiLag(database.reader)]);
  return due === 0 && lags.every(({ entries }) => entries === 0);
}

/** Waits until a worker of the database has nothing left to do of what is committed so far: index, harvesters and webhooks have read all of it. */
export async function untilFollowed(database: Database): Promise<void> {
  await untilIndexed(database);
  const pause = patience();
  while (!(await isFollowed(database))) await pause();
}

/** Has a worker at work on the database until none of its followers has anything left to do. Leaves no connection open. */
export async function settle(url: string): Promise<void> {
  await using database = new Database({ url, poolSize: 8 });
  await using listener = new Listener({ url });
  const config = readConfig({ PORT: '0', MUNIMENT_WORKER_THREADS: '1' });
  const log = (): undefined => undefined;
  await using _work = await startWork({ config, database, listener, directUrl: url, log, schedules: false });
  await untilFollowed(database);
}
