// The child process of the test that kills workers while they send: sequencer and webhooks with short times, until it is ended.
import { runSequencer } from '#store/change-log/sequencer.ts';
import { runWebhooks } from '../../apps/worker/followers/webhooks/run.ts';
import { connect } from './worker.ts';

const { database, listener } = connect(process.env['TEST_DATABASE_URL'] ?? '', 8);
const { signal } = new AbortController();
const onError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
void runSequencer({ database, listener, signal, onError });
void runWebhooks({
  database,
  listener,
  signal,
  onError,
  allowPrivate: true,
  timeoutMs: 500,
  leaseSlackMs: 200,
  pauseMs: () => 50,
});
process.stdout.write('ready\n');
