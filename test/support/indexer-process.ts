// The child process of the test that kills indexers: sequencer and indexer until it is ended.
import { Database } from '#store/connection/database.ts';
import { startThreads } from '../../apps/worker/threads/pool.ts';
import { startIndexer } from './indexer.ts';

const database = new Database({ url: process.env['TEST_DATABASE_URL'] ?? '', poolSize: 8 });
// One thread: a second takes as long to start as what is indexed before the kill.
await startIndexer(database, { batchSize: 100, threads: await startThreads(1) });
process.stdout.write('ready\n');
