// The child process behind spawnImportWorker: a worker with the import jobs, those that publish and suppress in steps, and real threads, until it is told to end or killed.
import { readCaller } from '#store/access/grants.ts';
import { handler as batchImport } from '../../apps/worker/jobs/batch-import.ts';
import { handler as importFormat } from '../../apps/worker/jobs/import-format.ts';
import { handler as loadRecords } from '../../apps/worker/jobs/load-records.ts';
import { handler as migrateFrom } from '../../apps/worker/jobs/migrate-from.ts';
import { handler as publishRecords } from '../../apps/worker/jobs/publish-records.ts';
import { handler as suppressRecords } from '../../apps/worker/jobs/suppress-records.ts';
import { startWorker } from '../../apps/worker/running/worker.ts';
import { startThreads } from '../../apps/worker/threads/pool.ts';
import { connect } from './worker.ts';
import { jobOptionsOf } from '../../apps/worker/start.ts';
import { readConfig } from '#domain/config.ts';

const connected = connect(process.env['TEST_DATABASE_URL'] ?? '');
const threads = await startThreads(Number(process.env['TEST_THREADS'] ?? '2'));
const worker = await startWorker({
  database: connected.database,
  listener: connected.listener,
  directUrl: connected.url,
  handlers: [batchImport, importFormat, loadRecords, migrateFrom, publishRecords, suppressRecords],
  options: jobOptionsOf(readConfig(process.env)),
  threads,
  concurrency: 2,
  readCaller,
  log: (event, fields) => {
    if (event === 'job_ended' && !('why' in fields && fields.why === 'canceled')) console.error(event, fields);
  },
});
process.on('SIGTERM', () => {
  void worker.stop().then(async () => {
    await connected[Symbol.asyncDispose]();
    await threads.close();
    process.stdout.write(`rss ${process.resourceUsage().maxRSS * 1024}\n`, () => process.exit(0));
  });
});
process.stdout.write('ready\n');
