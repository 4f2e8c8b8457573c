// A sequencer as a process of its own, for tests that kill it.
import { runSequencer } from '#store/change-log/sequencer.ts';
import { connect } from './worker.ts';

const { database, listener } = connect(process.env['TEST_DATABASE_URL'] ?? '', 2);
await runSequencer({ database, listener, signal: new AbortController().signal, onError: () => undefined });
