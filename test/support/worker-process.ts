// The child process behind spawnWorker: a worker with the test jobs, until it is told to end or killed.
import { connect, startTestWorker } from './worker.ts';

const connected = connect(process.env['TEST_DATABASE_URL'] ?? '');
const worker = await startTestWorker(connected, { concurrency: Number(process.env['TEST_CONCURRENCY'] ?? '4') });
process.on('SIGTERM', () => {
  void worker.stop().then(async () => {
    await connected[Symbol.asyncDispose]();
    process.exit(0);
  });
});
process.stdout.write('ready\n');
