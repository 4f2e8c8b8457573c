// Activations: the right to run one job of a mailbox, not a certain one. pg-boss keeps them in one queue of the policy `singleton`, where no
// two of a key (the mailbox) are active at a time; each job that is made sends one, and who gets one runs the oldest job of that mailbox
// (docs/decisions/0007). Only pg-boss's public interface is used here; everything runs on the caller's connection.
import { AsyncLocalStorage } from 'node:async_hooks';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import type { Reader } from '../connection/database.ts';
import { statementName } from '../connection/sql.ts';

/** An activation that somebody holds. `attempt` fences it: once it was taken away and given to another, who held it settles nothing. */
export type Activation = { readonly id: string; readonly attempt: number };

/** pg-boss's name of the queue. */
export const queueName = 'mailboxes';

/** The settings of that queue (set-up/queue.ts). */
export const queueSettings = {
  // An activation is given back whenever its mailbox must wait, and never given up.
  retryLimit: 2 ** 31 - 1,
  retryDelay: 0,
  // pg-boss's largest. One that expires while its job runs does no harm: whoever gets it then finds the job running, and leaves it.
  expireInSeconds: 24 * 3600,
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
} as const;

type Connection = Pick<Reader, 'named'>;

// What rows of its statements are is pg-boss's affair.
const bossRow = z.looseObject({});

const current = new AsyncLocalStorage<Connection>();

// It has no connections and is not started, so nothing goes on in it between calls. What it remembers, how the queue is kept, is the
// same in every database.
const boss = new PgBoss({
  db: {
    executeSql: async (text, values = []) => {
      const connection = current.getStore();
      if (connection === undefined) throw new Error('activations are settled on the connection of their caller');
      // pg-boss's statements are long and few: planned once for each connection.
      return { rows: [...(await connection.named({ name: statementName(text), text, parser: bossRow }, values))] };
    },
  },
  supervise: false,
  schedule: false,
  migrate: false,
  registerInstance: false,
  openTelemetry: { enabled: false },
});

/** Sends an activation, at the commit of this transaction. `at`: not before this moment (ISO 8601). */
export async function sendActivation(tx: Connection, mailbox: string, at?: string): Promise<void> {
  await current.run(tx, async () =>
    boss.send(queueName, null, {
      singletonKey: mailbox,
      group: { id: mailbox },
      ...(at === undefined ? {} : { startAfter: at }),
    }),
  );
}

/** Sends several, as sendActivation does. */
export async function sendActivations(
  tx: Connection,
  activations: readonly { readonly mailbox: string; readonly at?: string | null }[],
): Promise<void> {
  if (activations.length === 0) return;
  await current.run(tx, async () =>
    boss.insert(
      queueName,
      activations.map(({ mailbox, at = null }) => ({
        singletonKey: mailbox,
        group: { id: mailbox },
        ...(at === null ? {} : { startAfter: at }),
      })),
    ),
  );
}

/**
 * Takes the oldest activation that is due, of a mailbox where none is active and which is not among `passedOver`; null where there is
 * none, 'lost' where somebody else was about to take one of the same mailbox. Then the transaction can only be rolled back.
 */
export async function fetchActivation(
  connection: Connection,
  passedOver: readonly string[],
): Promise<(Activation & { readonly mailbox: string }) | 'lost' | null> {
  try {
    const [found] = await current.run(connection, async () =>
      boss.fetch(queueName, { ignoreGroups: passedOver.length === 0 ? null : [...passedOver] }),
    );
    return found === undefined ? null : { id: found.id, attempt: found.retryCount, mailbox: found.groupId ?? '' };
  } catch (error) {
    // pg-boss's unique index of active ones let the other through.
    if (error instanceof Failure && error.code === 'conflict') return 'lost';
    throw error;
  }
}

const toPgBoss = ({ id, attempt }: Activation): { id: string; retryCount: number } => ({ id, retryCount: attempt });

/** Uses activations up, at the commit of this transaction. Those that their holders no longer hold stay as they are. */
export async function completeActivations(tx: Connection, activations: readonly Activation[]): Promise<void> {
  if (activations.length === 0) return;
  await current.run(tx, async () => boss.complete(queueName, activations.map(toPgBoss), null));
}

/** Gives activations back in their old place, for the next who asks. Those that their holders no longer hold stay as they are. */
export async function giveBackActivations(tx: Connection, activations: readonly Activation[]): Promise<void> {
  if (activations.length === 0) return;
  await current.run(tx, async () => boss.fail(queueName, activations.map(toPgBoss), null));
}

/** What pg-boss counted in one of its queues at its last look, a minute ago at most where a worker runs. */
export type QueueCount = {
  readonly queue: string;
  readonly ready: number;
  readonly deferred: number;
  readonly active: number;
  readonly failed: number;
};

/** All of pg-boss's queues: that of the mailboxes, and one for each schedule. */
export async function readQueueCounts(reader: Connection): Promise<readonly QueueCount[]> {
  const queues = await current.run(reader, async () => boss.getQueues());
  return queues.map(({ name, readyCount, deferredCount, activeCount, failedCount }) => ({
    queue: name,
    ready: readyCount,
    deferred: deferredCount,
    active: activeCount,
    failed: failedCount,
  }));
}
