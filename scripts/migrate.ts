// `npm run migrate`: brings the database that the configuration names to the state of this version, and ends: tables, pg-boss's schema, reference data
// and the passwords that the configuration has. Every start does the same; this is for those who want it done before, such as a Kubernetes Job.
import { pino } from 'pino';
import { explainStartFailure } from '../apps/start-failure.ts';
import { openForService } from '../apps/open.ts';
import { readServiceConfig } from '../apps/service-config.ts';

let config;
try {
  config = readServiceConfig(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // As the programs of the service: trying again is of no use.
  process.exit(78);
}
try {
  const log = pino({ level: config.LOG_LEVEL, base: { process: 'migrate', pid: process.pid } });
  await using opened = await openForService(config, log, 'migrate');
  process.stdout.write(
    `The database is that of this version; the administrator's password is ${opened.passwordPlace}.\n`,
  );
} catch (error) {
  const says = explainStartFailure(error, config) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`Nothing, or not all, was migrated: ${says}\n`);
  process.exit(1);
}
