// `npm start`: everything on one machine. Embedded PostgreSQL (unless DATABASE_URL is set), migrations, reference data, the API in
// this process, and a worker process beside it that is started again where it dies.
import { startApi } from './api/start.ts';
import { openForService } from './open.ts';
import { runProgram } from './program.ts';
import { checkPortOfWorker } from './start-failure.ts';
import { WorkerKeeper } from './worker-keeper.ts';

await runProgram('api', async ({ config, log, recentLog, opened }) => {
  checkPortOfWorker(config);
  const store = opened.use(await openForService(config, log, 'api'));
  const { url, directUrl } = store;
  // In the stack before the API, so that at the end requests that wait for jobs are served before the worker goes.
  const worker = opened.use(
    new WorkerKeeper(
      {
        ...process.env,
        // In place of the files that these may have come from: a setting that is given twice is refused.
        DATABASE_URL_FILE: undefined,
        DATABASE_DIRECT_URL_FILE: undefined,
        DATABASE_URL: url,
        ...(directUrl === url ? {} : { DATABASE_DIRECT_URL: directUrl }),
        // This process has the port itself.
        ...(config.MUNIMENT_METRICS_PORT === 0 ? {} : { MUNIMENT_METRICS_PORT: `${config.MUNIMENT_METRICS_PORT + 1}` }),
      },
      log,
    ),
  );
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
  worker.start();
  const base = api.url.replace('[::1]', 'localhost');
  process.stdout.write(
    `\nMuniment is ready.\n  Address        ${base}\n  Documentation  ${base}/docs\n  Administrator  user admin, password ${store.passwordPlace}\n  Stop           Ctrl-C, or SIGTERM to process ${process.pid}\n\n`,
  );
});
