// Statements that are sent at once and answered one after the other. Between two that are sent by themselves the database waits for a turn of this process: 20 to 60 ms on a machine
// at work, with all locks held (decision 0037).
import type pg from 'pg';
import { isAftermath } from './pg-errors.ts';

/** What several works gave, each by itself. */
type Results<T> = { -readonly [P in keyof T]: Awaited<T[P]> };

/** sendTogether on one connection. */
export type Together = <T extends readonly unknown[] | []>(works: () => T) => Promise<Results<T>>;

/**
 * Calls `works`, which begins several, and sends the first statement of each at once, in their order; gives what they gave when all have ended. Each statement sees what those before it did, and what others
 * committed while these waited. A work that sends more does so when the statement before is answered, behind the first ones of all others; works of its own may be among them. Fails as the first of them does that fails by itself: not for
 * another that had failed when its own next statement was sent. Those behind it may have run, so that it is for what is rolled back then. No COPY and no cursor.
 */
export async function sendTogether<T extends readonly unknown[] | []>(
  client: pg.PoolClient,
  works: () => T,
): Promise<Results<T>> {
  if (client.pipeline) return settle(beginAll(client, works));
  // A setting of node-postgres for whole connections, which it looks at with each statement. As one that streams would then be refused, it is on for these alone.
  Object.assign(client, { pipeline: true });
  try {
    return await settle(beginAll(client, works));
  } finally {
    Object.assign(client, { pipeline: false });
  }
}

// In one packet: the database would answer the first, and take the processor for it, before the second is sent.
function beginAll<T>(client: pg.PoolClient, works: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return works();
  } finally {
    stream.uncork();
  }
}

async function settle<T extends readonly unknown[] | []>(begun: T): Promise<Results<T>> {
  const ended: readonly PromiseSettledResult<unknown>[] = await Promise.allSettled(begun);
  const failed = ended.filter((each) => each.status === 'rejected');
  // What the one behind waited for is what to try again for, or to tell; all sent later say alone that something had failed.
  const cause = failed.find(({ reason }) => !isAftermath(reason)) ?? failed[0];
  if (cause !== undefined) throw cause.reason;
  return Promise.all(begun);
}
