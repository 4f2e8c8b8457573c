// An API process by itself, for machines that run workers elsewhere. Any number may run on one database.
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import { openForService } from '../open.ts';
import { startApi } from './start.ts';

const config = readConfig(process.env);
const log = pino({ level: config.LOG_LEVEL, base: { process: 'api' } });
const store = await openForService(config, log, 'api');
const api = await startApi({ config, database: store.database, listener: store.listener, log });
log.info({ event: 'api_ready', url: api.url });

let isStopping = false;
const stop = async (signal: string): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  log.info({ event: 'api_stopping', signal });
  await api[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
