// An API process by itself, for machines that run workers elsewhere. Any number may run on one database.
import { openForService } from '../open.ts';
import { runProgram } from '../program.ts';
import { startApi } from './start.ts';

await runProgram('api', async ({ config, log, recentLog, opened }) => {
  const store = opened.use(await openForService(config, log, 'api'));
  const api = opened.use(
    await startApi({
      config,
      database: store.database,
      listener: store.listener,
      directUrl: store.directUrl,
      log,
      recentLog,
    }),
  );
  log.info({ event: 'api_ready', url: api.url });
});
