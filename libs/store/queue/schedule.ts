// Jobs by the clock: pg-boss keeps the schedules (schema pgboss) and sees to it that of any number of processes one makes the job.
// The job itself is a row of `job` like every other.
import { PgBoss } from 'pg-boss';
import type { Database, Transaction } from '../connection/database.ts';

/** A schedule: when (cron, five fields, UTC), and what makes the job. `name` is the key under which pg-boss keeps it. */
export type Schedule = {
  readonly name: string;
  readonly cron: string;
  readonly enqueue: (tx: Transaction) => Promise<unknown>;
};

/** What runs the schedules of a process. */
export type ScheduleSettings = {
  readonly database: Database;
  readonly directUrl: string;
  readonly schedules: readonly Schedule[];
  readonly onError: (error: unknown) => void;
};

/** Starts the schedules, replacing those of earlier versions; gives the function that stops them. Two connections. */
export async function startSchedules(settings: ScheduleSettings): Promise<() => Promise<void>> {
  const { database, directUrl, schedules, onError } = settings;
  const boss = new PgBoss({
    connectionString: directUrl,
    max: 2,
    application_name: 'muniment schedule',
    schema: 'pgboss',
    monitorVacuum: false,
    reindex: false,
  });
  boss.on('error', onError);
  await boss.start();
  const names = new Set(schedules.map(({ name }) => name));
  const gone = (await boss.getSchedules()).filter(({ name }) => !names.has(name));
  await Promise.all(gone.map(async ({ name }) => boss.unschedule(name)));
  await Promise.all(
    schedules.map(async ({ name, cron, enqueue }) => {
      await boss.createQueue(name, { policy: 'stately', retryLimit: 3, deleteAfterSeconds: 3600 });
      await boss.work(name, { pollingIntervalSeconds: 15 }, async () => {
        await database.transaction(enqueue);
      });
      await boss.schedule(name, cron, null, { tz: 'UTC' });
    }),
  );
  return async () => boss.stop({ graceful: true, timeout: 5000 });
}
