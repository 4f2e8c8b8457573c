// Followers read the feed in order, each at its own pace, and remember how far they came in the transaction of their effect:
// exactly once for effects in the database, at least once for others (send `n` as idempotency key). docs/decisions/0005.
import { z } from 'zod';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import type { Listener } from '../connection/listener.ts';
import { createWaker } from '../connection/listener.ts';
import { column, EmptyRow, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A published change; exactly one of `id` and `ids` is set. `n` is dense and only rises. Times are ISO. */
export const FeedEntry = z.strictObject({
  n: column.int,
  at: column.text,
  changedAt: column.text,
  actor: column.maybeText,
  kind: column.text,
  id: column.maybeInt,
  ids: column.ints.nullable(),
  repoId: column.maybeInt,
  op: column.text,
  lockVersion: column.maybeInt,
});
export type FeedEntry = z.infer<typeof FeedEntry>;

/** The effect of a chunk of entries, in the transaction that also moves the follower on. It must not append changes to what it follows for ever. */
export type OnEntries = (entries: readonly FeedEntry[], tx: Transaction) => Promise<void>;

/** The channel that tells of new entries in the feed. */
export const feedChannel = 'muniment_feed';

const columns = sql.fragment`n, at, changed_at AS "changedAt", actor, kind, id, ids, repo_id AS "repoId", op, lock_version AS "lockVersion"`;

/** Entries after `n`, in order: at most 1,000, and at most some 5,000 records (but always one entry), so that a chunk of a batch stays small. */
export async function readFeed(
  reader: Pick<Transaction, 'any'>,
  n: number,
  limit = 1000,
): Promise<readonly FeedEntry[]> {
  return reader.any(sql.type(FeedEntry)`
    SELECT ${columns} FROM (
      SELECT *, sum(coalesce(cardinality(ids), 1)) OVER (ORDER BY n) - coalesce(cardinality(ids), 1) AS before
      FROM (SELECT * FROM feed WHERE n > ${n} ORDER BY n LIMIT ${limit}) AS next) AS counted
    WHERE before < 5000 ORDER BY n`);
}

/**
 * Makes the follower where there is none: from the first entry that the feed holds, or from now on. Without it, followChunk starts
 * at the first entry.
 */
export async function ensureFollower(database: Database, name: string, from: 'start' | 'now'): Promise<void> {
  await database.transaction(async (tx) =>
    tx.run(
      sql`INSERT INTO follower (name, n) SELECT ${name}, CASE WHEN ${from === 'now'} THEN n ELSE 0 END FROM sequencer ON CONFLICT DO NOTHING`,
    ),
  );
}

/** Whether a follower has read all that is published. Each chunk is followed by such a look, and each change by one of every follower: it takes no transaction. */
async function isAtEnd(reader: Reader, name: string): Promise<boolean> {
  const rows = await reader.any(sql.type(EmptyRow)`
    SELECT FROM follower f, sequencer s WHERE f.name = ${name} AND f.n >= s.n`);
  return rows.length > 0;
}

/** Gives the next chunk to the handler. Returns the number of records that its entries are of: 0 at the end of the feed, or where another process has the follower. */
export async function followChunk(database: Database, name: string, handler: OnEntries): Promise<number> {
  if (await isAtEnd(database.reader, name)) return 0;
  return database.transaction(
    async (tx) => {
      const follower = await tx.maybeOne(sql.type(NumberRow)`
        SELECT n FROM follower WHERE name = ${name} FOR UPDATE SKIP LOCKED`);
      if (follower === null) {
        // Locked by another process, or not there yet; then it starts at the next call.
        await tx.run(
          sql`INSERT INTO follower (name) SELECT ${name} WHERE NOT EXISTS (SELECT FROM follower WHERE name = ${name}) ON CONFLICT DO NOTHING`,
        );
        return 0;
      }
      // A statement after the lock: its snapshot shows all that the last holder's successor may see.
      const entries = await readFeed(tx, follower.n);
      const last = entries.at(-1);
      if (last === undefined) return 0;
      await handler(entries, tx);
      await tx.run(sql`UPDATE follower SET n = ${last.n}, at = now() WHERE name = ${name}`);
      return entries.reduce((count, { ids }) => count + (ids?.length ?? 1), 0);
    },
    // The row is the lease: who was frozen with it, and so keeps its connection, gives way to the others.
    { statementTimeoutMs: 300_000, idleTimeoutMs: 300_000 },
  );
}

/** What `follow` needs besides the handler; `onError` hears of failed chunks, which are tried again after a growing pause. */
export type FollowSettings = {
  readonly listener: Listener;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
};

// The first of some saves is followed at once, and those that come meanwhile together: a chunk costs as much for one as for twenty, and where many
// people save, as much again as their saves. What is of more records than these waits for nothing.
const leastMs = 200;
const fewRecords = 100;

/**
 * Follows the feed until the signal: woken by the sequencer, at least every second, and for chunks of few records no more than five times a second. Any
 * number of processes may follow under one name.
 */
export async function follow(
  database: Database,
  name: string,
  handler: OnEntries,
  settings: FollowSettings,
): Promise<void> {
  const { listener, signal, onError, pollMs = 1000 } = settings;
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(feedChannel, bell.wake);
  await ensureFollower(database, name, 'start').catch(onError);
  for (let failures = 0; !signal.aborted;) {
    const started = performance.now();
    try {
      const count = await followChunk(database, name, handler);
      failures = 0;
      if (count === 0) await bell.wait(pollMs, signal);
      else if (count < fewRecords)
        await createWaker().wait(Math.max(0, leastMs - (performance.now() - started)), signal);
    } catch (error) {
      onError(error);
      failures += 1;
      await bell.wait(Math.min(30_000, 100 * 2 ** failures), signal);
    }
  }
  unsubscribe();
}

const LagRow = z.strictObject({ name: column.text, entries: column.int, idleSeconds: column.number });

/** Entries that each follower has still to read, and how long ago it last read any; for metrics. */
export async function readFollowerLags(database: Database): Promise<readonly z.infer<typeof LagRow>[]> {
  return database.reader.any(sql.type(LagRow)`
    SELECT name, greatest(sequencer.n - follower.n, 0) AS entries, extract(epoch FROM now() - follower.at)::float8 AS "idleSeconds"
    FROM follower, sequencer ORDER BY name`);
}
