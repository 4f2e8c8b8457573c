// A worker process: jobs, the sequencer of the change log, indexing. Any number may run on one database.
import { openMetricsPort } from '../metrics-server.ts';
import { openForService } from '../open.ts';
import { addGauge, makeProcessMetrics } from '../process-metrics.ts';
import { runProgram } from '../program.ts';
import { giveWay } from './running/priority.ts';
import { countWork } from './running/worker-metrics.ts';
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
    try {
      giveWay(config.MUNIMENT_WORKER_NICE);
    } catch (error) {
      log.warn({ event: 'priority_not_lowered', err: error });
    }
    const store = opened.use(await openForService(config, log, 'worker'));
    const metrics = makeProcessMetrics(store.database, (error) => log.warn({ event: 'backlog_not_read', err: error }));
    opened.defer(() => metrics.close());
    const work = opened.use(
      await startWork({
        config,
        database: store.database,
        listener: store.listener,
        directUrl: store.directUrl,
        log: countWork(metrics.registry, (event, fields) =>
          event.endsWith('_failed') ? log.warn({ event, ...fields }) : log.info({ event, ...fields }),
        ),
      }),
    );
    addGauge(metrics.registry, 'muniment_worker_jobs', 'Jobs that run in this process.', () => work.running);
    const port = await openMetricsPort(config.MUNIMENT_METRICS_HOST, config.MUNIMENT_METRICS_PORT, {
      metrics: () => metrics.text(),
      isReady: () => store.database.isReachable(),
    });
    if (port !== null) opened.use(port);
    log.info({ event: 'worker_ready' });
  },
  isChild ? 'ignore' : 'stop',
);
