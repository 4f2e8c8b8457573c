// The child process of the test that kills indexers: sequencer and indexer until it is ended.
import { Database } from '#store/connection/database.ts';
import { startIndexer } from './indexer.ts';

const database = new Database({ url: process.env['TEST_DATABASE_URL'] ?? '', poolSize: 8 });
await startIndexer(database, { batchSize: 100 });
process.stdout.write('ready\n');
