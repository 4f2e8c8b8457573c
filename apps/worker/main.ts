// A worker process: jobs, the sequencer of the change log, indexing. Any number may run on one database.
import { openForService } from '../open.ts';
import { runProgram } from '../program.ts';
import { startWork } from './start.ts';

// As a child of `npm start` it is told by message, and ends when its parent is gone, whatever ended that: Ctrl-C reaches every
// process of the terminal, and the parent says when.
const isChild = process.send !== undefined;

await runProgram(
  'worker',
  async ({ config, log, opened, stop }) => {
    if (isChild) {
      process.on('message', (message) => {
        if (message === 'stop') stop('told by the parent');
      });
      process.on('disconnect', () => stop('the parent is gone'));
      if (!process.connected) stop('the parent is gone');
    }
    const store = opened.use(await openForService(config, log, 'worker'));
    opened.use(
      await startWork({
        config,
        database: store.database,
        listener: store.listener,
        directUrl: store.directUrl,
        log: (event, fields) =>
          event.endsWith('_failed') ? log.warn({ event, ...fields }) : log.info({ event, ...fields }),
      }),
    );
    log.info({ event: 'worker_ready' });
  },
  isChild ? 'ignore' : 'stop',
);
