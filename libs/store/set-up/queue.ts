// pg-boss's schema and the queue of activations, which must be there before the first job is made.
import { PgBoss } from 'pg-boss';
import { queueName, queueSettings } from '../queue/activations.ts';

/** Brings pg-boss's schema to the state of its version and makes the queue, where that is still to be done. Takes the direct URL; any number of processes may do so at once. */
export async function prepareQueue(directUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: directUrl,
    max: 1,
    application_name: 'muniment set-up',
    schema: 'pgboss',
    supervise: false,
    schedule: false,
    registerInstance: false,
  });
  // What fails in a call is thrown there.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    await boss.createQueue(queueName, { policy: 'singleton', ...queueSettings });
    await boss.updateQueue(queueName, queueSettings);
  } finally {
    await boss.stop({ graceful: false });
  }
}
