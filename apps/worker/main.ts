// A worker process: jobs, the sequencer of the change log, indexing. Any number may run on one database.
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import { openForService } from '../open.ts';
import { startWork } from './start.ts';

const config = readConfig(process.env);
const log = pino({ level: config.LOG_LEVEL, base: { process: 'worker' } });
const store = await openForService(config, log, 'worker');
const work = await startWork({ config, database: store.database, listener: store.listener, directUrl: store.directUrl, log: (event, fields) => log.info({ event, ...fields }) });
log.info({ event: 'worker_ready' });

let isStopping = false;
const stop = async (why: string): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  log.info({ event: 'worker_stopping', why });
  await work[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  process.exit(0);
};
// As a child of `npm start` it is told by message, and ends when its parent is gone, whatever ended that.
if (process.send !== undefined) {
  process.on('message', (message) => { if (message === 'stop') void stop('told by the parent'); });
  process.on('disconnect', () => void stop('the parent is gone'));
  // Ctrl-C reaches every process of the terminal; the parent says when.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
} else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
}
